import { useLingui } from '@lingui/react';
import { errorWords } from '../i18n/error-words.ts';
import type { CaptchaProblem } from './given.ts';

const wrongCaptcha = -3035;

/** What is wrong with the answer, in words; `missing` says what is to be done where there is none. */
export function useProblemWords(problem: CaptchaProblem, missing: string): string | undefined {
  const { i18n } = useLingui();
  if (problem === 'missing') return missing;
  return problem === 'refused' ? errorWords(i18n, wrongCaptcha) : undefined;
}
