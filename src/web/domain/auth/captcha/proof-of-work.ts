import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { useEffect, useState } from 'react';
import { createRandCode } from '#contract/captcha.ts';
import type { Result } from '#contract/endpoint.ts';
import { unreadableAnswer, type CallError } from '#web/platform/api/api-error.ts';
import { attempt } from '#web/platform/api/client.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import type { CaptchaAccount, CaptchaState } from './captcha-answer.ts';

type Challenge = Result<typeof createRandCode>;

/** An answer must reach the server before its captcha expires. In milliseconds. */
const marginMs = 10_000;

interface Fetched {
  /** identifies this captcha; a new turn is a new captcha */
  readonly turn: string;
  readonly challenge?: Challenge;
  readonly error?: CallError;
}

/** The captcha of this turn. It is renewed when its answer was consumed, on request, and before it expires. */
export function useChallenge(of: CaptchaAccount, spent: number) {
  const [renewals, setRenewals] = useState(0);
  const [fetched, setFetched] = useState<Fetched>();
  const turn = `${spent}.${renewals}`;
  const { challenge, error } = fetched?.turn === turn ? fetched : {};
  useEffect(() => {
    const controller = new AbortController();
    void requestChallenge(of, controller.signal).then((found) => {
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

async function requestChallenge(
  { account, type, areaCode }: CaptchaAccount,
  signal: AbortSignal,
): Promise<Omit<Fetched, 'turn'>> {
  const body = { kind: 'work', account, type, ...(areaCode !== undefined && { areaCode }) } as const;
  const { result, error } = await attempt(createRandCode, { body }, { quiet: true, signal });
  return error ? { error } : { challenge: result };
}

interface Progress {
  readonly captchaId: string;
  /** share of the numbers that were tried, from 0 to 1 */
  readonly share: number;
  readonly done: boolean;
  readonly error?: CallError;
}

/** Solves a challenge as soon as it is loaded. A submitted form waits for the result. */
export function useProofOfWork(
  challenge: Challenge | undefined,
  failed: boolean,
  onGive: (given: CaptchaState) => void,
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

/** A puzzle without a solution counts as an unreadable response of the server. */
const unsolvable = () => unreadableAnswer(createRandCode);

export interface ProofOfWorkTask {
  readonly salt: string;
  /** SHA-256, hex, of the salt followed by the number in decimal */
  readonly challenge: string;
  readonly max: number;
}

interface SolveOptions {
  readonly signal?: AbortSignal;
  /** share of the numbers that were tried, from 0 to 1 */
  readonly onProgress?: (share: number) => void;
}

/** Length of a slice, in milliseconds: short enough that the page responds to taps without a noticeable delay. */
const sliceMs = 30;
/** reading the clock costs as much as a hash, so it is read once per round */
const roundSize = 64;

/**
 * Finds the number whose hash is the challenge. It runs in slices on the main thread: `crypto.subtle` is missing on
 * plain HTTP and slower for many short texts. Undefined if aborted or if no number fits.
 */
export async function solveWork(
  { salt, challenge, max }: ProofOfWorkTask,
  watcher: SolveOptions = {},
): Promise<number | undefined> {
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

/** Lets the browser paint and handle taps. */
const breath = () => new Promise<void>((resolve) => setTimeout(resolve));
