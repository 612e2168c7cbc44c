import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { NextStepOf } from '#contract/next-step.ts';
import { Link } from '@tanstack/react-router';
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
          <Trans>Time for the transfer:</Trans>
        </CountdownLine>
      </StepHead>
      {step.proof === 'rejected' ? (
        <Alert tone="danger" live="assertive" title={<Trans>We could not accept your picture</Trans>}>
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
          <Trans>Receiver</Trans>
        </dt>
        <dd>
          <span className={styles.value} translate="no">
            {receiver.name}
          </span>
        </dd>
      </div>
      <CopyRow
        label={<Trans>Account number</Trans>}
        text={receiver.account}
        copyLabel={<Trans>Copy the account</Trans>}
      />
      <CopyRow label={<Trans>Reference</Trans>} text={reference} copyLabel={<Trans>Copy the reference</Trans>} />
    </dl>
  );
}

/** For another phone, or as a screenshot for the bank's app on this one. */
function TransferCode({ text, methodName }: { text: string; methodName: string }) {
  const { t } = useLingui();
  return (
    <ScannedCode show={<Trans>Show the {methodName} code, to scan or to save it</Trans>}>
      <QrCode text={text} label={t`Code of ${methodName}: scan it with the app that you pay with`} />
    </ScannedCode>
  );
}

function Instructions({ scans }: { scans: boolean }) {
  return (
    <ol className={styles.steps}>
      <li>
        {scans ? (
          <Trans>Scan the code with your app, or make the transfer to this account yourself.</Trans>
        ) : (
          <Trans>Make the transfer to this account in the app of your bank.</Trans>
        )}
      </li>
      <li>
        <Trans>Check the amount, and write the reference into the transfer: we find it by that.</Trans>
      </li>
      <li>
        <Trans>Take a picture of the confirmation and send it here. We check it by hand.</Trans>
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
      <Alert tone="success" live="polite" title={<Trans>We have your picture</Trans>}>
        <Trans>We are checking your transfer by hand. Please do not pay again.</Trans>
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
          <Trans>We compare your picture with our account, by the reference {reference}.</Trans>
        </li>
        <li>
          <Trans>As soon as they match, your access starts by itself, and the receipt is in your orders.</Trans>
        </li>
        <li>
          <Trans>
            If something is wrong with the picture, your orders say what, and you can send another one there.
          </Trans>
        </li>
      </ol>
    </>
  );
}
