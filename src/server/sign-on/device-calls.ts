import type * as contract from '../../contract/sign-on.ts';
import { refuse } from '../api-error.ts';
import { maskAccount } from '../../contract/mask.ts';
import { lockCustomer } from '../auth/evict.ts';
import { hasSession } from '../auth/session.ts';
import { signIn } from '../auth/sign-in.ts';
import type { Database } from '../db/connect.ts';
import type { Handler } from '../mount.ts';
import type { RequestContext } from '../request-context.ts';
import { giveBackTryFrom, takeTryFrom } from '../throttle.ts';
import { byUid } from './sso-customer.ts';
import { answerGrant, grantOfUserCode, type GrantRow } from './device-grant.ts';

/** Wrong codes from one address; a right one takes its try back, so that a full house with one box is not shut out. */
const limit = { tries: 20, windowMs: 10 * 60_000 };

/** What the code stands for, before anybody says yes to it ([Note: Device grant]). */
export const deviceQuery: Handler<typeof contract.deviceQuery> = async ({ body }, context) => {
  const { device, model, uid, signedIn, expiresAt } = await waitingGrant(body.userCode, context);
  const { deps, brand, user } = context;
  const owner = signedIn && uid !== null ? await byUid(deps.db, brand.code, uid) : undefined;
  const account = owner ? maskAccount(owner.account) : null;
  return { device, model, account, isOwn: owner !== undefined && owner.uid === user?.uid, expiresAt };
};

/** The answer of the one in front of the TV: a box's account comes to the phone, or the phone's goes to the box. */
export const deviceConfirm: Handler<typeof contract.deviceConfirm> = async ({ body }, context) => {
  const { deps, brand, user } = context;
  const { userCode, approve, device } = body;
  const grant = await waitingGrant(userCode, context);
  if (approve && !grant.signedIn && !user) refuse(21);
  return deps.db.transaction(async (tx) => {
    const uid = grant.signedIn ? grant.uid : (user?.uid ?? null);
    const owner = approve && uid !== null ? await lockCustomer(tx, { brand: brand.code, uid }) : undefined;
    // Who waited for the lock may have been evicted meanwhile: a box of their own must not outlive their session.
    if (approve && !grant.signedIn && !(await stillSignedIn(tx, context))) refuse(21);
    const answer = { brand: brand.code, userCode, approve, uid, now: deps.clock() };
    const answered = await answerGrant(tx, answer);
    if (!answered) return refuse(-3033);
    if (!approve || !answered.signedIn || !owner) return { user: null };
    return { user: await signIn(tx, owner, context, { via: 'device', device }) };
  });
};

async function stillSignedIn(tx: Database, { brand, tokenHash }: RequestContext): Promise<boolean> {
  return tokenHash !== null && (await hasSession(tx, brand.code, tokenHash));
}

/** Refuses with -3034 a code whose time has passed, with -3033 one that is unknown, answered or used. */
async function waitingGrant(userCode: string, { deps, brand, ip }: RequestContext): Promise<GrantRow> {
  const now = deps.clock();
  const what = `device ${brand.code}`;
  const taken = await takeTryFrom(deps.db, what, ip, limit, now);
  if (!taken.allowed) refuse(-3031, { waitSeconds: taken.waitSeconds });
  const grant = await grantOfUserCode(deps.db, brand.code, userCode);
  if (grant) await giveBackTryFrom(deps.db, what, ip);
  if (grant?.state !== 'waiting') return refuse(-3033);
  return grant.expiresAt > now ? grant : refuse(-3034);
}
