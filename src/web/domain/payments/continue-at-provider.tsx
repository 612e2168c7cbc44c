import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { PaymentAnswer } from '#contract/billing.ts';
import type { NextStepOf } from '#contract/next-step.ts';
import { payssionCreate, stripeCreate, useepayCreate } from '#contract/payment-steps.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { useTap } from '#web/platform/form/use-tap.ts';
import type { Words } from '#web/platform/form/words.ts';
import { wordsOf } from '#web/platform/api/error-words.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { webAddress } from './web-address.ts';

interface ContinueProps {
  orderId: string;
  step: NextStepOf<'redirect'>;
  /** the payment stands otherwise than thought: it is to be asked for */
  onChanged: () => void;
  variant?: 'primary' | 'secondary' | undefined;
}

type Reopen = (orderId: string) => Promise<PaymentAnswer>;

/** Providers whose addresses are good for one visit, and the call that gives another. */
const reopens: Readonly<Record<string, Reopen>> = {
  useepay: (orderId) => call(useepayCreate, { body: { orderId } }, { quiet: true }),
  stripe: (orderId) => call(stripeCreate, { body: { orderId } }, { quiet: true }),
  payssion: (orderId) => call(payssionCreate, { body: { orderId } }, { quiet: true }),
};

/** The way to the provider's page, in the same window. */
export function ContinueAtProvider({ orderId, step, onChanged, variant }: ContinueProps) {
  const reopen = step.finish && reopens[step.finish];
  if (reopen) return <Reopened {...{ orderId, reopen, onChanged, variant }} />;
  const address = webAddress(step.url);
  return address ? (
    <a className={buttonClass({ variant })} href={address}>
      <Words />
    </a>
  ) : null;
}

function Words() {
  return <Trans>Continue to the payment page</Trans>;
}

/** The address of before may be spent, so a fresh one is asked for at the tap. */
function Reopened({
  orderId,
  reopen,
  onChanged,
  variant,
}: { orderId: string; reopen: Reopen } & Pick<ContinueProps, 'onChanged' | 'variant'>) {
  const [leaving, setLeaving] = useState(false);
  const leave = async () => {
    const { next } = await reopen(orderId);
    const address = next.type === 'redirect' ? webAddress(next.url) : undefined;
    if (!address) return onChanged();
    setLeaving(true);
    return location.assign(address);
  };
  const { tap, busy, problem } = useTap(async (): Promise<Words | undefined> => {
    try {
      await leave();
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      onChanged();
      return (i18n) => wordsOf(i18n, error);
    }
  });
  return (
    <>
      <Button variant={variant} busy={busy || leaving} onClick={tap}>
        <Words />
      </Button>
      <Problem>{problem}</Problem>
    </>
  );
}
