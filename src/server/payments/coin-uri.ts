import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bech32, createBase58check, hex } from '@scure/base';

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
