import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bech32, createBase58check, hex } from '@scure/base';

/**
 * Pix BR Code: the text of the QR code, as EMV merchant-presented TLV (`ID(2) LEN(2) VALUE`) closed by a CRC (Banco
 * Central do Brasil, Manual de Padrões para Iniciação do Pix). It has no expiry.
 */
interface PixCharge {
  /** The receiver's Pix key: an email address, a number or a random UUID. */
  readonly pixKey: string;
  readonly merchantName: string;
  readonly merchantCity: string;
  /** Minor units of BRL. */
  readonly amount: number;
  /** The ID of the charge: up to 25 letters and digits. */
  readonly txid: string;
}

const crcHeader = '6304';

/**
 * The text of a static code with an amount. Throws RangeError for a txid or an amount that the format does not allow.
 */
export function brCode(charge: PixCharge): string {
  if (!/^[A-Za-z0-9]{1,25}$/.test(charge.txid)) throw new RangeError('txid must be 1 to 25 letters and digits');
  if (!Number.isSafeInteger(charge.amount) || charge.amount <= 0) throw new RangeError('amount must be minor units');
  const account = tlvField('00', 'br.gov.bcb.pix') + tlvField('01', charge.pixKey);
  const body = [
    tlvField('00', '01'),
    tlvField('26', account),
    tlvField('52', '0000'),
    tlvField('53', '986'),
    tlvField('54', (charge.amount / 100).toFixed(2)),
    tlvField('58', 'BR'),
    tlvField('59', plain(charge.merchantName, 25)),
    tlvField('60', plain(charge.merchantCity, 15)),
    tlvField('62', tlvField('05', charge.txid)),
    crcHeader,
  ].join('');
  return body + crc16(body);
}

/**
 * The top-level fields by ID. Undefined if the CRC or the structure is wrong: a valid CRC does not prove the
 * structure.
 */
export function parseBrCode(text: string): TlvFields | undefined {
  if (text.slice(-8, -4) !== crcHeader || crc16(text.slice(0, -4)) !== text.slice(-4).toUpperCase()) return undefined;
  const fields = parseTlv(text);
  if (!fields || fields.get('00') !== '01' || !hasPixAccount(fields)) return undefined;
  const required = ['52', '53', '58', '59', '60', '62', '63'];
  return required.every((id) => fields.get(id)) ? fields : undefined;
}

/** The account is one of the fields 26 to 51, identified by its field 00, which is case-insensitive. */
function hasPixAccount(fields: TlvFields): boolean {
  return [...fields].some(([id, value]) => {
    if (id < '26' || id > '51') return false;
    const account = parseTlv(value);
    return account?.get('00')?.toLowerCase() === 'br.gov.bcb.pix' && Boolean(account.get('01') ?? account.get('25'));
  });
}

/** Banks refuse accents in names: `São Paulo` becomes `SAO PAULO`. */
function plain(value: string, max: number): string {
  const ascii = value.normalize('NFD').replace(/[^\x20-\x7e]/g, '');
  return ascii.toUpperCase().slice(0, max).trim() || 'LOJA';
}

/**
 * EMV merchant-presented QR text: consecutive `ID(2) LEN(2) VALUE` fields, closed by a CRC (EMVCo, QR Code
 * Specification for Payment Systems, Merchant-Presented Mode). Pix and PayNow both use it.
 */
type TlvFields = ReadonlyMap<string, string>;

/** One field. Throws RangeError for an invalid ID or a value of more than 99 characters. */
export function tlvField(id: string, value: string): string {
  if (!/^\d{2}$/.test(id)) throw new RangeError('id must be two digits');
  if (value.length > 99) throw new RangeError(`field ${id} is longer than 99 characters`);
  return id + String(value.length).padStart(2, '0') + value;
}

