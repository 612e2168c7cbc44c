import type { CoinOption, NextStepOf } from '#contract/next-step.ts';
import { bitcoinUri } from '../coin-uri.ts';
import type { Invoice, PaymentMethod } from './schemas.ts';

type CoinStep = NextStepOf<'crypto'>;

/**
 * The ways to pay that are offered, by the server's own names for them. One that is not here is not offered, because a
 * coin that is sent on another network than its page says is lost.
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
export function waysOf({ paymentMethods }: Invoice): Way[] {
  return paymentMethods.flatMap((method) => {
    const option = Object.hasOwn(coins, method.paymentMethodId) ? coins[method.paymentMethodId] : undefined;
    return option && method.activated && method.destination ? [{ option, method }] : [];
  });
}

/** What has arrived and counts, on whatever way. */
export const paymentsOf = ({ paymentMethods }: Invoice) =>
  paymentMethods.flatMap(({ payments }) => payments.filter(({ status }) => status !== 'Invalid'));

/** The coin of which something has come: from then on there is no other one. */
export function begunCoin(invoice: Invoice): string | undefined {
  const begun = waysOf(invoice).find(({ method }) => method.payments.some(({ status }) => status !== 'Invalid'));
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

/** What the payer sees. Where there is one coin only, there is nothing to choose. */
export function coinStep(invoice: Invoice, { coin, confirmations, amount, expiresAt }: Shown): CoinStep {
  const ways = waysOf(invoice);
  const wanted = begunCoin(invoice) ?? coin;
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

/** The server counts confirmations for itself and tells nobody how many there are: it says when there are enough. */
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

/** The server's own link where a wallet can read it from a QR; it may name a page of the server as well, and be long. */
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

/** Decimal text without needless zeros, and nothing below zero: too much leaves nothing missing. */
function plain(text: string): string {
  if (text.startsWith('-')) return '0';
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
