import { useLingui } from '@lingui/react';
import { Trans } from '@lingui/react/macro';
import type { ApiError } from '../api/api-error.ts';
import { wordsOf } from '../i18n/error-words.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';

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
