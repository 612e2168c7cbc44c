import { useLingui } from '@lingui/react';
import { Trans } from '@lingui/react/macro';
import { errorCode } from '#contract/error-codes.ts';
import type { ApiError } from '#web/platform/api/api-error.ts';
import { wordsOf, errorWords } from '#web/platform/api/error-words.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import type { CaptchaProblem } from './given.ts';

/** What is wrong with the answer, in words; `missing` says what is to be done where there is none. */
export function useProblemWords(problem: CaptchaProblem, missing: string): string | undefined {
  const { i18n } = useLingui();
  if (problem === 'missing') return missing;
  return problem === 'refused' ? errorWords(i18n, errorCode('wrongCaptcha')) : undefined;
}

/** No captcha came, or its answer did not get through: why, and the way to try it again. */
export function CaptchaTrouble({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const { i18n } = useLingui();
  const again = (
    <Button variant="secondary" onClick={onRetry}>
      <Trans>Retry</Trans>
    </Button>
  );
  return (
    <Alert tone="danger" live="assertive" action={again}>
      {wordsOf(i18n, error)}
    </Alert>
  );
}
