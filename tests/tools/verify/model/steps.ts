import * as endpoints from '#contract/index.ts';
import { cancelAbandonedOrders } from '#server/jobs/start-jobs.ts';
import { deleteAccounts } from '#server/jobs/delete-accounts.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { refundParts } from '#server/jobs/refund-parts.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { requestPartialRefund, sendPartialRefund } from '#server/billing/send-partial-refund.ts';
import { acceptTransfer, rejectProof, waitingForReview } from '#server/billing/review-transfer.ts';
import { performNextStep } from '../payer.ts';
import { seededRandom } from '../seeded-random.ts';
import { ways, wishOf, type PayerAction, type Way, type Wish } from '../payment-methods.ts';
import type { Fault } from './gateway-faults.ts';
import { changeDeletion, isGone } from './account-deletion.ts';
import { sendBankNotice, deliverNotice, type Kind, type Stage as NoticeStage } from './notices.ts';
import { fetchPrice, ordersOf, send, type Story } from './purchase.ts';
import { liveThrough, rule, wishToRenew, type RenewingCard, type Rule } from './renewals.ts';
import { passTime } from './world.ts';

/** A step of a story. Numbers select one of the existing orders, calls or pages. */
export type Step =
  | { do: 'pay'; way: number; several: boolean; coupon: 'none' | 'half' | 'free'; fault?: Fault | undefined }
  | { do: 'repay'; order: number; way: number; coupon: 'none' | 'half' | 'free'; fault?: Fault | undefined }
  | { do: 'again'; call: number }
  | { do: 'act'; order: number; action: PayerAction; fault?: Fault | undefined }
  | { do: 'press'; page: number; action: 'pay' | 'pay-late' | 'approve' | 'refuse' | 'all' | 'half' | 'late' }
  | { do: 'unbind'; order: number; fault?: Fault | undefined }
  | { do: 'notice'; attempt: number; kind: Kind; stage: NoticeStage; delivered: 'now' | 'twice' | 'later' }
  | { do: 'oldNotice'; notice: number }
  | { do: 'review'; transfer: number; accepts: boolean }
  | { do: 'deliver'; afterMs: number }
  | { do: 'jobs'; afterMs: number; fault?: Fault | undefined }
  | { do: 'subscribe'; plan: number; card: RenewingCard; fault?: Fault | undefined }
  | { do: 'rule'; what: Rule; card: RenewingCard; fault?: Fault | undefined }
  | { do: 'live'; days: number; backHours: number; fault?: Fault | undefined }
  | { do: 'leave'; what: 'ask' | 'keep'; fault?: Fault | undefined }
  | { do: 'sendRefund'; order: number; amount: number; ends: boolean; again: boolean; fault?: Fault | undefined }
  | { do: 'restart' };

/** The steps that a deleted account cannot do. */
const needsSession = new Set<Step['do']>(['pay', 'repay', 'again', 'act', 'unbind', 'subscribe', 'rule', 'leave']);

export interface Acting {
  /** false while other steps run concurrently: then its answer cannot be checked */
  readonly alone: boolean;
  /** the checks after each day of a step that takes days */
  afterDay(): Promise<void>;
}

/** Does one step. */
export async function act(story: Story, step: Step, { alone, afterDay }: Acting): Promise<void> {
  const { world } = story;
  if (needsSession.has(step.do) && (await isGone(world))) return;
  switch (step.do) {
    case 'leave':
      return withFault(story, step.fault, () => changeDeletion(world, step.what));
    case 'pay':
      return pay(story, step, alone);
    case 'repay':
      return repay(story, step, alone);
    case 'again': {
      const call = pick(story.calls, step.call);
      return call && send(story, call, { alone });
    }
    case 'act':
      return continueOrder(story, step);
    case 'press': {
      const page = pick(story.pages, step.page);
      return page === undefined ? undefined : world.connection.press(page, { action: step.action });
    }
    case 'unbind':
      return unbind(story, step);
    case 'notice':
      return sendBankNotice(story, step);
    case 'oldNotice': {
      const notice = pick(story.notices, step.notice);
      return notice && deliverNotice(world, notice);
    }
    case 'review':
      return review(story, step);
    case 'deliver':
      passTime(world, step.afterMs);
      await world.shop.deliver();
      return;
    case 'jobs':
      return runJobs(story, step);
    case 'subscribe':
      return subscribe(story, step, alone);
    case 'rule':
      return withFault(story, step.fault, () => rule(story, step.what, step.card));
    case 'live':
      return liveThrough(story, step, { withFault: (fault, work) => withFault(story, fault, work), afterDay });
    case 'sendRefund':
      return refundPart(story, step);
    case 'restart':
      return world.restart();
  }
}

export function pick<T>(all: readonly T[], index: number): T | undefined {
  return all[index % all.length];
}

/** The wish of an order by its method, with the customer's phone. */
function wishOfMethod(story: Story, methodCode: string): Wish {
  const { brand } = story.world.customer;
  const way = ways.find((one) => one.brand === brand && one.wish.methodCode === methodCode);
  return way ? wishIn(story, way) : wishIn(story, wayOf(story, 0));
}

/**
 * A customer has the same phone for a whole story, and pays without installments: with another plan or a coupon they
 * may be smaller than the brand's minimum, which would not be a failed attempt.
 */
function wishIn({ world }: Story, way: Way): Wish {
  const { bySavedCard: _saved, ...wish } = wishOf(
    way,
    seededRandom(Number.parseInt(world.customer.uid.slice(0, 8), 16)),
  );
  return { ...wish, installments: 1 };
}

