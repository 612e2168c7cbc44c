import { and, desc, eq, gt, ne, or, sql } from 'drizzle-orm';
import type * as contract from '#contract/account.ts';
import { shownLoginRecords } from '#contract/limits.ts';
import { lockCustomer } from '#server/auth/users.ts';
import type { Database } from '#server/db/connect.ts';
import { checkoutHandovers } from '#server/db/schema/handovers.ts';
import { deviceGrants } from '#server/db/schema/sign-in.ts';
import { loginRecords, sessions } from '#server/db/schema/users.ts';
import type { CustomerContext, SessionUser, Handler } from '#server/runtime/request/request-context.ts';

const ownSessions = ({ brand, uid }: SessionUser) => and(eq(sessions.brand, brand), eq(sessions.uid, uid));
const ownRecords = ({ brand, uid }: SessionUser) => and(eq(loginRecords.brand, brand), eq(loginRecords.uid, uid));

/** The last logins, newest first, each with the state of its session. */
export async function lastSignIns({ deps, user, tokenHash }: CustomerContext): Promise<contract.DeviceSession[]> {
  const itsSession = and(eq(sessions.tokenHash, loginRecords.sessionHash), ownSessions(user));
  const rows = await deps.db
    .select({ record: loginRecords, open: sql<boolean>`${sessions.tokenHash} is not null` })
    .from(loginRecords)
    .leftJoin(sessions, and(itsSession, gt(sessions.expiresAt, deps.clock())))
    .where(ownRecords(user))
    .orderBy(desc(loginRecords.at), desc(loginRecords.id))
    .limit(shownLoginRecords);
  return rows.map(({ record: { id, device, model, ip, at, sessionHash }, open }) => ({
    signInId: id,
    device,
    model,
    ip,
    loginAt: at,
    here: sessionHash !== null && sessionHash === tokenHash,
    open,
  }));
}

/** The number of devices in use: TV devices, and sessions opened from the app. */
export async function devicesInUse(db: Database, user: SessionUser, now: number): Promise<number> {
  const watches = or(and(eq(sessions.kind, 'box'), eq(sessions.handed, false)), eq(sessions.fromApp, true));
  return db.$count(sessions, and(ownSessions(user), watches, gt(sessions.expiresAt, now)));
}

/**
 * Locks the customer's row first, as everywhere ([Note: Eviction]), so that a session that is being ended cannot
 * approve a TV.
 */
export const endSignIn: Handler<typeof contract.endSignIn> = async ({ body }, { deps, user }) => {
  await deps.db.transaction(async (tx) => {
    await lockCustomer(tx, user);
    const [found] = await tx
      .select({ tokenHash: sessions.tokenHash, boxId: sessions.boxId, handed: sessions.handed })
      .from(loginRecords)
      .innerJoin(sessions, eq(sessions.tokenHash, loginRecords.sessionHash))
      .where(and(ownRecords(user), eq(loginRecords.id, body.signInId), ownSessions(user)));
    if (!found) return;
    const { tokenHash, boxId, handed } = found;
    // also ends the sessions of phones with a checkout of this TV, which have its ID
    const which = boxId === null || handed ? eq(sessions.tokenHash, tokenHash) : eq(sessions.boxId, boxId);
    await tx.delete(sessions).where(and(ownSessions(user), which));
  });
  return {};
};

/**
 * Also deletes what could become a session: TV devices that were approved or share this account, and checkouts of other
 * TVs.
 */
export const endOtherSignIns: Handler<typeof contract.endOtherSignIns> = async (
  _,
  { deps, user, tokenHash, refuse },
) => {
  const { brand, uid } = user;
  const own = tokenHash ?? refuse('invalidToken');
  return deps.db.transaction(async (tx) => {
    await lockCustomer(tx, user);
    const ended = await tx
      .delete(sessions)
      .where(and(ownSessions(user), ne(sessions.tokenHash, own)))
      .returning({ uid: sessions.uid });
    await tx.delete(deviceGrants).where(and(eq(deviceGrants.brand, brand), eq(deviceGrants.uid, uid)));
    const opened = and(eq(checkoutHandovers.brand, brand), eq(checkoutHandovers.uid, uid));
    await tx.delete(checkoutHandovers).where(and(opened, ne(checkoutHandovers.sessionHash, own)));
    return { ended: ended.length };
  });
};
