import type * as contract from '#contract/sign-on.ts';
import { maskAccount } from '#contract/mask.ts';
import { lockCustomer } from '../evict.ts';
import { hasSession } from '../session.ts';
import { signIn } from '../sign-in.ts';
import type { Database } from '#server/db/connect.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import { tryUserCode } from '../user-code.ts';
import { handoverOfUserCode } from '../handover-rows.ts';
import { planName } from '#server/site/plans.ts';
import { byUid } from './sso-customer.ts';
import { answerGrant, grantOfUserCode } from './device-grant.ts';

/** What a TV's code is for, before the customer approves it. */
export const deviceQuery: Handler<typeof contract.deviceQuery> = async ({ body }, context) => {
  const { deps, brand, user } = context;
  const found = await tryUserCode(context, () => pendingRequest(body.userCode, context));
  const { device, model, uid, plan, expiresAt } = found;
  const owner = uid === null ? undefined : await byUid(deps.db, brand.code, uid);
  const account = owner ? maskAccount(owner.account) : null;
  const isOwn = owner !== undefined && owner.uid === user?.uid;
  return { device, model, account, isOwn, expiresAt, ...(plan !== undefined && { plan }) };
};

/**
 * The pending request of a code: a login of a TV, a TV that shares its account, or a handed-over checkout ([Note:
 * Hand-over]) with the account that pays.
 */
async function pendingRequest(userCode: string, { deps, brand, language }: RequestContext) {
  const grant = await grantOfUserCode(deps.db, brand.code, userCode);
  if (grant) return { ...grant, uid: grant.signedIn ? grant.uid : null, plan: undefined };
  const handover = await handoverOfUserCode(deps.db, brand.code, userCode);
  return handover && { ...handover, plan: planName(brand, handover.purchase.planId, language) ?? '' };
}

/** The customer's answer: the TV's account is opened on the phone, or the phone's account on the TV. */
export const deviceConfirm: Handler<typeof contract.deviceConfirm> = async ({ body }, context) => {
  const { deps, brand, user } = context;
  const { userCode, approve, device } = body;
  const grant = await tryUserCode(context, () => grantOfUserCode(deps.db, brand.code, userCode));
  if (approve && !grant.signedIn && !user) return context.refuse('invalidToken');
  return deps.db.transaction(async (tx) => {
    const uid = grant.signedIn ? grant.uid : (user?.uid ?? null);
    const owner = approve && uid !== null ? await lockCustomer(tx, { brand: brand.code, uid }) : undefined;
    // The session may have been evicted during the wait for the lock, and a TV must not stay logged in after that.
    if (approve && !grant.signedIn && !(await stillSignedIn(tx, context))) return context.refuse('invalidToken');
    const answer = { brand: brand.code, userCode, approve, uid, now: deps.clock() };
    const answered = await answerGrant(tx, answer);
    if (!answered) return context.refuse('codeNotFound');
    if (!approve || !answered.signedIn || !owner) return { user: null };
    return { user: await signIn(tx, owner, context, { via: 'device', device }) };
  });
};

async function stillSignedIn(tx: Database, { brand, tokenHash }: RequestContext): Promise<boolean> {
  return tokenHash !== null && (await hasSession(tx, brand.code, tokenHash));
}