/** A method of the story's brand. */
function wayOf({ world }: Story, index: number): Way {
  const way = pick(
    ways.filter(({ brand }) => brand === world.customer.brand),
    index,
  );
  if (!way) throw new Error(`${world.customer.brand} has no payment method`);
  return way;
}

/** Plans of the demo brands for several devices, so that consecutive periods differ in more than their days. */
const familyPlans: Readonly<Record<string, string>> = { lumen: '301', mego: '401', baobab: '601' };

async function pay(story: Story, step: Step & { do: 'pay' }, alone: boolean): Promise<void> {
  const { way, several, coupon, fault } = step;
  const chosen = wayOf(story, way);
  const family = several ? familyPlans[story.world.customer.brand] : undefined;
  const wish = { ...wishIn(story, chosen), ...(family !== undefined && { planId: family }) };
  const body = await fetchPrice(story, wish, coupon);
  if (!body) return;
  await send(story, remember(story, { call: 'pay', body, key: crypto.randomUUID(), way: chosen }), { alone, fault });
}

/** Buys a plan with automatic renewal. */
async function subscribe(story: Story, step: Step & { do: 'subscribe' }, alone: boolean): Promise<void> {
  const body = await wishToRenew(story, step);
  if (!body) return;
  const call = { call: 'pay', body, key: crypto.randomUUID(), way: wayOf(story, 0) } as const;
  await send(story, remember(story, call), { alone, fault: step.fault });
}

async function repay(story: Story, step: Step & { do: 'repay' }, alone: boolean): Promise<void> {
  const order = pick(await ordersOf(story), step.order);
  if (!order) return;
  const chosen = wayOf(story, step.way);
  const { orderId } = order;
  const body = await fetchPrice(story, { ...wishIn(story, chosen), planId: order.planId }, step.coupon, orderId);
  if (!body) return;
  const call = { call: 'repay', body: { ...body, orderId }, key: crypto.randomUUID(), way: chosen } as const;
  await send(story, remember(story, call), { alone, fault: step.fault });
}

function remember(story: Story, call: Story['calls'][number]): Story['calls'][number] {
  story.calls.push(call);
  return call;
}

/** The customer opens an order and does its next step. */
async function continueOrder(story: Story, { order: index, action, fault }: Step & { do: 'act' }): Promise<void> {
  const { world } = story;
  const order = pick(await ordersOf(story), index);
  if (!order) return;
  const { token } = world.customer;
  const { connection, host } = world;
  const info = await connection.call(endpoints.paymentInfo, { body: { orderId: order.orderId } }, { host, token });
  if (!info.ok) throw new Error(`the customer's order was refused with ${info.errCode}`);
  const { next, resultToken } = info.data;
  story.see(next);
  await withFault(story, fault, () =>
    performNextStep(
      { connection, host, token, orderId: order.orderId, resultToken, wish: wishOfMethod(story, order.methodCode) },
      next,
      action,
    ),
  );
}

async function unbind(story: Story, { order: index, fault }: Step & { do: 'unbind' }): Promise<void> {
  const { connection, host, customer } = story.world;
  const order = pick(await ordersOf(story), index);
  if (!order?.discountCode) return;
  const query = { orderId: order.orderId, discountCode: order.discountCode };
  await withFault(story, fault, async () => {
    const reply = await connection.call(endpoints.unbindDiscountCode, { query }, { host, token: customer.token });
    if (!reply.ok && reply.errCode !== 1003) throw new Error(`unbinding was refused with ${reply.errCode}`);
  });
}

/** A reviewer of the brand accepts or rejects a proof of payment of this customer. */
async function review(story: Story, { transfer: index, accepts }: Step & { do: 'review' }): Promise<void> {
  const { deps } = story.world.shop;
  const own = new Set((await ordersOf(story)).map(({ orderId }) => orderId));
  const waiting = (await waitingForReview(deps.db)).filter(({ orderId }) => own.has(orderId));
  const one = pick(waiting, index);
  if (one) await (accepts ? acceptTransfer(deps, one.transfer) : rejectProof(deps, one.transfer));
}

async function runJobs(story: Story, { afterMs, fault }: Step & { do: 'jobs' }): Promise<void> {
  const { world } = story;
  passTime(world, afterMs);
  await withFault(story, fault, async () => {
    const { deps } = world.shop;
    await reconcile(deps);
    await cancelAbandonedOrders(deps);
    await refundDuplicates(deps);
    await refundParts(deps);
    await deleteAccounts(deps);
  });
}

/** The operator refunds a part of a payment, or continues the pending refund. */
async function refundPart(story: Story, { order: index, fault, ...wish }: Step & { do: 'sendRefund' }): Promise<void> {
  const order = pick(await ordersOf(story), index);
  if (!order) return;
  await withFault(story, fault, async () => {
    const { deps } = story.world.shop;
    const { amount, again, ends: endsAccess } = wish;
    const part = { amount, again, endsAccess };
    const requested = await deps.db.transaction((tx) => requestPartialRefund(tx, deps, order, part, deps.clock()));
    if ('row' in requested) await sendPartialRefund(deps, requested.row);
  });
}

/** How long a statement may take that was sent to the database before the kill, in milliseconds. */
const lastStatementMs = 25;

/** Does some work with a fault in the next call to a provider; restarts a shop that was killed by it. */
async function withFault(story: Story, fault: Fault | undefined, work: () => Promise<void>): Promise<void> {
  const { gatewayFaults } = story.world;
  gatewayFaults.spoil(fault);
  const end = await Promise.race([work(), gatewayFaults.died()]);
  gatewayFaults.spoil(undefined);
  if (end !== 'died') return;
  // jobs run statements concurrently, and those that were sent cannot be cancelled
  await new Promise((resolve) => setTimeout(resolve, lastStatementMs));
  await story.world.restart();
}
