import type { CoinOption, NextStepOf } from '#contract/next-step.ts';
import { bitcoinUri } from '../br-code.ts';
import type { Invoice, PaymentMethod } from './client.ts';
import type { GatewayAnswer } from '../gateway.ts';
import { fromDecimal } from '../terms.ts';
import type { GatewayAttempt } from '../send-provider-request.ts';

type CoinStep = NextStepOf<'crypto'>;

/**
 * The offered payment methods, by the server's IDs. Others are not offered: a coin that is sent on another network
 * than its page names is lost.
 */
const coins: Readonly<Record<string, CoinOption>> = {
  'BTC-CHAIN': { coin: 'btc-bitcoin', asset: 'BTC', network: 'Bitcoin' },
  'BTC-LN': { coin: 'btc-lightning', asset: 'BTC', network: 'Lightning' },
  'LTC-CHAIN': { coin: 'ltc-litecoin', asset: 'LTC', network: 'Litecoin' },
  'DOGE-CHAIN': { coin: 'doge-dogecoin', asset: 'DOGE', network: 'Dogecoin' },
  'DASH-CHAIN': { coin: 'dash-dash', asset: 'DASH', network: 'Dash' },
  'XMR-CHAIN': { coin: 'xmr-monero', asset: 'XMR', network: 'Monero' },
};

interface Way {
  readonly option: CoinOption;
  readonly method: PaymentMethod;
}

/** The coins in which an invoice can be paid. */
export function coinMethodsOf({ paymentMethods }: Invoice): Way[] {
  return paymentMethods.flatMap((method) => {
    const option = Object.hasOwn(coins, method.paymentMethodId) ? coins[method.paymentMethodId] : undefined;
    return option && method.activated && method.destination ? [{ option, method }] : [];
  });
}

/** The valid payments of an invoice, in all coins. */
export const paymentsOf = ({ paymentMethods }: Invoice) =>
  paymentMethods.flatMap(({ payments }) => payments.filter(({ status }) => status !== 'Invalid'));

/** The coin of the first payment: from then on no other can be chosen. */
export function coinOfFirstPayment(invoice: Invoice): string | undefined {
  const begun = coinMethodsOf(invoice).find(({ method }) => method.payments.some(({ status }) => status !== 'Invalid'));
  return begun?.option.coin;
}

interface Shown {
  /** the coin that the payer has chosen */
  readonly coin: string | undefined;
  readonly confirmations: number;
  /** minor units */
  readonly amount: CoinStep['amount'];
  /** epoch milliseconds */
  readonly expiresAt: number;
}

/** The step of the payer. A single coin is chosen automatically. */
export function coinStep(invoice: Invoice, { coin, confirmations, amount, expiresAt }: Shown): CoinStep {
  const ways = coinMethodsOf(invoice);
  const wanted = coinOfFirstPayment(invoice) ?? coin;
  const chosen = ways.length === 1 ? ways[0] : ways.find(({ option }) => option.coin === wanted);
  return {
    type: 'crypto',
    options: ways.map(({ option }) => option),
    chosen: chosen ? { ...shown(chosen), confirmations: 0, confirmationsNeeded: confirmations } : null,
    amount,
    expiresAt,
    ...(/^https?:\/\//.test(invoice.checkoutLink) && { bankUrl: invoice.checkoutLink }),
  };
}

/** The server does not report the number of confirmations, only that there are enough. */
function shown({ option, method }: Way) {
  const { destination: address, totalPaid, due, amount } = method;
  const missing = plain(due);
  return {
    ...option,
    address: address ?? '',
    amount: plain(amount),
    uri: uriOf({ option, method }),
    received: plain(totalPaid),
    missing,
  };
}

const longestUri = 1200;

/**
 * The server's own link, if a wallet can read it from a QR code; it may also name a page of the server, or be too
 * long.
 */
function uriOf({ option, method }: Way): string {
  const address = method.destination ?? '';
  const link = method.paymentLink ?? '';
  if (/^[a-z]{3,20}:/.test(link) && link.length <= longestUri) return link;
  return option.coin === 'btc-bitcoin'
    ? bitcoinUri({ to: address, satoshi: satoshiOf(method.due), label: '' })
    : address;
}

function satoshiOf(due: string): bigint {
  const [whole = '0', fraction = ''] = plain(due).split('.');
  return BigInt(whole + fraction.slice(0, 8).padEnd(8, '0'));
}

/** Decimal text without trailing zeros and not below zero: after an overpayment nothing is missing. */
function plain(text: string): string {
  if (text.startsWith('-')) return '0';
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/**
 * Whether the whole amount was received and confirmed, whatever the invoice's status: one that was paid after its
 * expiry stays `Expired` (`InvoiceWatcher` of BTCPay Server), and its money is ours all the same.
 */
function isCovered(invoice: Invoice): boolean {
  const payments = paymentsOf(invoice);
  return (
    payments.length > 0 &&
    payments.every(({ status }) => status === 'Settled') &&
    invoice.paymentMethods.some(({ due }) => due.startsWith('-') || /^0+(\.0+)?$/.test(due))
  );
}

export const isPaid = (invoice: Invoice): boolean => invoice.status === 'Settled' || isCovered(invoice);

/** The state of a payment by its invoice. `coin` is the payer's choice at `now`. */
export function answerOf(
  invoice: Invoice,
  {
    attempt,
    confirmations,
    now,
    coin,
  }: { attempt: GatewayAttempt; confirmations: number; now: number; coin?: string | undefined },
): GatewayAnswer {
  const money = fromDecimal(invoice.amount, invoice.currency);
  if (!money) return { state: 'unknown' };
  const known = { providerRef: invoice.id, ...money };
  const waitsUntil = (expiresAt: number): GatewayAnswer => {
    const next = coinStep(invoice, { coin: coin ?? chosenBefore(attempt), confirmations, amount: money, expiresAt });
    // a step read before the payer's choice must not undo it
    const isNews = coin !== undefined || JSON.stringify(next) !== JSON.stringify(attempt.next);
    return { state: 'pending', ...known, expiresAt, ...(isNews && { next }) };
  };
  if (isPaid(invoice)) return { state: 'succeeded', ...known };
  switch (invoice.status) {
    case 'New':
      // the server notices a second later
      if (invoice.expirationTime <= now && paymentsOf(invoice).length === 0)
        return { state: 'expired', providerRef: invoice.id };
      return waitsUntil(invoice.expirationTime);
    case 'Processing':
      return waitsUntil(invoice.monitoringExpiration);
    case 'Expired':
      // the whole amount came late and is not confirmed yet
      return invoice.additionalStatus === 'PaidLate'
        ? waitsUntil(invoice.monitoringExpiration)
        : { state: 'expired', providerRef: invoice.id };
    default:
      // not confirmed in time, which it may be later; or invalidated by the store before anything was received
      return paymentsOf(invoice).length > 0
        ? { state: 'expired', providerRef: invoice.id }
        : { state: 'failed', providerRef: invoice.id, failure: 'paymentFailed' };
  }
}

function chosenBefore({ next }: GatewayAttempt): string | undefined {
  return next?.type === 'crypto' ? next.chosen?.coin : undefined;
}
