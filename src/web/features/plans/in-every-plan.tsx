import { Trans } from '@lingui/react/macro';
import { Check } from '#web/ui/icon.tsx';
import lines from './plan-lines.module.css';
import styles from './pricing-page.module.css';

/** Features of all plans, shown once, so that the cards contain only differences. */
export function InEveryPlan() {
  return (
    <li className={styles.every}>
      <h2 className={styles.everyTitle}>
        <Trans>In every plan</Trans>
      </h2>
      <ul className={lines.lines}>
        <li className={lines.line}>
          <Check aria-hidden />
          <Trans>Your library in the cloud</Trans>
        </li>
        <li className={lines.line}>
          <Check aria-hidden />
          <Trans>Resume where you stopped</Trans>
        </li>
        <li className={lines.line}>
          <Check aria-hidden />
          <Trans>Android phones, TV boxes and smart TVs</Trans>
        </li>
        <li className={lines.line}>
          <Check aria-hidden />
          <Trans>A new plan adds its days to the ones you have</Trans>
        </li>
      </ul>
    </li>
  );
}
