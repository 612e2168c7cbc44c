import type * as contract from '#contract/handover.ts';
import { lockCustomer } from '#server/auth/users.ts';
import { signIn } from '#server/auth/sign-in.ts';
import { ownOrder } from '../orders.ts';
import type { Database } from '#server/db/connect.ts';
import { refuseCommon } from '#server/runtime/request/api-error.ts';
import type { CustomerContext, RequestContext, Handler } from '#server/runtime/request/request-context.ts';
import { requirePlanForSale } from '#server/site/plan.ts';
import { countTry } from '#server/runtime/limits/throttle.ts';
import {
  answerHandover,
  checkoutOf,
  handoverOfSession,
  handoverOfUserCode,
  findHandoverOpener,
  orderOfHandover,
  withdrawHandover,
  writeHandover,
  type HandoverRow,
  findByUserCode,
} from '#server/auth/handover-rows.ts';

/** New codes of one customer; a TV that stays on requests six in an hour. */
const limit = { tries: 30, windowMs: 10 * 60_000 };
/** How long a phone may use a checkout that was handed over, in milliseconds. */
const phoneLastsMs = 60 * 60_000;

export const openHandover: Handler<typeof contract.openHandover> = async ({ body }, context) => {
  const { deps, brand, user } = context;
  const now = deps.clock();
  const taken = await countTry(deps.db, `handover ${brand.code} ${user.uid}`, limit, now);
  if (!taken.allowed) return context.refuse('tooFrequent', { waitSeconds: taken.waitSeconds });
  if (body.orderId === undefined) requirePlanForSale(context.refuse, brand, body.planId);
  else if ((await ownOrder(context, body.orderId)).planId !== body.planId) return context.refuse('orderNotFound');
  const own = { brand: brand.code, uid: user.uid, sessionHash: sessionOf(context) };
  const expiresAt = now + deps.env.SSO_QR_SECONDS * 1000;
  const opened = await deps.db.transaction(async (tx) => {
    // locks the customer first, as everywhere, so that no code remains after an eviction at the same time
    await lockCustomer(tx, own);
    const opener = await findHandoverOpener(tx, own, now);
    if (!opener) return context.refuse('invalidToken');
    const tv = { device: opener.boxMaker, model: opener.boxModel };
    return writeHandover(tx, { ...own, ...tv, purchase: body, createdAt: now, expiresAt }, deps.random);
  });
  const { id: handoverId, userCode } = opened;
  const link = `${brand.origin}/device?user_code=${userCode}&st=STB&la=${body.language}`;
  return { handoverId, userCode, link, expiresAt };
};

export const handoverProgress: Handler<typeof contract.handoverProgress> = async ({ body }, context) => {
  const row = await handoverOfSession(context.deps.db, ownRow(context, body.handoverId));
  if (!row) return context.refuse('codeNotFound');
  const order = row.state === 'opened' ? await orderOfHandover(context.deps.db, row) : null;
  return { state: row.state, expiresAt: row.expiresAt, order };
};

export const closeHandover: Handler<typeof contract.closeHandover> = async ({ body }, context) => {
  await withdrawHandover(context.deps.db, ownRow(context, body.handoverId));
  return {};
};

export const takeHandover: Handler<typeof contract.takeHandover> = async ({ body }, context) => {
  const { deps, brand } = context;
  const { userCode, approve, device } = body;
  const waiting = await findByUserCode(context, () => handoverOfUserCode(deps.db, brand.code, userCode));
  const now = deps.clock();
  if (!approve) {
    if (!(await answerHandover(deps.db, waiting, { state: 'refused', now }))) return context.refuse('codeNotFound');
    return { purchase: null, user: null };
  }
  return deps.db.transaction(async (tx) => {
    const user = await letIn(tx, waiting, context, device);
    const taken = await answerHandover(tx, waiting, { state: 'opened', now });
    return taken ? { purchase: taken.purchase, user } : context.refuse('codeNotFound');
  });
};

/** The session of the phone; null if the phone is already logged in to the account. */
async function letIn(
  tx: Database,
  row: HandoverRow,
  context: RequestContext<'accountTypeRefused' | 'codeNotFound' | 'loginNotAllowed'>,
  device: string | undefined,
) {
  const { deps, user } = context;
  const owner = await lockCustomer(tx, row);
  // the TV may have been logged out, or all sessions evicted, since it showed the code
  const opener = await findHandoverOpener(tx, row, deps.clock());
  if (!owner || !opener) return context.refuse('codeNotFound');
  const isOpener = context.tokenHash === opener.tokenHash;
  if (user?.uid === row.uid && (user.sessionKind === 'customer' || isOpener)) return null;
  const handed = {
    boxId: opener.boxId,
    openerHash: opener.tokenHash,
    checkout: checkoutOf(row),
    endsAt: Math.min(opener.expiresAt, deps.clock() + phoneLastsMs),
  };
  return signIn(tx, owner, context, { via: 'device', device, handed });
}

const ownRow = (context: CustomerContext, id: string) => ({
  brand: context.brand.code,
  sessionHash: sessionOf(context),
  id,
});

/** A customer's request always has a token. */
const sessionOf = ({ tokenHash }: CustomerContext): string => tokenHash ?? refuseCommon('invalidToken');
