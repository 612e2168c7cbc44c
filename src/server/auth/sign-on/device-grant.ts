import { createHash } from 'node:crypto';
import { and, eq, gt, lte, sql } from 'drizzle-orm';
import { newUserCode, userCodeHash } from '../user-code.ts';
import type { Database } from '#server/db/connect.ts';
import { deviceGrants } from '#server/db/schema/sign-in.ts';
import type { Deps } from '#server/deps.ts';

/** The rows behind [Note: Device grant]. Neither of the two codes is stored in readable form. */
export type GrantRow = typeof deviceGrants.$inferSelect;

/** Seconds that a box waits between two questions. */
export const pollSeconds = 5;
const pollMs = pollSeconds * 1000;
/** A box that counts from our answer may be back this much too early, in milliseconds. */
const pollGraceMs = 500;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export interface NewGrant {
  readonly brand: string;
  readonly client: GrantRow['client'];
  /** maker and model as our list has them (box-names.ts) */
  readonly device: string;
  readonly model: string;
  /** whose the box is; null when nobody has signed in there */
  readonly uid: string | null;
  /** epoch milliseconds */
  readonly expiresAt: number;
}

const attempts = 5;

/** Writes a grant that waits, and tells its two codes, here and never again. `tx` may be a transaction. */
export async function openGrant(
  tx: Database,
  grant: NewGrant,
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
): Promise<{ deviceCode: string; userCode: string }> {
  const deviceCode = random.token(32);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const userCode = newUserCode(random);
    const [written] = await tx
      .insert(deviceGrants)
      .values({
        ...grant,
        deviceCodeHash: sha256(deviceCode),
        userCodeHash: userCodeHash(userCode),
        signedIn: grant.uid !== null,
        state: 'waiting',
        nextPollAt: clock(),
      })
      .onConflictDoNothing()
      .returning({ brand: deviceGrants.brand });
    if (written) return { deviceCode, userCode };
  }
  throw new Error('no user code is free');
}

/** The grant of a code that a person reads from a screen, as `XXXX-XXXX`. */
export async function grantOfUserCode(db: Database, brand: string, userCode: string): Promise<GrantRow | undefined> {
  const [row] = await db
    .select()
    .from(deviceGrants)
    .where(and(eq(deviceGrants.brand, brand), eq(deviceGrants.userCodeHash, userCodeHash(userCode))))
    .limit(1);
  return row;
}

/**
 * The phone's answer, once: false when it was answered before, or too late. `uid` is who is signed in on the phone; a
 * box that has an account keeps its own.
 */
export async function answerGrant(
  tx: Database,
  {
    brand,
    userCode,
    approve,
    uid,
    now,
  }: { brand: string; userCode: string; approve: boolean; uid: string | null; now: number },
): Promise<GrantRow | undefined> {
  const [row] = await tx
    .update(deviceGrants)
    .set({
      state: approve ? 'granted' : 'refused',
      ...(approve && { uid: sql`case when ${deviceGrants.signedIn} then ${deviceGrants.uid} else ${uid} end` }),
    })
    .where(
      and(
        eq(deviceGrants.brand, brand),
        eq(deviceGrants.userCodeHash, userCodeHash(userCode)),
        eq(deviceGrants.state, 'waiting'),
        gt(deviceGrants.expiresAt, now),
      ),
    )
    .returning();
  return row;
}

const byDeviceCode = (brand: string, deviceCode: string) =>
  and(eq(deviceGrants.brand, brand), eq(deviceGrants.deviceCodeHash, sha256(deviceCode)));

interface Question {
  readonly brand: string;
  /** a code is good for nobody but the client that it was made for (RFC 6749, 5.2, `invalid_grant`) */
  readonly client: GrantRow['client'];
  readonly deviceCode: string;
  /** epoch milliseconds */
  readonly now: number;
}

/** The grant, and whether the box asks in time. Asking too early puts the next question off by five more seconds. */
export async function pollGrant(
  db: Database,
  { brand, client, deviceCode, now }: Question,
): Promise<{ row: GrantRow; early: boolean } | undefined> {
  const its = and(byDeviceCode(brand, deviceCode), eq(deviceGrants.client, client));
  const [row] = await db
    .update(deviceGrants)
    .set({ nextPollAt: now + pollMs })
    .where(and(its, lte(deviceGrants.nextPollAt, now + pollGraceMs)))
    .returning();
  if (row) return { row, early: false };
  const [early] = await db
    .update(deviceGrants)
    .set({ nextPollAt: sql`${deviceGrants.nextPollAt} + ${pollMs}` })
    .where(its)
    .returning();
  return early && { row: early, early: true };
}

/** Ends a grant with its token, once, in the transaction that makes the token. False when it is ended already. */
export async function consumeGrant(tx: Database, brand: string, deviceCode: string): Promise<boolean> {
  const taken = await tx
    .update(deviceGrants)
    .set({ state: 'done' })
    .where(and(byDeviceCode(brand, deviceCode), eq(deviceGrants.state, 'granted')))
    .returning({ uid: deviceGrants.uid });
  return taken.length > 0;
}
