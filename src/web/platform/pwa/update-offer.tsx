import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import styles from './update-offer.module.css';
import { applyUpdate, postponeUpdate } from './update-offer-store.ts';

/** The offer to load a new build now. Mount it only while there is one. */
export function UpdateOffer() {
  const [refused, setRefused] = useState(false);
  const accept = async () => setRefused((await applyUpdate()) === 'busy');
  return (
    <div className={styles.offer}>
      <Alert
        tone="info"
        live="polite"
        title={<Trans>A new version is ready</Trans>}
        action={
          <div className={styles.choices}>
            <Button onClick={accept}>
              <Trans>Update now</Trans>
            </Button>
            <Button variant="quiet" onClick={postponeUpdate}>
              <Trans>Later</Trans>
            </Button>
          </div>
        }
      >
        {refused ? (
          <Trans>Something is still open in another tab. Finish it there first.</Trans>
        ) : (
          <Trans>It takes a moment, and you stay on this page.</Trans>
        )}
      </Alert>
    </div>
  );
}
