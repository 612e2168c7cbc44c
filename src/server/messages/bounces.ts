import { createHmac } from 'node:crypto';
import { inArray, sql } from 'drizzle-orm';
import { normalizeEmail } from '#contract/email-address.ts';
import type { Database } from '#server/db/connect.ts';
import { mailBounces } from '#server/db/schema/outbox.ts';
import { allSecrets, derivedKey, type SecretsEnv } from '#server/runtime/signing-secret.ts';

/**
 * Mail to missing mailboxes and spam complaints damage the sender's reputation. After a permanent bounce (`permanent`)
 * an address receives only what its reader requests (codes and links), so that a bounce by mistake locks no customer
 * out. After a complaint it receives no more offers. Bounces are reported by the mail server during delivery, or later
 * by the mail provider's webhook (email/mount-mail-bounces.ts). A change of the address or `operator -- bounces clear`
 * ends this.
 */
type BounceKind = (typeof mailBounces.$inferSelect)['kind'];

interface Keyed {
  readonly db: Database;
  readonly env: SecretsEnv;
}

/**
 * Addresses are stored as HMACs, for all brands together: a copy of the database does not confirm guessed addresses.
 */
const hashOf = (env: Pick<SecretsEnv, 'SIGNING_SECRET'>, address: string) =>
  createHmac('sha256', derivedKey(env, 'bounced address')).update(normalizeEmail(address)).digest('base64url');

/** The rows of an address: those from before a change of the secret still count. */
const isOf = (env: Keyed['env'], address: string) =>
  inArray(
    mailBounces.addressHash,
    allSecrets(env).map((secret) => hashOf(secret, address)),
  );

/** A permanent bounce takes precedence over a complaint. `at` is epoch milliseconds. */
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
  const rows = await db.select().from(mailBounces).where(isOf(env, address));
  return rows.find(({ kind }) => kind === 'permanent') ?? rows[0];
}

/** Returns whether there was a bounce to clear. */
export async function clearBounce({ db, env }: Keyed, address: string): Promise<boolean> {
  const cleared = await db.delete(mailBounces).where(isOf(env, address)).returning({ kind: mailBounces.kind });
  return cleared.length > 0;
}
