import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { NextStepOf } from '#contract/next-step.ts';
import { payssionCreate, stripeCreate, useepayCreate } from '#contract/payment-steps.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

interface ContinueProps {
  orderId: string;
  step: NextStepOf<'redirect'>;
  /** the payment has changed and must be read again */
  onChanged: () => void;
  variant?: 'primary' | 'secondary' | undefined;
}

/** Providers whose payment addresses are valid for one visit, with the call that returns a new one. */
const reopens = { useepay: useepayCreate, stripe: stripeCreate, payssion: payssionCreate } as const;
type Reopen = (typeof reopens)[keyof typeof reopens];

const reopenOf = (finish: string | undefined): Reopen | undefined =>
  Object.entries(reopens).find(([provider]) => provider === finish)?.[1];

/** Opens the provider's page in the same window. */
export function ContinueAtProvider({ orderId, step, onChanged, variant }: ContinueProps) {
  const reopen = reopenOf(step.finish);
  if (reopen) return <Reopened {...{ orderId, reopen, onChanged, variant }} />;
  const address = webAddress(step.url);
  return address ? (
    <a className={buttonClass({ variant })} href={address}>
      <ContinueLabel />
    </a>
  ) : null;
}

function ContinueLabel() {
  return <Trans>Go to payment page</Trans>;
}

/** The previous address may be used up, so the tap requests a new one. */
function Reopened({
  orderId,
  reopen,
  onChanged,
  variant,
}: { orderId: string; reopen: Reopen } & Pick<ContinueProps, 'onChanged' | 'variant'>) {
  const [leaving, setLeaving] = useState(false);
  const { mutate, isPending, problem } = useApiMutation(reopen, {
    onSuccess: ({ next }) => {
      const address = next.type === 'redirect' ? webAddress(next.url) : undefined;
      if (!address) return onChanged();
      setLeaving(true);
      return location.assign(address);
    },
    onError: onChanged,
    shows: 'all',
  });
  return (
    <>
      <Button variant={variant} busy={isPending || leaving} onClick={() => mutate({ body: { orderId } })}>
        <ContinueLabel />
      </Button>
      <Problem>{problem}</Problem>
    </>
  );
}

/** An http or https address, never one that runs as a script; undefined for anything else. */
export function webAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
