import { Trans } from '@lingui/react/macro';
import type { NextStepOf } from '#contract/next-step.ts';
import { ChevronDown } from '#web/ui/icon.tsx';
import { StepHead, Until, WaitingLine } from './step-head.tsx';
import type { StepProps } from './step-props.ts';
import styles from './step.module.css';

/** A confirmation on the payer's phone: where to find it, and that nothing is to be done here. */
export function PushStep({ step, order, onEnd }: StepProps<NextStepOf<'push'>>) {
  const { phone } = step;
  return (
    <>
      <StepHead order={order} amount={step.amount}>
        <Until until={step.expiresAt} onEnd={onEnd}>
          <Trans>Time to answer:</Trans>
        </Until>
      </StepHead>
      <section className={styles.box}>
        <h2 className={styles.boxTitle}>
          <Trans>Confirm on your phone</Trans>
        </h2>
        <p>
          <Trans>
            We have sent a payment request to{' '}
            <strong className="num" translate="no">
              {phone}
            </strong>
            .
          </Trans>
        </p>
        <WaitingLine>
          <Trans>Waiting for your answer…</Trans>
        </WaitingLine>
      </section>
      <Instructions methodName={order.methodName} />
      <NoMessage />
    </>
  );
}

function Instructions({ methodName }: { methodName: string }) {
  return (
    <ol className={styles.steps}>
      <li>
        <Trans>Pick up the phone with this number and look for the message from {methodName}.</Trans>
      </li>
      <li>
        <Trans>Check the amount and confirm with your PIN. Nobody but your phone asks for it.</Trans>
      </li>
      <li>
        <Trans>This page changes by itself as soon as your answer has come.</Trans>
      </li>
    </ol>
  );
}

/** The confirmation is cancelled when another number or method is chosen, so the payer is not asked twice. */
function NoMessage() {
  return (
    <details className={styles.more}>
      <summary>
        <Trans>No message, or the wrong number?</Trans>
        <ChevronDown aria-hidden />
      </summary>
      <p>
        <Trans>
          Choose another number or another way to pay below. This request is called off then, so that you cannot pay
          twice.
        </Trans>
      </p>
    </details>
  );
}
