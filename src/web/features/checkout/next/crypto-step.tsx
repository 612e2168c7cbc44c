import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { NextStepOf } from '#contract/next-step.ts';
import { paymentCrypto } from '#contract/payment-steps.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { CoinMark } from '#web/ui/marks/method-mark.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { isZeroCoinAmount, type StepProps } from './stage.ts';
import { CoinTransfer } from './coin-transfer.tsx';
import { StepHead, CountdownLine, WaitingLine } from './step-head.tsx';
import styles from './step.module.css';
import { useStepOptions } from './use-step-options.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';
import { ChevronDown } from '#web/ui/icon.tsx';

type CryptoProps = StepProps<NextStepOf<'crypto'>>;

/** Selects a coin, then shows amount and address; the coin can be changed until something has arrived. */
export function CryptoStep(props: CryptoProps) {
  const { step, order, onEnd } = props;
  const { chosen, bankUrl } = step;
  const [changing, setChanging] = useState(false);
  const settled = chosen !== null && !isZeroCoinAmount(chosen.received);
  const choosing = chosen === null || (changing && !settled);
  return (
    <>
      <StepHead order={order} amount={step.amount}>
        {chosen && isZeroCoinAmount(chosen.missing) ? null : (
          <CountdownLine until={step.expiresAt} onEnd={onEnd}>
            {chosen ? <Trans>Amount valid for</Trans> : <Trans>Time left to pay:</Trans>}
          </CountdownLine>
        )}
      </StepHead>
      {choosing ? (
        <CoinChoice {...props} onChosen={() => setChanging(false)} />
      ) : (
        <CoinTransfer
          chosen={chosen}
          walletPage={bankUrl}
          onOtherCoin={settled || step.options.length < 2 ? undefined : () => setChanging(true)}
        />
      )}
    </>
  );
}

function CoinChoice({ step, order, ask, onChosen }: CryptoProps & { onChosen: () => void }) {
  const { options, chosen } = step;
  const [coin, setCoin] = useState(chosen?.coin ?? options[0]?.coin);
  const shown = useStepOptions(order.orderId, ask);
  const { mutate, isPending, problem } = useApiMutation(paymentCrypto, {
    ...shown,
    onSuccess: (answer) => {
      shown.onSuccess(answer);
      onChosen();
    },
  });
  const send = () => {
    if (coin !== undefined) mutate({ body: { orderId: order.orderId, coin } });
  };
  return (
    <div className={styles.actions}>
      <ChoiceGroup
        legend={<Trans>Which coin do you want to pay with?</Trans>}
        name="coin"
        value={coin}
        onChange={setCoin}
        options={options.map(({ coin: value, asset, network }) => ({
          value,
          label: asset,
          icon: <CoinMark coin={asset} />,
          detail: <Trans>Network: {network}</Trans>,
        }))}
      />
      <Problem>{problem}</Problem>
      <Button size="lg" wide busy={isPending} onClick={send}>
        <Trans>Show amount and address</Trans>
      </Button>
    </div>
  );
}

/** A confirmation on the payer's phone: where to find it, and that nothing is to be done here. */
export function PushStep({ step, order, onEnd }: StepProps<NextStepOf<'push'>>) {
  const { phone } = step;
  return (
    <>
      <StepHead order={order} amount={step.amount}>
        <CountdownLine until={step.expiresAt} onEnd={onEnd}>
          <Trans>Time left to respond:</Trans>
        </CountdownLine>
      </StepHead>
      <section className={styles.box}>
        <h2 className={styles.boxTitle}>
          <Trans>Confirm on your phone</Trans>
        </h2>
        <p>
          <Trans>
            We’ve sent a payment request to{' '}
            <strong className="num" translate="no">
              {phone}
            </strong>
            .
          </Trans>
        </p>
        <WaitingLine>
          <Trans>Waiting for your response…</Trans>
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
        <Trans>Get the phone with this number and look for the message from {methodName}.</Trans>
      </li>
      <li>
        <Trans>Check the amount and confirm with your PIN. Only your phone ever asks for it.</Trans>
      </li>
      <li>
        <Trans>This page updates automatically once you respond.</Trans>
      </li>
    </ol>
  );
}

/** The confirmation is cancelled when another number or method is chosen, so the payer is not asked twice. */
function NoMessage() {
  return (
    <details className={styles.more}>
      <summary>
        <Trans>No message or wrong number?</Trans>
        <ChevronDown aria-hidden />
      </summary>
      <p>
        <Trans>Choose another number or payment method below. We’ll cancel this request so you can’t pay twice.</Trans>
      </p>
    </details>
  );
}
