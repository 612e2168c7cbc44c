import type { Money } from '#contract/money.ts';
import { requestRefund, sendRefund, type RefundRequestResult } from '#server/billing/send-refund.ts';
import {
  requestPartialRefund,
  sendPartialRefund,
  type PartialRefundRequestResult,
} from '#server/billing/send-partial-refund.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';
import { auditOptions, writeAudit } from './audit.ts';
import {
  hasOption,
  requireOption,
  OperatorError,
  type OptionValues,
  type ShopCommand,
  type ShopContext,
  amountOf,
  amountOption,
  instantOf,
} from './command.ts';
import { findNamedOrder } from './orders.ts';

/**
 * Refunds the payment of an order fully or partially. Run again, it continues where it stopped, and refunds nothing
 * twice.
 */
export const refundOrderCommand: ShopCommand = {
  name: 'orders refund',
  summary: 'refunds an order, fully or partially, and notifies its customer by email; a full refund ends its days',
  words: ['order'],
  options: {
    amount: {
      value: '12.34',
      summary: 'a partial refund, in the currency of the order: it stays paid and keeps its days',
    },
    end: { summary: 'with --amount: also ends the remaining days and the renewal' },
    again: { summary: 'with --amount: refunds the same amount again' },
    ...auditOptions,
  },
  inShop: async (given, shop) => {
    const order = await findNamedOrder(shop.deps, requireOption(given, 'order'));
    const amount = amountGiven(given, order.currency);
    const isPart = amount !== undefined && (await refundPart(given, shop, order, amount));
    if (!isPart) await refundWhole(given, shop, order);
  },
};

function amountGiven(given: OptionValues, currency: string): number | undefined {
  const amount = amountOption(given, currency);
  if (amount !== undefined || !(hasOption(given, 'end') || hasOption(given, 'again'))) return amount;
  throw new OperatorError('--end and --again need --amount. A full refund always ends the days.', { badUsage: true });
}

type Refusal<Asked extends { readonly state: string }> = Exclude<
  Asked['state'],
  'requested' | 'alreadyRequested' | 'refunded'
>;

async function refundWhole(given: OptionValues, { deps, done }: ShopContext, order: OrderRow): Promise<void> {
  const { orderId } = order;
  const asked = await deps.db.transaction(async (tx) => {
    const came = await requestRefund(tx, deps, order, deps.clock());
    const detail = came.state === 'requested' ? { amount: came.amount, currency: came.currency } : {};
    const change = { command: 'orders refund', brand: order.brand, subject: orderId, detail };
    if (came.state === 'requested') await writeAudit(tx, given, change, deps);
    return came;
  });
  if (!('ledgerId' in asked)) throw new OperatorError(refusals[asked.state](orderId));
  const money = amountOf(asked);
  const facts = { orderId, amount: asked.amount, currency: asked.currency };
  if (asked.state === 'refunded') {
    return done(`The ${money} of order ${orderId} were refunded before.`, { ...facts, status: 'REFUND_SUCCEEDED' });
  }
  const came = await sendRefund(deps, asked);
  if (typeof came === 'object') {
    const message = `${money} of order ${orderId} cannot be refunded by the shop: ${came.permanentFailure}.`;
    if (order.withdrawal && order.withdrawal.refusedAt === undefined) {
      const next = 'Its customer waits for it: send it by hand, then withdrawals refunded, or withdrawals refuse.';
      return done(`${message} ${next}`, { ...facts, status: 'REFUND_PENDING' });
    }
    const next = 'Its refund is rejected. If you send the money by hand, run withdrawals refunded after that.';
    return done(`${message} ${next}`, { ...facts, status: 'REFUND_REJECTED' });
  }
  if (!came) return done(notYet(money), { ...facts, status: 'REFUND_PENDING' });
  done(`${money} of order ${orderId} are refunded.${byHand(asked)}`, { ...facts, status: 'REFUND_SUCCEEDED' });
}