/** The fields of one level. Undefined if lengths do not fit, or an ID repeats or is not a number. */
export function parseTlv(text: string): TlvFields | undefined {
  const fields = new Map<string, string>();
  let at = 0;
  while (at < text.length) {
    const header = /^(\d{2})(\d{2})/.exec(text.slice(at, at + 4));
    const [, id, length] = header ?? [];
    const value = text.slice(at + 4, at + 4 + Number(length));
    if (id === undefined || value.length !== Number(length) || fields.has(id)) return undefined;
    fields.set(id, value);
    at += 4 + value.length;
  }
  return fields;
}

/** CRC-16/CCITT-FALSE as four upper-case hex digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/** Addresses of three networks, each of 20 bytes: the hash of a key that may spend what arrives there. */
const base58check = createBase58check(sha256);
const tronMainnet = 0x41;
const witnessVersion = 0;

/** Hexadecimal with the checksum in its capitals (ERC-55). */
export function ethereumAddress(account: Uint8Array): string {
  const digits = hex.encode(twenty(account));
  const mask = hex.encode(keccak_256(new TextEncoder().encode(digits)));
  return `0x${digits.replaceAll(/[a-f]/g, (digit, at: number) => ((mask[at] ?? '0') > '7' ? digit.toUpperCase() : digit))}`;
}

/** Pay to witness public key hash, as bech32 (BIP-173). */
export function bitcoinAddress(keyHash: Uint8Array): string {
  return bech32.encode('bc', [witnessVersion, ...bech32.toWords(twenty(keyHash))]);
}

/** Base58 with a checksum after the byte of the main network, which makes the first letter a T (TRON, Accounts). */
export function tronAddress(account: Uint8Array): string {
  return base58check.encode(Uint8Array.of(tronMainnet, ...twenty(account)));
}

function twenty(bytes: Uint8Array): Uint8Array {
  if (bytes.length !== 20) throw new RangeError('an account has 20 bytes');
  return bytes;
}

/**
 * What a wallet reads from the QR. Amounts are whole numbers of the coin's smallest unit: a wallet sends what is
 * written, so nothing may be rounded on the way. On TRON no standard is read by all wallets, and the QR holds the
 * address alone.
 */

/** A token by ERC-681: `ethereum:<contract>@<chain>/transfer?address=<to>&uint256=<units>`. */
export function tokenUri(payment: { contract: string; chain: number; to: string; units: bigint }): string {
  const { contract, chain, to, units } = payment;
  return `ethereum:${contract}@${chain}/transfer?address=${to}&uint256=${units}`;
}

/** Ether by ERC-681; `wei` of it. */
export function etherUri({ chain, to, wei }: { chain: number; to: string; wei: bigint }): string {
  return `ethereum:${to}@${chain}?value=${wei}`;
}

/** Bitcoin by BIP-21, whose amount is decimal BTC. */
export function bitcoinUri({ to, satoshi, label }: { to: string; satoshi: bigint; label: string }): string {
  return `bitcoin:${to}?amount=${coinText(satoshi, 8)}&label=${encodeURIComponent(label)}`;
}

/** Units of a coin as decimal text without needless zeros: 49900000 of 6 decimals are `49.9`. */
export function coinText(units: bigint, decimals: number): string {
  if (units < 0n) throw new RangeError('an amount of a coin is not negative');
  const text = units.toString().padStart(decimals + 1, '0');
  const fraction = text.slice(text.length - decimals).replace(/0+$/, '');
  const whole = text.slice(0, text.length - decimals);
  return decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * Units that buy so many cents, rounded up, so that the price is never short. `cents` and `centsPerCoin` are minor units
 * of the same currency.
 */
export function unitsOf(cents: number, { centsPerCoin, decimals }: { centsPerCoin: bigint; decimals: number }): bigint {
  if (!Number.isSafeInteger(cents) || cents <= 0) throw new RangeError('amount must be minor units');
  const exact = BigInt(cents) * 10n ** BigInt(decimals);
  return (exact + centsPerCoin - 1n) / centsPerCoin;
}
