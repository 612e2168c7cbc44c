import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { useEffect, useState } from 'react';
import { createRandCode } from '#contract/captcha.ts';
import type { Result } from '#contract/endpoint.ts';
import { unreadableAnswer, type CallError } from '#web/platform/api/api-error.ts';
import { attempt } from '#web/platform/api/client.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import type { CaptchaFor, Given } from './given.ts';

type Challenge = Result<typeof createRandCode>;

/** An answer has to reach the server before its captcha ends. */
const marginMs = 10_000;

interface Fetched {
  /** which captcha this is; another turn is another captcha */
  readonly turn: string;
  readonly challenge?: Challenge;
  readonly error?: CallError;
}

/** The captcha of this turn: another one when an answer was spent, when it is asked for, and before it is too old. */
export function useChallenge(of: CaptchaFor, spent: number) {
  const [renewals, setRenewals] = useState(0);
  const [fetched, setFetched] = useState<Fetched>();
  const turn = `${spent}.${renewals}`;
  const { challenge, error } = fetched?.turn === turn ? fetched : {};
  useEffect(() => {
    const controller = new AbortController();
    void ask(of, controller.signal).then((found) => {
      if (!controller.signal.aborted) setFetched({ turn, ...found });
    });
    return () => controller.abort();
  }, [of, turn]);
  useEffect(() => {
    if (!challenge) return undefined;
    const ended = setTimeout(() => setRenewals((old) => old + 1), challenge.expiresAt - serverNow() - marginMs);
    return () => clearTimeout(ended);
  }, [challenge]);
  return { challenge, error, renew: () => setRenewals((old) => old + 1) };
}

async function ask({ account, type, areaCode }: CaptchaFor, signal: AbortSignal): Promise<Omit<Fetched, 'turn'>> {
  const body = { kind: 'work', account, type, ...(areaCode !== undefined && { areaCode }) } as const;
  const { result, error } = await attempt(createRandCode, { body }, { quiet: true, signal });
  return error ? { error } : { challenge: result };
}

interface Progress {
  readonly captchaId: string;
  /** how much has been tried, from 0 to 1 */
  readonly share: number;
  readonly done: boolean;
  readonly error?: CallError;
}

/** Solves the puzzle of a challenge as soon as it is there. A submitted form waits for it. */
export function useWork(
  challenge: Challenge | undefined,
  failed: boolean,
  onGive: (given: Given) => void,
): Omit<Progress, 'captchaId'> {
  const [progress, setProgress] = useState<Progress>();
  useEffect(() => {
    onGive(failed ? null : 'working');
    if (!challenge) return undefined;
    const { captchaId } = challenge;
    const controller = new AbortController();
    const { signal } = controller;
    const onProgress = (share: number) => setProgress({ captchaId, share, done: false });
    void solveWork(challenge, { signal, onProgress }).then((number) => {
      if (signal.aborted) return;
      setProgress({
        captchaId,
        share: 1,
        done: number !== undefined,
        ...(number === undefined && { error: unsolvable() }),
      });
      onGive(number === undefined ? null : { captchaId, captcha: String(number) });
    });
    return () => controller.abort();
  }, [challenge, failed, onGive]);
  const own = progress?.captchaId === challenge?.captchaId ? progress : undefined;
  return own ?? { share: 0, done: false };
}

/** A puzzle without a solution is an answer of the server that cannot be read. */
const unsolvable = () => unreadableAnswer(createRandCode);

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
