import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/button.tsx';
import { useWaitingButton } from '#web/platform/entry/use-waiting-button.ts';
import styles from './auth-form.module.css';
import type { Elements } from '#web/ui/elements.ts';

/** Is disabled without scripts. A tap before hydration is stored and replayed. */
export function SubmitButton({ busy, children }: { busy: boolean; children: Elements }) {
  const waiting = useWaitingButton('submit');
  return (
    <>
      <Button type="submit" size="lg" wide busy={busy} {...waiting}>
        {children}
      </Button>
      <noscript>
        <p className={styles.noscript}>
          <Trans>Login needs JavaScript. Turn it on in your browser or use the app.</Trans>
        </p>
      </noscript>
    </>
  );
}
