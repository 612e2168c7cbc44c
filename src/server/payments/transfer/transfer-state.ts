import { exponent } from '#contract/currencies.ts';
import type { Money } from '#contract/money.ts';
import type { NextStepOf } from '#contract/next-step.ts';
import type { transfers } from '#server/db/schema/transfers.ts';
import type { GatewayAnswer } from '../gateway.ts';
import { isUen, payNowCode } from './paynow-code.ts';

export type Transfer = typeof transfers.$inferSelect;

/**
 * How long a customer has for the transfer and its proof, in milliseconds: 24 hours, because some go to their bank. A
 * rejected proof starts the time again.
 */
export const transferLifetimeMs = 24 * 60 * 60_000;

/** The displayed end of a transfer under review stays at least this far ahead, in milliseconds. */
const reviewMarginMs = 60 * 60_000;

/**
 * When a transfer ends, in epoch milliseconds. One under review does not end: its displayed end moves a day whenever
 * it would pass. It depends on the row and the clock only, so every reader gets the same.
 */
export function endOf({ state, expiresAt }: Pick<Transfer, 'state' | 'expiresAt'>, now: number): number {
  if (state !== 'reviewing') return expiresAt;
  const days = Math.ceil((now + reviewMarginMs - expiresAt) / transferLifetimeMs);
  return expiresAt + Math.max(0, days) * transferLifetimeMs;
}

type Payable = Pick<Transfer, 'flavour' | 'receiver' | 'reference' | 'amount' | 'currency' | 'expiresAt'>;

/** The text of the QR code; null if there is none: PayNow moves SGD to a company by its UEN. */
export function payloadOf({ flavour, receiver, reference, amount, currency, expiresAt }: Payable): string | null {
  const { name, account } = receiver;
  if (flavour === 'caishen') return caishenLink({ account, money: { amount, currency }, reference });
  if (currency !== 'SGD' || !isUen(account)) return null;
  return payNowCode({ uen: account, name, amount, reference, expiresAt });
}

/** The state of a transfer as a gateway answer. */
export function answerOf(transfer: Transfer, now: number): GatewayAnswer {
  const { state, reference, amount, currency } = transfer;
  const known = { providerRef: reference, amount, currency };
  switch (state) {
    case 'accepted':
    case 'refunded':
      return { state: 'succeeded', ...known };
    case 'waiting':
    case 'reviewing':
      return { state: 'pending', ...known, next: stepOf(transfer, now), expiresAt: endOf(transfer, now) };
    case 'closed':
      // a key that was closed before its transfer was opened was never shown, so no money can come for it
      if (reference === '') return { state: 'failed', failure: 'paymentFailed' };
      return transfer.expiresAt <= now ? { state: 'expired' } : { state: 'failed', failure: 'paymentCancelled' };
  }
}

function stepOf(transfer: Transfer, now: number): NextStepOf<'upload'> {
  const { flavour, payload, receiver, reference, amount, currency, state, proofRejected, rejection } = transfer;
  return {
    type: 'upload',
    flavour,
    payload,
    receiver,
    reference,
    amount: { amount, currency },
    proof: state === 'reviewing' ? 'received' : proofRejected ? 'rejected' : 'none',
    ...(state !== 'reviewing' && proofRejected && rejection && { rejection }),
    expiresAt: endOf(transfer, now),
  };
}

/**
 * The text of the QR code of a caishen transfer. The scheme is the brand's own and its format is not published, so
 * this is an opaque text with all that the receiver's app needs, in major units; this server never parses it.
 */
function caishenLink(transfer: { account: string; money: Money; reference: string }): string {
  const { account, money, reference } = transfer;
  const digits = exponent(money.currency);
  const amount = (money.amount / 10 ** digits).toFixed(digits);
  const query = new URLSearchParams({ account, amount, currency: money.currency, reference });
  return `caishen://pay?${query.toString()}`;
}
