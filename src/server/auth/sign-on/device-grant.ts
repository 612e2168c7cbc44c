import { createHash } from 'node:crypto';
import { and, eq, gt, lte, sql } from 'drizzle-orm';
import { newUserCode, userCodeHash } from '../handover-rows.ts';
import type { Database } from '#server/db/connect.ts';
import { deviceGrants } from '#server/db/schema/sign-in.ts';
import type { Deps } from '#server/deps.ts';

/** The rows of device grants (RFC 8628). Both codes are stored as hashes. */
export type GrantRow = typeof deviceGrants.$inferSelect;

/** Minimum seconds between two polls of a TV device. */
export const pollSeconds = 5;
const pollMs = pollSeconds * 1000;
/** Tolerance for a device that polls too early, in milliseconds. */
const pollGraceMs = 500;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface NewGrant {
  readonly brand: string;
  readonly client: GrantRow['client'];
  /** maker and model from the list in tv-device-names.ts */
  readonly device: string;
  readonly model: string;
  /** the customer who is logged in on the TV; null without one */
  readonly uid: string | null;
  /** epoch milliseconds */
  readonly expiresAt: number;
}

const attempts = 5;

/** Inserts a pending grant. Only this call returns its two codes. `tx` may be a transaction. */
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

/** The grant of a code that was typed or scanned, as `XXXX-XXXX`. */
export async function grantOfUserCode(db: Database, brand: string, userCode: string): Promise<GrantRow | undefined> {
  const [row] = await db
    .select()
    .from(deviceGrants)
    .where(and(eq(deviceGrants.brand, brand), eq(deviceGrants.userCodeHash, userCodeHash(userCode))))
    .limit(1);
  return row;
}

/**
 * Stores the phone's answer, once; undefined when it was answered before, or has expired. `uid` is the customer on the
 * phone; a TV that is logged in keeps its own account.
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

interface Poll {
  readonly brand: string;
  /** a code is valid only for the client that requested it (RFC 6749, 5.2, `invalid_grant`) */
  readonly client: GrantRow['client'];
  readonly deviceCode: string;
  /** epoch milliseconds */
  readonly now: number;
}

/** The grant, and whether the device polls too early. An early poll delays the next one by five more seconds. */
export async function pollGrant(
  db: Database,
  { brand, client, deviceCode, now }: Poll,
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

/** Consumes a granted code, once, in the transaction that opens its session. False when it was consumed before. */
export async function consumeGrant(tx: Database, brand: string, deviceCode: string): Promise<boolean> {
  const taken = await tx
    .update(deviceGrants)
    .set({ state: 'done' })
    .where(and(byDeviceCode(brand, deviceCode), eq(deviceGrants.state, 'granted')))
    .returning({ uid: deviceGrants.uid });
  return taken.length > 0;
}
