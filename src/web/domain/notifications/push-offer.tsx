import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Bell } from '#web/ui/icon.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from './push.module.css';
import type { PushOptIn } from './use-push.ts';

interface PushOfferProps {
  optIn: PushOptIn;
  /** label of the button */
  ask: ReactNode;
  /** message after success */
  told: ReactNode;
}

/** A button that requests notifications, or the message why they are unavailable. */
export function PushOffer({
  optIn: { support, isSubscribed, known, mutate, isPending, problem },
  ask,
  told: toldWords,
}: PushOfferProps) {
  if (support === 'missing') return null;
  if (support === 'install')
    return (
      <Note>
        <InstallFirst />
      </Note>
    );
  if (support === 'denied')
    return (
      <Note>
        <Refused />
      </Note>
    );
  if (!known) return null;
  return (
    <div className={styles.offer}>
      {isSubscribed ? (
        <Alert tone="success" live="polite">
          {toldWords}
        </Alert>
      ) : (
        <Button variant="secondary" wide busy={isPending} onClick={mutate}>
          <Bell aria-hidden />
          <span>{ask}</span>
        </Button>
      )}
      <Problem>{problem}</Problem>
    </div>
  );
}

function Note({ children }: { children: ReactNode }) {
  return (
    <p className={styles.note} role="status">
      <Bell aria-hidden />
      <span>{children}</span>
    </p>
  );
}

const InstallFirst = () => (
  <Trans>
    To get notifications on this device, first add the shop to your Home Screen: tap Share, then “Add to Home Screen”,
    and open it from there.
  </Trans>
);

const Refused = () => (
  <Trans>Notifications are blocked for this site. Allow them in your browser settings to get them here.</Trans>
);
