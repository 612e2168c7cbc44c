import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import styles from './auth-form.module.css';

/** Waits for the page to be alive, because before that a tap would send the form into nothing. */
export function SubmitButton({ busy, children }: { busy: boolean; children: ReactNode }) {
  const alive = useHydrated();
  return (
    <>
      <Button type="submit" size="lg" wide busy={busy} disabled={!alive} {...(alive ? {} : { 'data-waiting': '' })}>
        {children}
      </Button>
      <noscript>
        <p className={styles.noscript}>
          <Trans>Signing in needs JavaScript. Turn it on in your browser, or use the app.</Trans>
        </p>
      </noscript>
    </>
  );
}
