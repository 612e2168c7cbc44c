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
