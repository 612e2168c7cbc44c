import { Trans, useLingui } from '@lingui/react/macro';
import type { NextStepOf } from '../../../../contract/next-step.ts';
import { Alert } from '../../../ui/alert.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { CopyRow } from './copy-row.tsx';
import { ProofForm } from './proof-form.tsx';
import { StepHead, Until } from './step-head.tsx';
import type { StepProps } from './step-props.ts';
import styles from './step.module.css';

type UploadProps = StepProps<NextStepOf<'upload'>>;

/** A transfer that people of the shop look at: where it goes, and a picture of it. */
export function UploadStep(props: UploadProps) {
  const { step, order, ask, onEnd } = props;
  if (step.proof === 'received') return <UnderReview step={step} order={order} />;
  return (
    <>
      <StepHead order={order} amount={step.amount}>
        <Until until={step.expiresAt} onEnd={onEnd}>
          <Trans>Time for the transfer:</Trans>
        </Until>
      </StepHead>
      {step.proof === 'rejected' ? (
        <Alert tone="danger" live="assertive" title={<Trans>We could not find your transfer by this picture</Trans>}>
          <Trans>Please check the reference and the amount, and send another picture on which both can be read.</Trans>
        </Alert>
      ) : null}
      <Transfer step={step} methodName={order.methodName} />
      <WhatToDo scans={step.payload !== null} />
      <ProofForm orderId={order.orderId} ask={ask} />
    </>
  );
}

function Transfer({ step, methodName }: { step: NextStepOf<'upload'>; methodName: string }) {
  const { t } = useLingui();
  const { payload, receiver, reference } = step;
  return (
    <>
      {payload === null ? null : (
        <div className={styles.code}>
          <QrCode text={payload} label={t`Code of ${methodName}: scan it with the app that you pay with`} />
        </div>
      )}
      <dl className={styles.rows}>
        <div className={styles.row}>
          <dt>
            <Trans>Receiver</Trans>
          </dt>
          <dd>
            <span className={styles.value}>{receiver.name}</span>
          </dd>
        </div>
        <CopyRow
          label={<Trans>Account number</Trans>}
          text={receiver.account}
          copyLabel={<Trans>Copy the account</Trans>}
        />
        <CopyRow label={<Trans>Reference</Trans>} text={reference} copyLabel={<Trans>Copy the reference</Trans>} />
      </dl>
    </>
  );
}

function WhatToDo({ scans }: { scans: boolean }) {
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

function UnderReview({ step, order }: Pick<UploadProps, 'step' | 'order'>) {
  const { reference } = step;
  return (
    <>
      <StepHead order={order} amount={step.amount} />
      <Alert tone="success" live="polite" title={<Trans>We have your picture</Trans>}>
        <Trans>We are checking your transfer by hand. Please do not pay again.</Trans>
      </Alert>
      <ol className={styles.steps}>
        <li>
          <Trans>Somebody compares the picture with our account, by the reference {reference}.</Trans>
        </li>
        <li>
          <Trans>Your access starts by itself then. You may close this page: your orders tell how it stands.</Trans>
        </li>
      </ol>
    </>
  );
}
