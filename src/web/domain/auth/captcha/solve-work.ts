import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';

export interface Work {
  readonly salt: string;
  /** SHA-256, hex, of the salt followed by the number in decimal */
  readonly challenge: string;
  readonly max: number;
}

export interface Watcher {
  readonly signal?: AbortSignal;
  /** how much has been tried, from 0 to 1 */
  readonly onProgress?: (share: number) => void;
}

/** The page stays alive: a slice is shorter than what a finger notices, in milliseconds. */
const sliceMs = 30;
/** the clock is looked at only now and then, because looking costs as much as a hash */
const roundSize = 64;

/**
 * Looks for the number whose hash is the challenge ([Note: Captcha] in the contract). In slices on the page's own
 * thread: the browser's `crypto.subtle` is missing on plain http, and is slower for many small texts. Undefined when it
 * was called off, or when no number fits.
 */
export async function solveWork({ salt, challenge, max }: Work, watcher: Watcher = {}): Promise<number | undefined> {
  const wanted = hexToBytes(challenge);
  let next = 0;
  while (next <= max && !watcher.signal?.aborted) {
    const end = performance.now() + sliceMs;
    while (next <= max && performance.now() < end) {
      const last = Math.min(next + roundSize - 1, max);
      const found = searchRound(salt, wanted, next, last);
      if (found !== undefined) return found;
      next = last + 1;
    }
    watcher.onProgress?.(Math.min(1, next / (max + 1)));
    await breath();
  }
  return undefined;
}

function searchRound(salt: string, wanted: Uint8Array, first: number, last: number): number | undefined {
  for (let number = first; number <= last; number += 1) {
    const hash = sha256(bytesOf(`${salt}${number}`));
    if (hash[0] === wanted[0] && hash.every((byte, at) => byte === wanted[at])) return number;
  }
  return undefined;
}

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text);

/** Lets the page draw and answer a tap. */
const breath = () => new Promise<void>((resolve) => setTimeout(resolve));
