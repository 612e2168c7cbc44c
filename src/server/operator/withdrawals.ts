import { and, asc, eq, sql } from 'drizzle-orm';
import { sendRefund, lockCapture, recordRefundResult, type ScheduledRefund } from '#server/billing/send-refund.ts';
import { recordPartialRefund } from '#server/billing/record-partial-refund.ts';
import { orderView } from '#server/billing/orders.ts';
import { isWithdrawalOpen, setWithdrawal } from '#server/billing/withdrawals.ts';
import type { Database } from '#server/db/connect.ts';
import { findPurchase, type OrderRow } from '#server/db/purchase-rows.ts';
import { orders } from '#server/db/schema/orders.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { withdrawalRefusedMail } from '#server/messages/withdrawal-mails.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import { auditOptions, writeAudit } from './audit.ts';
import {
  requireOption,
  OperatorError,
  type OptionValues,
  type ShopCommand,
  type ShopContext,
  amountOf,
  amountOption,
  instantOf,
} from './command.ts';
import { brandCodeOption } from './open-shop.ts';
import { findNamedOrder } from './orders.ts';

/** Lists the customers who have cancelled a paid order and wait for the refund. */
export const listWithdrawalsCommand: ShopCommand = {
  name: 'withdrawals list',
  summary: 'lists orders with an open withdrawal, those to refund manually first',
  options: { brand: { value: 'code', summary: 'of this brand only' } },
  inShop: async (given, { deps, row, explain }) => {
    const brand = brandCodeOption(deps, given['brand']);
    const open = sql`${orders.withdrawal} is not null and ${orders.status} = 'REFUND_PENDING'`;
    const found = await deps.db
      .select()
      .from(orders)
      .where(and(open, brand === undefined ? undefined : eq(orders.brand, brand)))
      .orderBy(asc(sql`${orders.withdrawal}->>'byHandSince' is null`), asc(orders.createdAt));
    const waiting = found.filter((order) => isWithdrawalOpen(order));
    for (const order of waiting) row(factsOf(order));
    explain(
      waiting.length === 0
        ? 'No customer waits for a refund.'
        : 'Order, brand, amount, method, requested, by whom, why by hand. By hand: send the money, then withdrawals refunded <order>; ' +
            'or `withdrawals refuse <order>`. `orders refund <order>` requests the refund from the provider again.',
    );
  },
};

function factsOf({ orderId, brand, currency, methodCode, withdrawal }: OrderRow) {
  const { amount = 0, requestedAt = 0, byHandSince, why = null } = withdrawal ?? {};
  const by = byHandSince === undefined ? 'provider' : 'hand';
  return { orderId, brand, amount: { amount, currency }, methodCode, requested: instantOf(requestedAt), by, why };
}

/** Records that the money was sent by hand, which only its sender knows. */
export const refundedWithdrawalCommand: ShopCommand = {
  name: 'withdrawals refunded',
  summary: 'records that you sent a refund by hand; ends the days of the order and notifies its customer by email',
  words: ['order'],
  options: {
    amount: { value: '12.34', summary: 'a partial refund of this amount, which the provider refused' },
    ...auditOptions,
  },
  inShop: async (given, shop) => {
    const { deps, done } = shop;
    const order = await findNamedOrder(deps, requireOption(given, 'order'));
    const { orderId } = order;
    const amount = amountOption(given, order.currency);
    if (amount !== undefined) return recordPart(given, shop, order, amount);
    const held = await deps.db.transaction(async (tx) => {
      const capture = await holdSentByHand(tx, deps, orderId);
      const { brand } = capture.order;
      await writeAudit(tx, given, { command: 'withdrawals refunded', brand, subject: orderId }, deps);
      if (!isTransfer(deps, capture)) await recordRefundResult({ ...deps, db: tx }, markedOf(capture), 'succeeded');
      return capture;
    });
    // a transfer has a row of its own, which its gateway updates
    if (isTransfer(deps, held)) await sendRefund(deps, markedOf(held));
    const money = amountOf({ amount: held.unrefunded, currency: held.order.currency });
    done(`${money} of order ${orderId} are refunded, and its days have ended.`, {
      orderId,
      status: 'REFUND_SUCCEEDED',
    });
  },
};

