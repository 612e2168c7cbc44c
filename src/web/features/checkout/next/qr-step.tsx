import { Trans, useLingui } from '@lingui/react/macro';
import type { NextStepOf } from '../../../../contract/next-step.ts';
import { webAddress } from '../../../payment-state/web-address.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { StepHead, Until } from './step-head.tsx';
import type { StepProps } from './step-props.ts';
import styles from './step.module.css';

/** The code, as a picture for another phone and as text for this one. */
export function QrStep({ step, order, onEnd }: StepProps<NextStepOf<'qr'>>) {
  const { t } = useLingui();
  return (
    <>
      <StepHead order={order} amount={step.amount}>
        <Until until={step.expiresAt} onEnd={onEnd}>
          <Trans>This code is valid for</Trans>
        </Until>
      </StepHead>
      <div className={styles.code}>
        <QrCode text={step.payload} label={t`Pix code: scan it with the app of your bank`} />
      </div>
      <WaysToPay step={step} />
      <WhatHappens />
    </>
  );
}

/** For whoever holds the phone that the bank's app is on. */
function WaysToPay({ step }: { step: NextStepOf<'qr'> }) {
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
