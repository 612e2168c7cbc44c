import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { NextStepOf } from '#contract/next-step.ts';
import { paymentCrypto } from '#contract/payment-steps.ts';
import { call } from '#web/platform/api/client.ts';
import { useTap } from '#web/platform/form/use-tap.ts';
import { wordsOf } from '#web/platform/api/error-words.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { CoinMark } from '#web/ui/marks/method-mark.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { isNoCoin, type StepProps } from './step-props.ts';
import { CoinTransfer } from './coin-transfer.tsx';
import { StepHead, Until } from './step-head.tsx';
import styles from './step.module.css';
import { useStepAct } from './use-step-act.ts';

type CryptoProps = StepProps<NextStepOf<'crypto'>>;

/** First which coin, then how much goes where; until something has arrived, another coin can be chosen. */
export function CryptoStep(props: CryptoProps) {
  const { step, order, onEnd } = props;
  const { chosen, bankUrl } = step;
  const [changing, setChanging] = useState(false);
  const settled = chosen !== null && !isNoCoin(chosen.received);
  const choosing = chosen === null || (changing && !settled);
  return (
    <>
      <StepHead order={order} amount={step.amount}>
        {chosen && isNoCoin(chosen.missing) ? null : (
          <Until until={step.expiresAt} onEnd={onEnd}>
            {chosen ? <Trans>This amount is valid for</Trans> : <Trans>Time to pay:</Trans>}
          </Until>
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
  const act = useStepAct(order.orderId, ask);
  const { tap, busy, problem } = useTap(async () => {
    if (coin === undefined) return undefined;
    const body = { orderId: order.orderId, coin };
    const error = await act(() => call(paymentCrypto, { body }, { quiet: true }));
    if (!error) onChosen();
    return error && ((i18n) => wordsOf(i18n, error));
  });
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
      <Button size="lg" wide busy={busy} onClick={tap}>
        <Trans>Show amount and address</Trans>
      </Button>
    </div>
  );
}
