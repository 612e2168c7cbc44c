import { Trans } from '@lingui/react/macro';
import { useEffect, useState, type ComponentType } from 'react';
import { ensureWords } from '#web/platform/i18n/catalogs.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Ring } from '#web/ui/spinner.tsx';
import type { CaptchaBoxProps } from './given.ts';

/**
 * Fetches what shows the captcha when it is first needed. Not `lazy()`: a part that does not arrive would take the page
 * with it, and what was typed on it. The words here are ones that the first visit has anyway.
 */
export function CaptchaPlace(props: CaptchaBoxProps) {
  const { Box, failed, load } = useBox();
  if (Box) return <Box {...props} />;
  if (!failed) return <Ring />;
  const again = (
    <Button variant="secondary" onClick={load}>
      <Trans>Retry</Trans>
    </Button>
  );
  return (
    <Alert tone="danger" live="assertive" action={again}>
      <Trans>We cannot reach the shop. Check your connection.</Trans>
    </Alert>
  );
}

function useBox() {
  const [state, setState] = useState<{ Box?: ComponentType<CaptchaBoxProps>; failed: boolean }>({ failed: false });
  const { failed } = state;
  useEffect(() => {
    if (failed) return;
    void fetchBox().then(
      (Box) => setState({ Box, failed: false }),
      () => setState({ failed: true }),
    );
  }, [failed]);
  return { ...state, load: () => setState({ failed: false }) };
}

async function fetchBox(): Promise<ComponentType<CaptchaBoxProps>> {
  const [{ CaptchaBox }] = await Promise.all([import('./captcha-box.tsx'), ensureWords('private')]);
  return CaptchaBox;
}
