import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import type { ChosenCoin } from './coin-amount.ts';
import styles from './step.module.css';

/** All has arrived, and the network confirms it block by block. */
export function CoinProgress({ chosen }: { chosen: ChosenCoin }) {
  const { received, asset, confirmations, confirmationsNeeded: needed } = chosen;
  const id = useId();
  const done = Math.min(confirmations, needed);
  return (
    <section className={styles.box}>
      <h2 className={styles.boxTitle}>
        <Trans>
          {received} {asset} have arrived
        </Trans>
      </h2>
      <p id={id} role="status">
        <Trans>
          {done} of {needed} confirmations
        </Trans>
      </p>
      <progress className={styles.progress} value={done} max={needed} aria-labelledby={id} />
      <p>
        <Trans>The network is confirming your payment. You have nothing more to do, and may close this page.</Trans>
      </p>
    </section>
  );
}
