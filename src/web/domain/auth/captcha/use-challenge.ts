import { useEffect, useState } from 'react';
import { createRandCode } from '#contract/captcha.ts';
import type { Result } from '#contract/endpoint.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import type { CaptchaFor } from './given.ts';

export type Challenge = Result<typeof createRandCode>;

/** An answer has to reach the server before its captcha ends. */
const marginMs = 10_000;

interface Fetched {
  /** which captcha this is; another turn is another captcha */
  readonly turn: string;
  readonly challenge?: Challenge;
  readonly error?: ApiError;
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
  try {
    return { challenge: await call(createRandCode, { body }, { quiet: true, signal }) };
  } catch (error) {
    if (error instanceof ApiError) return { error };
    throw error;
  }
}
