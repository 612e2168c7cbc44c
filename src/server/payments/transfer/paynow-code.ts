import { crc16, tlvField } from '../tlv.ts';

/**
 * PayNow QR: the text that Singapore's banking apps read, as EMV merchant-presented TLV closed by a CRC, with the
 * receiver in field 26 under `SG.PAYNOW` (The Association of Banks in Singapore, PayNow QR specification; MAS, SGQR).
 */
export interface PayNowTransfer {
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
