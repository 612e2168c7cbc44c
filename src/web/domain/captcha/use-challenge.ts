import { useEffect, useState } from 'react';
import { createRandCode } from '../../../contract/captcha.ts';
import type { Result } from '../../../contract/endpoint.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { call } from '../../platform/api/client.ts';
import { serverNow } from '../../platform/network/server-clock.ts';
import type { CaptchaFor } from './given.ts';

type Kind = 'picture' | 'work';
export type Challenge<K extends Kind> = Extract<Result<typeof createRandCode>, { kind: K }>;

/** An answer has to reach the server before its captcha ends. */
const marginMs = 10_000;

interface Fetched<K extends Kind> {
  /** which captcha this is; another turn is another captcha */
  readonly turn: string;
  readonly challenge?: Challenge<K>;
  readonly error?: ApiError;
  /** another kind came than the one that was asked for */
  readonly instead?: true;
}

/** The captcha of this turn: another one when an answer was spent, when it is asked for, and before it is too old. */
export function useChallenge<K extends Kind>(kind: K, of: CaptchaFor, spent: number) {
  const [renewals, setRenewals] = useState(0);
  const [fetched, setFetched] = useState<Fetched<K>>();
  const turn = `${spent}.${renewals}`;
  const { challenge, error, instead } = fetched?.turn === turn ? fetched : {};
  useEffect(() => {
    const controller = new AbortController();
    void ask(kind, of, controller.signal).then((found) => {
      if (!controller.signal.aborted) setFetched({ turn, ...found });
    });
    return () => controller.abort();
  }, [kind, of, turn]);
  useEffect(() => {
    if (!challenge) return undefined;
    const ended = setTimeout(() => setRenewals((old) => old + 1), challenge.expiresAt - serverNow() - marginMs);
    return () => clearTimeout(ended);
  }, [challenge]);
  return { turn, challenge, error, instead, renew: () => setRenewals((old) => old + 1) };
}

async function ask<K extends Kind>(
  kind: K,
  { account, type, areaCode }: CaptchaFor,
  signal: AbortSignal,
): Promise<Omit<Fetched<K>, 'turn'>> {
  const body = { kind, account, type, ...(areaCode !== undefined && { areaCode }) };
  try {
    const answer = await call(createRandCode, { body }, { quiet: true, signal });
    return isOf(kind, answer) ? { challenge: answer } : { instead: true };
  } catch (error) {
    if (error instanceof ApiError) return { error };
    throw error;
  }
}

function isOf<K extends Kind>(kind: K, answer: Result<typeof createRandCode>): answer is Challenge<K> {
  return answer.kind === kind;
}
