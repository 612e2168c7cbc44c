import { userInfo } from 'node:os';
import type { Database } from '#server/db/connect.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import type { Deps } from '#server/deps.ts';
import { need, type Given, type OptionText } from './command.ts';

type AuditEntry = typeof auditLog.$inferInsert;

/** Options of every command that changes something. */
export const auditOptions = {
  why: { required: true, value: 'reason', summary: 'why, for the record of changes, such as a ticket' },
  by: { value: 'name', summary: 'who asks for it, where it is not the user of this machine' },
} as const satisfies Record<string, OptionText>;

/** Records who changed what, and why, in the transaction of the change. */
export async function writeAudit(
  tx: Database,
  given: Given,
  change: Pick<AuditEntry, 'command' | 'brand' | 'subject'> & { readonly detail?: AuditEntry['detail'] },
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
): Promise<void> {
  const who = given['by']?.trim() || userInfo().username;
  const why = need(given, 'why');
  await tx.insert(auditLog).values({ id: random.id(), at: clock(), who, why, detail: {}, ...change });
}
