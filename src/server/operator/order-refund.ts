import { exponent } from '#contract/currencies.ts';
import type { Money } from '#contract/money.ts';
import { requestRefund, sendRefund, type RefundRequestResult } from '#server/billing/send-refund.ts';
import {
  requestPartialRefund,
  sendPartialRefund,
  type PartialRefundRequestResult,
} from '#server/billing/send-partial-refund.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';
import { fromDecimal } from '#server/payments/terms.ts';
import { auditOptions, writeAudit } from './audit.ts';
import {
  hasOption,
  requireOption,
  OperatorError,
  type OptionValues,
  type ShopCommand,
  type ShopContext,
  amountOf,
  instantOf,
} from './command.ts';
import { findNamedOrder } from './orders.ts';

/**
 * Refunds the payment of an order fully or partially. Run again, it continues where it stopped, and refunds nothing
 * twice.
 */
export const refundOrderCommand: ShopCommand = {
  name: 'orders refund',
  summary: 'gives back what was paid for an order and ends its days, or a part of it; tells its customer by mail',
  words: ['order'],
  options: {
    amount: { value: '12.34', summary: 'a part, in the currency of the order: it stays paid, and its days go on' },
    end: { summary: 'with --amount: ends the days that are left all the same, and the renewal' },
    again: { summary: 'with --amount: as much was given back before, and this is not the same' },
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
  const text = given['amount']?.trim();
  if (text === undefined) {
    if (!hasOption(given, 'end') && !hasOption(given, 'again')) return undefined;
    throw new OperatorError('--end and --again go with --amount. All of it ends the days anyway.', { badUsage: true });
  }
  const digits = exponent(currency);
  const example = amountOf({ amount: digits === 0 ? 1234 : 123_456, currency });
  const money = fromDecimal(text, currency);
  if (!money || money.amount === 0) {
    const decimals = digits === 0 ? 'no decimals' : `${digits} decimals at most`;
    throw new OperatorError(`--amount is more than nothing and has ${decimals}, as in ${example}.`, { badUsage: true });
  }
  return money.amount;
}

type Refusal<Asked extends { readonly state: string }> = Exclude<Asked['state'], 'asked' | 'askedBefore' | 'givenBack'>;

async function refundWhole(given: OptionValues, { deps, done }: ShopContext, order: OrderRow): Promise<void> {
  const { orderId } = order;
  const asked = await deps.db.transaction(async (tx) => {
    const came = await requestRefund(tx, deps, order, deps.clock());
    const detail = came.state === 'asked' ? { amount: came.amount, currency: came.currency } : {};
    const change = { command: 'orders refund', brand: order.brand, subject: orderId, detail };
    if (came.state === 'asked') await writeAudit(tx, given, change, deps);
    return came;
  });
  if (!('ledgerId' in asked)) throw new OperatorError(refusals[asked.state](orderId));
  const money = amountOf(asked);
  const facts = { orderId, amount: asked.amount, currency: asked.currency };
  if (asked.state === 'givenBack') {
    return done(`The ${money} of order ${orderId} were given back before.`, { ...facts, status: 'REFUND_SUCCEEDED' });
  }
  const came = await sendRefund(deps, asked);
  if (typeof came === 'object') {
    const never = `${money} of order ${orderId} cannot be given back by the shop: ${came.never}.`;
    if (order.withdrawal && order.withdrawal.refusedAt === undefined) {
      const next = 'Its customer waits for it: send it by hand, then withdrawals refunded, or withdrawals refuse.';
      return done(`${never} ${next}`, { ...facts, status: 'REFUND_PENDING' });
    }
    return done(`${never} Its refund is rejected.`, { ...facts, status: 'REFUND_REJECTED' });
  }
  if (!came) return done(notYet(money), { ...facts, status: 'REFUND_PENDING' });
  done(`${money} of order ${orderId} are given back.${byHand(asked)}`, { ...facts, status: 'REFUND_SUCCEEDED' });
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
    if (came.state !== 'asked') return came;
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
    done(`${money} of order ${orderId} cannot be given back by the shop: ${came.never}.`, {
      ...facts,
      state: 'REJECTED',
    });
  } else if (!came) {
    done(notYet(money), { ...facts, state: 'ASKED' });
  } else {
    const rest = `${amountOf({ amount: asked.left, currency })} are left of it`;
    const days = wish.endsAccess ? 'its days have ended' : 'its days go on';
    const what = `${money} of order ${orderId} are given back: ${rest}, and ${days}.${byHand(asked)}`;
    done(what, { ...facts, state: 'SUCCEEDED' });
  }
  return true;
}

const notYet = (money: string) =>
  `The provider has not given ${money} back yet. The shop goes on asking by itself, at least every ten minutes; orders show tells how it ends.`;

const byHand = ({ gateway }: { readonly gateway: string }) =>
  gateway === 'transfer' ? ' It was a transfer: send the money back by hand now.' : '';

type Told = (orderId: string) => string;
const ownPages = "Give it back in the provider's own pages.";
const disputed: Told = (orderId) =>
  `The payer's bank has taken back, or disputes, the payment of order ${orderId}. Answer there: given back here, it could go twice.`;
const nothingPaid: Told = (orderId) => `Nothing was paid for order ${orderId}.`;
const noGateway: Told = (orderId) => `The gateway of order ${orderId} is installed no longer. ${ownPages}`;

const refusals: Readonly<Record<Refusal<RefundRequestResult>, Told>> = {
  nothingPaid,
  disputed,
  noGateway,
  byProvider: (orderId) => `The provider of order ${orderId} is giving it back already, as it has told by itself.`,
  partUnderWay: (orderId) =>
    `A part of order ${orderId} is on its way back, so that nobody knows how much is left. orders show tells how it ends; then ask again.`,
};

type PartRefused = Exclude<PartialRefundRequestResult, { readonly row: unknown } | { readonly state: 'whole' }>;

function refusalOf(asked: PartRefused, orderId: string): string {
  const money = (amount: number, currency: string): string => amountOf({ amount, currency } satisfies Money);
  switch (asked.state) {
    case 'tooMuch':
      return asked.left > 0
        ? `That is too much: ${money(asked.left, asked.currency)} of order ${orderId} are left to be given back.`
        : `Nothing of order ${orderId} is left to be given back.`;
    case 'underWay':
      return `${money(asked.amount, asked.currency)} of order ${orderId} are on their way back, and one part goes after the other. orders show tells how it ends.`;
    case 'before':
      return `As much of order ${orderId} was given back at ${instantOf(asked.at)}. Say --again if it is to go once more.`;
    case 'goingBack':
      return `All of order ${orderId} is given back, or on its way.`;
    case 'noParts':
      return `The provider of order ${orderId} gives back the whole only, or could not be asked for a part twice without giving it twice. Leave out --amount, or give a part back in the provider's own pages.`;
    case 'nothingPaid':
      return nothingPaid(orderId);
    case 'disputed':
      return disputed(orderId);
    case 'noGateway':
      return noGateway(orderId);
  }
}