/** False where nothing would remain, so that the whole payment has to be refunded. */
async function refundPart(
  given: OptionValues,
  { deps, done }: ShopContext,
  order: OrderRow,
  amount: number,
): Promise<boolean> {
  const { orderId, brand, currency } = order;
  const wish = { amount, endsAccess: hasOption(given, 'end'), again: hasOption(given, 'again') };
  const asked = await deps.db.transaction(async (tx) => {
    const came = await requestPartialRefund(tx, deps, order, wish, deps.clock());
    if (came.state !== 'requested') return came;
    const detail = { amount, currency, number: came.row.number, ends: wish.endsAccess };
    await writeAudit(tx, given, { command: 'orders refund', brand, subject: orderId, detail }, deps);
    return came;
  });
  if (asked.state === 'whole') return false;
  if (!('row' in asked)) throw new OperatorError(refusalOf(asked, orderId));
  const { number } = asked.row;
  const money = amountOf({ amount, currency });
  const facts = { orderId, amount, currency, number };
  const came = await sendPartialRefund(deps, asked.row);
  if (typeof came === 'object') {
    const next = 'If you send the money by hand, run withdrawals refunded with the same --amount after that.';
    done(`${money} of order ${orderId} cannot be refunded by the shop: ${came.permanentFailure}. ${next}`, {
      ...facts,
      state: 'REJECTED',
    });
  } else if (!came) {
    done(notYet(money), { ...facts, state: 'ASKED' });
  } else {
    const rest = `${amountOf({ amount: asked.left, currency })} remain`;
    const hasEnded = wish.endsAccess || (order.serviceEnd !== null && order.serviceEnd <= deps.clock());
    const days = hasEnded ? 'its days have ended' : 'its days continue';
    const what = `${money} of order ${orderId} are refunded: ${rest}, and ${days}.${byHand(asked)}`;
    done(what, { ...facts, state: 'SUCCEEDED' });
  }
  return true;
}

const notYet = (money: string) =>
  `The provider has not refunded ${money} yet. The shop retries at least every ten minutes; see the result with 'orders show'.`;

const byHand = ({ gateway }: { readonly gateway: string }) =>
  gateway === 'transfer' ? ' It was a transfer: send the money back manually now.' : '';

type Told = (orderId: string) => string;
const ownPages = "Give it back in the provider's own pages.";
const disputed: Told = (orderId) =>
  `The payer's bank reversed or disputes the payment of order ${orderId}. Respond to the dispute: a refund here could pay the customer twice.`;
const nothingPaid: Told = (orderId) => `Nothing was paid for order ${orderId}.`;
const noGateway: Told = (orderId) => `The gateway of order ${orderId} is installed no longer. ${ownPages}`;

const refusals: Readonly<Record<Refusal<RefundRequestResult>, Told>> = {
  nothingPaid,
  disputed,
  noGateway,
  byProvider: (orderId) => `The provider of order ${orderId} is refunding it already, as its own notice reported.`,
  partUnderWay: (orderId) =>
    `A part of order ${orderId} is being refunded, so the remaining amount is unknown. See the result with 'orders show', then try again.`,
};

type PartRefused = Exclude<PartialRefundRequestResult, { readonly row: unknown } | { readonly state: 'whole' }>;

function refusalOf(asked: PartRefused, orderId: string): string {
  const money = (amount: number, currency: string): string => amountOf({ amount, currency } satisfies Money);
  switch (asked.state) {
    case 'tooMuch':
      return asked.left > 0
        ? `That is too much: ${money(asked.left, asked.currency)} of order ${orderId} remain refundable.`
        : `Nothing of order ${orderId} remains refundable.`;
    case 'underWay':
      return `${money(asked.amount, asked.currency)} of order ${orderId} are being refunded, and only one partial refund can be pending. See the result with 'orders show'.`;
    case 'before':
      return `As much of order ${orderId} was refunded at ${instantOf(asked.at)}. Add --again to refund it again.`;
    case 'goingBack':
      return `All of order ${orderId} is refunded, or is being refunded.`;
    case 'noParts':
      return `The provider of order ${orderId} supports full refunds only, or cannot repeat a partial refund safely. Leave out --amount, or refund a part in the provider's dashboard.`;
    case 'nothingPaid':
      return nothingPaid(orderId);
    case 'disputed':
      return disputed(orderId);
    case 'noGateway':
      return noGateway(orderId);
  }
}
