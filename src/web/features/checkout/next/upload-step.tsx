import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { NextStepOf } from '#contract/next-step.ts';
import { Link } from '#web/platform/brand/link.tsx';
import { RejectionText } from '#web/domain/payments/order-actions.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { QrCode } from '#web/ui/scan-panel.tsx';
import { CopyRow } from './coin-transfer.tsx';
import { ProofForm } from './proof-form.tsx';
import { ScannedCode, StepHead, CountdownLine, WaitingLine } from './step-head.tsx';
import type { StepProps } from './stage.ts';
import styles from './step.module.css';

type UploadProps = StepProps<NextStepOf<'upload'>>;

/** A transfer that the operator reviews: the destination, and a picture of the transfer. */
export function UploadStep(props: UploadProps) {
  const { step, order, ask, onEnd } = props;
  if (step.proof === 'received') return <UnderReview step={step} order={order} />;
  return (
    <>
      <StepHead order={order} amount={step.amount}>
        <CountdownLine until={step.expiresAt} onEnd={onEnd}>
          <Trans>Time left to transfer:</Trans>
        </CountdownLine>
      </StepHead>
      {step.proof === 'rejected' ? (
        <Alert tone="danger" live="assertive" title={<Trans>We couldn’t accept your proof of payment</Trans>}>
          <RejectionText rejection={step.rejection ?? { reason: 'notFound' }} />
        </Alert>
      ) : null}
      <Transfer step={step} />
      {step.payload === null ? null : <TransferCode text={step.payload} methodName={order.methodName} />}
      <Instructions scans={step.payload !== null} />
      <ProofForm orderId={order.orderId} ask={ask} />
    </>
  );
}

function Transfer({ step }: { step: NextStepOf<'upload'> }) {
  const { receiver, reference } = step;
  return (
    <dl className={styles.rows}>
      <div className={styles.row}>
        <dt>
          <Trans>Recipient</Trans>
        </dt>
        <dd>
          <span className={styles.value} translate="no">
            {receiver.name}
          </span>
        </dd>
      </div>
      <CopyRow label={<Trans>Account number</Trans>} text={receiver.account} copyLabel={<Trans>Copy account</Trans>} />
      <CopyRow label={<Trans>Reference</Trans>} text={reference} copyLabel={<Trans>Copy reference</Trans>} />
    </dl>
  );
}

/** For another phone, or as a screenshot for the bank's app on this one. */
function TransferCode({ text, methodName }: { text: string; methodName: string }) {
  const { t } = useLingui();
  return (
    <ScannedCode show={<Trans>Show the {methodName} code to scan or save</Trans>}>
      <QrCode text={text} label={t`${methodName} code: scan it with the app you pay with`} />
    </ScannedCode>
  );
}

function Instructions({ scans }: { scans: boolean }) {
  return (
    <ol className={styles.steps}>
      <li>
        {scans ? (
          <Trans>Scan the code with your app or transfer to this account yourself.</Trans>
        ) : (
          <Trans>Transfer to this account in your bank’s app.</Trans>
        )}
      </li>
      <li>
        <Trans>Check the amount and include the reference in the transfer, so we can find it.</Trans>
      </li>
      <li>
        <Trans>Send your proof of payment here as a photo or screenshot. We check it manually.</Trans>
      </li>
    </ol>
  );
}

/** The default if the brand does not say how long a review takes, in hours. */
const usualHours = 24;

/** The payer has sent the proof: how long the review takes, and where its result appears. */
function UnderReview({ step, order }: Pick<UploadProps, 'step' | 'order'>) {
  const { reference, receiver } = step;
  const hours = receiver.checkedWithinHours ?? usualHours;
  return (
    <>
      <StepHead order={order} amount={step.amount} />
      <Alert tone="success" live="polite" title={<Trans>We’ve received your proof of payment</Trans>}>
        <Trans>We’re checking your transfer manually. Please don’t pay again.</Trans>
      </Alert>
      <WaitingLine>
        <Plural value={hours} one="Usually checked within # hour" other="Usually checked within # hours" />
      </WaitingLine>
      <div className={styles.actions}>
        <Link to="/orders" className={buttonClass({ size: 'lg', wide: true })}>
          <Trans>View my orders</Trans>
        </Link>
      </div>
      <ol className={styles.steps}>
        <li>
          <Trans>We compare your proof of payment with our account by reference {reference}.</Trans>
        </li>
        <li>
          <Trans>Once they match, your access starts automatically, and your receipt is in your orders.</Trans>
        </li>
        <li>
          <Trans>
            If there’s a problem with your proof of payment, you’ll see it in your orders and can send a new one there.
          </Trans>
        </li>
      </ol>
    </>
  );
}
