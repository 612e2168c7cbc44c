import { exponent, type Money } from '#contract/money.ts';
import type { NextStepOf } from '#contract/next-step.ts';
import type { transfers } from '#server/db/schema/transfers.ts';
import type { GatewayAnswer } from '../gateway.ts';
import { crc16, tlvField } from '../br-code.ts';

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

/** The text of the QR code; null without a QR code: PayNow moves SGD to a company by its UEN. */
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

/**
 * PayNow QR: the text that Singapore's banking apps read, as EMV merchant-presented TLV closed by a CRC, with the
 * receiver in field 26 under `SG.PAYNOW` (The Association of Banks in Singapore, PayNow QR specification; MAS, SGQR).
 */
interface PayNowTransfer {
  /** the receiver's Unique Entity Number, which identifies a company in PayNow */
  readonly uen: string;
  readonly name: string;
  /** minor units of SGD */
  readonly amount: number;
  /** the reference in the payer's bank statement: up to 25 letters and digits */
  readonly reference: string;
  /** epoch milliseconds; apps read its day in Singapore as the last one */
  readonly expiresAt: number;
}

const crcHeader = '6304';
const singaporeOffsetMs = 8 * 60 * 60_000;

/**
 * Whether it is a UEN: nine or ten characters (ACRA), with a suffix of three for one of several places of a company.
 */
export function isUen(account: string): boolean {
  return /^(\d{8}[A-Z]|\d{9}[A-Z]|[RST]\d{2}[A-Z]{2}\d{4}[A-Z])([A-Z0-9]{3})?$/.test(account);
}

/** The code of one transfer with a fixed amount. Throws RangeError for values that the format does not allow. */
export function payNowCode({ uen, name, amount, reference, expiresAt }: PayNowTransfer): string {
  if (!isUen(uen)) throw new RangeError('uen must be a Unique Entity Number');
  if (!/^[A-Za-z0-9]{1,25}$/.test(reference)) throw new RangeError('reference must be 1 to 25 letters and digits');
  if (!Number.isSafeInteger(amount) || amount <= 0) throw new RangeError('amount must be minor units');
  const receiver = [
    tlvField('00', 'SG.PAYNOW'),
    // 2: the proxy is a UEN
    tlvField('01', '2'),
    tlvField('02', uen),
    // 0: the payer cannot change the amount
    tlvField('03', '0'),
    tlvField('04', dayInSingapore(expiresAt)),
  ].join('');
  const body = [
    tlvField('00', '01'),
    // 12: for one payment only
    tlvField('01', '12'),
    tlvField('26', receiver),
    tlvField('52', '0000'),
    tlvField('53', '702'),
    tlvField('54', (amount / 100).toFixed(2)),
    tlvField('58', 'SG'),
    tlvField('59', plain(name)),
    tlvField('60', 'Singapore'),
    tlvField('62', tlvField('01', reference)),
    crcHeader,
  ].join('');
  return body + crc16(body);
}

/** `YYYYMMDD` */
function dayInSingapore(instant: number): string {
  return new Date(instant + singaporeOffsetMs).toISOString().slice(0, 10).replaceAll('-', '');
}

/** Only ASCII, because some apps count lengths in characters and others in bytes; at most 25. */
function plain(name: string): string {
  const ascii = name.normalize('NFD').replace(/[^\x20-\x7e]/g, '');
  return ascii.slice(0, 25).trim() || 'NA';
}
