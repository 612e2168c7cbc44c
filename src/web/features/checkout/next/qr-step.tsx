import { Trans, useLingui } from '@lingui/react/macro';
import type { NextStepOf } from '#contract/next-step.ts';
import { ShareButton } from '#web/domain/notifications/install/share-button.tsx';
import { webAddress } from '#web/domain/payments/continue-at-provider.tsx';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ChevronDown } from '#web/ui/icon.tsx';
import { QrCode } from '#web/ui/scan-panel.tsx';
import { ScannedCode, StepHead, CountdownLine, WaitingLine } from './step-head.tsx';
import type { StepProps } from './stage.ts';
import styles from './step.module.css';

/** The code: as text for the bank's app on this phone, as a picture for an app on another phone. */
export function QrStep({ step, order, onEnd }: StepProps<NextStepOf<'qr'>>) {
  const { t } = useLingui();
  return (
    <>
      <StepHead order={order} amount={step.amount}>
        <CountdownLine until={step.expiresAt} onEnd={onEnd}>
          <Trans>Code valid for</Trans>
        </CountdownLine>
      </StepHead>
      <WaysToPay step={step} />
      <Receiver payload={step.payload} />
      <WaitingLine>
        <Trans>Waiting for your Pix payment. This page updates automatically.</Trans>
      </WaitingLine>
      <Instructions />
      <ScannedCode show={<Trans>Show QR code</Trans>}>
        <QrCode text={step.payload} label={t`Pix code: scan it with your bank’s app`} />
      </ScannedCode>
    </>
  );
}

/** For a customer whose bank app is on this phone. */
function WaysToPay({ step }: { step: NextStepOf<'qr'> }) {
  const { t } = useLingui();
  const bank = step.bankUrl === undefined ? undefined : webAddress(step.bankUrl);
  return (
    <div className={styles.actions}>
      <CopyButton
        text={step.payload}
        variant="primary"
        size="lg"
        wide
        label={<Trans>Copy Pix code</Trans>}
        copiedLabel={<Trans>Copied. Now paste it in your bank’s app</Trans>}
      />
      <div className={styles.pair}>
        {bank ? (
          <a className={buttonClass({ variant: 'secondary', wide: true })} href={bank}>
            <Trans>Open my bank</Trans>
          </a>
        ) : null}
        <ShareButton title={t`Pix code`} text={step.payload} />
      </div>
      <details className={`${styles.text} ${styles.near}`}>
        <summary>
          <Trans>Show code as text</Trans>
          <ChevronDown aria-hidden />
        </summary>
        <code translate="no">{step.payload}</code>
      </details>
    </div>
  );
}

/**
 * The receiver that the bank's app shows before confirmation: a different name means fraud, and the customer should
 * stop.
 */
function Receiver({ payload }: { payload: string }) {
  const { seller } = useBrand().siteConfig;
  const name = receiverOf(payload);
  if (name === undefined) return null;
  return (
    <p className={styles.note}>
      <Trans>
        Your bank shows <strong>{name}</strong> as the recipient.
      </Trans>
      {seller ? <span>{` ${[seller.legalName, seller.taxNumber].filter(Boolean).join(', ')}`}</span> : null}
    </p>
  );
}

/**
 * The receiver's name in a BR Code: field 59 of a list of two digits of ID, two of length, and the value (EMV QR Code,
 * merchant-presented mode). Undefined if it cannot be parsed.
 */
export function receiverOf(payload: string): string | undefined {
  let rest = payload;
  while (rest !== '') {
    const length = Number(rest.slice(2, 4));
    if (!/^\d{4}/.test(rest) || rest.length < 4 + length) return undefined;
    if (rest.startsWith('59')) return rest.slice(4, 4 + length).trim() || undefined;
    rest = rest.slice(4 + length);
  }
  return undefined;
}

function Instructions() {
  return (
    <ol className={styles.steps}>
      <li className={styles.hand}>
        <Trans>Copy the code and open your bank’s app.</Trans>
      </li>
      <li className={styles.hand}>
        <Trans>Choose Pix, then “copy and paste”, and paste the code.</Trans>
      </li>
      <li className={styles.desk}>
        <Trans>Open your bank’s app and choose to pay with Pix.</Trans>
      </li>
      <li className={styles.desk}>
        <Trans>Scan the code on this screen.</Trans>
      </li>
      <li>
        <Trans>Check the recipient and the amount, then confirm. We usually receive it within a minute.</Trans>
      </li>
    </ol>
  );
}
