import { userInfo } from 'node:os';
import type { Database } from '#server/db/connect.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import type { Deps } from '#server/deps.ts';
import {
  amountOf,
  requireOption,
  numberOption,
  OperatorError,
  instantOf,
  type OptionValues,
  type OptionText,
  type ShopCommand,
} from './command.ts';
import { and, desc, eq } from 'drizzle-orm';

type AuditEntry = typeof auditLog.$inferInsert;
type AuditDetail = (typeof auditLog.$inferSelect)['detail'];

/** Options of every command that changes something. */
export const auditOptions = {
  why: { required: true, value: 'reason', summary: 'why, for the record of changes, such as a ticket' },
  by: { value: 'name', summary: 'who requested it, if not the user of this machine' },
} as const satisfies Record<string, OptionText>;

/** Records who changed what, and why, in the transaction of the change. */
export async function writeAudit(
  tx: Database,
  given: OptionValues,
  change: Pick<AuditEntry, 'command' | 'brand' | 'subject'> & { readonly detail?: AuditEntry['detail'] },
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
): Promise<void> {
  const who = given['by']?.trim() || userInfo().username;
  const why = requireOption(given, 'why');
  await tx.insert(auditLog).values({ id: random.id(), at: clock(), who, why, detail: {}, ...change });
}

/** Also for brands that no longer exist, so the code is not validated. */
export const auditCommand: ShopCommand = {
  name: 'audit list',
  summary: 'shows what operators have changed, and why, the newest first',
  options: {
    brand: { value: 'code', summary: 'of this brand only' },
    subject: { value: 'id', summary: 'about this uid, order or coupon of --brand' },
    limit: { value: 'number', summary: 'lines at most (50)' },
  },
  inShop: async (given, { deps, row, json }) => {
    const { brand, subject } = given;
    if (subject !== undefined && brand === undefined) {
      throw new OperatorError('--subject requires --brand.', { badUsage: true });
    }
    const rows = await deps.db
      .select()
      .from(auditLog)
      .where(
        and(
          brand === undefined ? undefined : eq(auditLog.brand, brand),
          subject === undefined ? undefined : eq(auditLog.subject, subject),
        ),
      )
      .orderBy(desc(auditLog.at))
      .limit(numberOption(given, 'limit', { usual: 50, most: 10_000 }));
    for (const { at, who, command, brand: of, subject: about, why, detail } of rows) {
      const what = Object.entries(readable(detail)).map(([name, value]) => `${name}=${value}`);
      row({
        at: instantOf(at),
        who,
        command,
        brand: of,
        subject: about,
        why,
        ...(json ? detail : { detail: what.join(' ') }),
      });
    }
  },
};

/** Refunds store minor units beside their currency; people read 79.00 SGD. */
function readable(detail: AuditDetail): AuditDetail {
  const { amount, currency, ...rest } = detail;
  if (typeof amount !== 'number' || typeof currency !== 'string') return detail;
  return { amount: amountOf({ amount, currency }), ...rest };
}