/** A refused part that was sent by hand; `amount` in minor units. */
async function recordPart(
  given: OptionValues,
  { deps, done }: ShopContext,
  { orderId, brand, currency }: OrderRow,
  amount: number,
): Promise<void> {
  const money = amountOf({ amount, currency });
  const number = await deps.db.transaction(async (tx) => {
    const held = await lockCapture(tx, orderId);
    const part = held?.parts.findLast((one) => one.state === 'REJECTED' && one.amount === amount);
    const purchase = held && (await findPurchase(tx, held.capture.attemptId));
    if (!held || !part || !purchase || amount > held.unrefunded)
      throw new OperatorError(
        `No refund of ${money} of order ${orderId} was refused. 'orders show' lists its refunds.`,
      );
    const detail = { amount, currency, number: part.number };
    await writeAudit(tx, given, { command: 'withdrawals refunded', brand, subject: orderId, detail }, deps);
    const sent = { part: { number: part.number, amount }, stage: 'succeeded' } as const;
    await recordPartialRefund({ ...deps, db: tx }, purchase, sent);
    return part.number;
  });
  done(`${money} of order ${orderId} are refunded.`, { orderId, amount, currency, number, state: 'SUCCEEDED' });
}

export const refuseWithdrawalCommand: ShopCommand = {
  name: 'withdrawals refuse',
  summary: 'refuses to refund a cancelled order: it stays paid, and its customer is notified by email',
  words: ['order'],
  options: {
    words: { required: true, value: 'text', summary: 'the reason for the customer, in plain text' },
    ...auditOptions,
  },
  inShop: async (given, shop) => {
    const { deps, done } = shop;
    const { orderId } = await findNamedOrder(deps, requireOption(given, 'order'));
    const words = requireOption(given, 'words').replaceAll(/[\s\p{Cc}]+/gu, ' ');
    if (words.length > 400) throw new OperatorError('--words has 400 characters at most.', { badUsage: true });
    await deps.db.transaction((tx) => refuseIt(tx, given, shop, { orderId, words }));
    done(`The refund of order ${orderId} is refused. It stays paid, and its customer is told.`, {
      orderId,
      status: 'REFUND_REJECTED',
    });
  },
};

async function refuseIt(
  tx: Database,
  given: OptionValues,
  { deps }: ShopContext,
  { orderId, words }: { orderId: string; words: string },
): Promise<void> {
  const held = await holdByHand(tx, orderId);
  const { order } = held;
  const inside = { ...deps, db: tx };
  const { requestedAt, amount } = order.withdrawal ?? { requestedAt: deps.clock(), amount: held.unrefunded };
  await setWithdrawal(tx, orderId, { requestedAt, amount, refusedAt: deps.clock(), words });
  await recordRefundResult(inside, markedOf(held), 'rejected');
  const change = { command: 'withdrawals refuse', brand: order.brand, subject: orderId, detail: { words } };
  await writeAudit(tx, given, change, deps);
  const purchase = await findPurchase(tx, held.capture.attemptId);
  const brand = deps.catalog.byCode(order.brand);
  if (!brand || !purchase || purchase.customer.email === null) return;
  const { language, email } = purchase.customer;
  const { planName, methodName } = orderView(order, { brand, language });
  const money = { amount, currency: order.currency };
  const mail = withdrawalRefusedMail(brand, language, { orderId, planName, methodName, amount: money, words });
  await queueMail(tx, { brand, to: email, ...mail }, deps);
}

type LockedCapture = NonNullable<Awaited<ReturnType<typeof lockCapture>>>;

/** An order whose money the operator has sent: its customer waits, or its provider did not make the refund. */
async function holdSentByHand(tx: Database, deps: ShopContext['deps'], orderId: string): Promise<LockedCapture> {
  const held = await lockCapture(tx, orderId);
  const isRefused = held?.order.status === 'REFUND_REJECTED' || held?.order.status === 'REFUND_CANCELLED';
  if (!held || !isRefused || held.underWay.length > 0 || held.unrefunded <= 0) return assertByHand(held, orderId);
  // it would be listed as a transfer to send back, although the money is sent
  if (!isTransfer(deps, held)) return held;
  throw new OperatorError(`Order ${orderId} was paid by a transfer: run orders refund, then transfers done.`);
}

const holdByHand = async (tx: Database, orderId: string): Promise<LockedCapture> =>
  assertByHand(await lockCapture(tx, orderId), orderId);

function assertByHand(held: LockedCapture | undefined, orderId: string): LockedCapture {
  if (!held || !isWithdrawalOpen(held.order)) {
    throw new OperatorError(`The customer of order ${orderId} is not waiting for a refund.`);
  }
  if (held.order.withdrawal?.byHandSince === undefined) {
    throw new OperatorError(
      `The provider of order ${orderId} is refunding it. Sent by hand as well, the money could go twice.`,
    );
  }
  return held;
}

const markedOf = ({ capture }: LockedCapture): ScheduledRefund => ({
  ledgerId: capture.id,
  attemptId: capture.attemptId,
  pays: true,
});

const isTransfer = ({ gateways }: ShopContext['deps'], { gateway }: LockedCapture): boolean =>
  gatewayOf(gateways, gateway)?.refundsByHand === true;
