import { createHmac } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { typedEmail } from '#contract/email-address.ts';
import type { Database } from '#server/db/connect.ts';
import { mailBounces } from '#server/db/schema/outbox.ts';
import type { Env } from '#server/env.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';

/**
 * [Note: Bounces] Mail to a mailbox that is not there costs the sender its good name, and then the others their mail. So an
 * address that mail has come back from for good gets no more of it (`permanent`), and one whose reader has called an offer
 * spam gets no more offers (`complaint`). What its reader asks for at this moment, a code or a link, goes out all the same:
 * that is how they find out that it works again, and nobody is locked out by a bounce that was a mistake. The account says
 * so, a change of the address mends it, and the operator can clear it (`operator -- bounces clear`).
 *
 * It is told by the mail server while it is handed a mail, or afterwards by the mail provider's call
 * (email/mount-mail-bounces.ts). Addresses stand here as hashes, for all brands alike.
 */
export type BounceKind = (typeof mailBounces.$inferSelect)['kind'];

interface Keyed {
  readonly db: Database;
  readonly env: Pick<Env, 'SIGNING_SECRET'>;
}

/** An HMAC: a copy of the database does not reveal an address to anyone who tries likely ones. */
const hashOf = (env: Keyed['env'], address: string) =>
  createHmac('sha256', derivedKey(env, 'bounced address')).update(typedEmail(address)).digest('base64url');

/** A mailbox that is gone outweighs a complaint. `at` is epoch milliseconds. */
export async function recordBounce({ db, env }: Keyed, address: string, kind: BounceKind, at: number): Promise<void> {
  await db
    .insert(mailBounces)
    .values({ addressHash: hashOf(env, address), kind, at })
    .onConflictDoUpdate({
      target: mailBounces.addressHash,
      set: { kind: sql`case when ${mailBounces.kind} = 'permanent' then 'permanent' else excluded.kind end`, at },
    });
}

export async function bounceOf(deps: Keyed, address: string): Promise<BounceKind | undefined> {
  return (await findBounce(deps, address))?.kind;
}

export async function findBounce(
  { db, env }: Keyed,
  address: string,
): Promise<{ kind: BounceKind; at: number } | undefined> {
  const [row] = await db
    .select()
    .from(mailBounces)
    .where(eq(mailBounces.addressHash, hashOf(env, address)));
  return row;
}

/** True when there was something to clear. */
export async function clearBounce({ db, env }: Keyed, address: string): Promise<boolean> {
  const cleared = await db
    .delete(mailBounces)
    .where(eq(mailBounces.addressHash, hashOf(env, address)))
    .returning({ kind: mailBounces.kind });
  return cleared.length > 0;
}
