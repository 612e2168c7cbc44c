import { Trans, useLingui } from '@lingui/react/macro';
import type { NextStep } from '../../../contract/next-step.ts';
import { serverNow } from '../../api/server-clock.ts';
import { useLanguage } from '../../i18n/active.ts';
import { webAddress } from '../../payment-state/web-address.ts';
import { Alert } from '../../ui/alert.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { Clock } from '../../ui/icon.tsx';
import { MoneyText } from '../../ui/money-text.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import styles from './pix.module.css';

interface PixCodeProps {
  step: Extract<NextStep, { type: 'qr' }>;
  planName: string;
  /** the last ask found no server; the code itself works all the same */
  unreachable: boolean;
  onEnd: () => void;
}

/** The code, as a picture for another phone and as text for this one. */
export function PixCode({ step, planName, unreachable, onEnd }: PixCodeProps) {
  const { t } = useLingui();
  return (
    <div className={styles.page}>
      <WhatIsPaid step={step} planName={planName} onEnd={onEnd} />
      <div className={styles.code}>
        <QrCode text={step.payload} label={t`Pix code: scan it with the app of your bank`} />
      </div>
      <WaysToPay step={step} />
      {unreachable ? (
        <Alert tone="warning" live="polite">
          <Trans>We cannot reach the shop at the moment. Your code stays valid, and this page goes on asking.</Trans>
        </Alert>
      ) : null}
      <WhatHappens />
    </div>
  );
}

function WhatIsPaid({ step, planName, onEnd }: Omit<PixCodeProps, 'unreachable'>) {
  const language = useLanguage();
  return (
    <header className={styles.head}>
      <h1 className={styles.title}>
        <Trans>Pay with Pix</Trans>
      </h1>
      <p className={styles.plan}>{planName}</p>
      <p className={styles.amount}>
        <MoneyText money={step.amount} language={language} />
      </p>
      <p className={styles.until}>
        <Clock aria-hidden />
        <span>
          <Trans>This code is valid for</Trans> <Countdown until={step.expiresAt} now={serverNow} onEnd={onEnd} />
        </span>
      </p>
    </header>
  );
}

/** For whoever holds the phone that the bank's app is on. */
function WaysToPay({ step }: Pick<PixCodeProps, 'step'>) {
  const bank = step.bankUrl === undefined ? undefined : webAddress(step.bankUrl);
  return (
    <div className={styles.actions}>
      <CopyButton
        text={step.payload}
        variant="primary"
        wide
        label={<Trans>Copy the Pix code</Trans>}
        copiedLabel={<Trans>Copied</Trans>}
      />
      {bank ? (
        <a className={buttonClass({ variant: 'secondary', wide: true })} href={bank}>
          <Trans>Open my bank</Trans>
        </a>
      ) : null}
      <details className={styles.text}>
        <summary>
          <Trans>Show the code as text</Trans>
        </summary>
        <code>{step.payload}</code>
      </details>
    </div>
  );
}

function WhatHappens() {
  return (
    <ol className={styles.steps}>
      <li>
        <Trans>Open the app of your bank and choose to pay with Pix.</Trans>
      </li>
      <li>
        <Trans>Scan the code, or paste it after copying it here.</Trans>
      </li>
      <li>
        <Trans>
          Confirm the amount. This page changes by itself when the payment arrives, usually within a minute.
        </Trans>
      </li>
    </ol>
  );
}
