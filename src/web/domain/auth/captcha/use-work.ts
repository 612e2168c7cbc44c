import { useEffect, useState } from 'react';
import { ApiError } from '#web/platform/api/api-error.ts';
import type { Given } from './given.ts';
import { solveWork } from './solve-work.ts';
import type { Challenge } from './use-challenge.ts';

interface Progress {
  readonly captchaId: string;
  /** how much has been tried, from 0 to 1 */
  readonly share: number;
  readonly done: boolean;
  readonly error?: ApiError;
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
const unsolvable = () => new ApiError('malformed', 'createRandCode');
