import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Alert } from '#web/ui/alert.tsx';

/** The email link is used up or expired (`linkGone`); alternatives are below. */
export function LinkGone({ children }: { children: ReactNode }) {
  return (
    <Alert tone="warning" live="assertive" title={<Trans>This link is no longer available</Trans>}>
      {children}
    </Alert>
  );
}
