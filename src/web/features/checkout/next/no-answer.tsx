import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { Order } from '#contract/order.ts';
import type { StepType } from '#contract/next-step.ts';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { WhatWasPaid } from './step-head.tsx';

interface NoAnswerProps {
  of: StepType;
  order: Order;
  asking: boolean;
  ask: () => void;
}

/** The deadline has passed, and the payer's answer is unknown: that is no failure, and polling continues. */
export function NoAnswer({ of, order, asking, ask }: NoAnswerProps) {
  const { planId, orderId } = order;
  return (
    <StatePage
      art={<StateArt kind="checking" />}
      title={<Trans>We are still asking</Trans>}
      action={
        <>
          <Button busy={asking} onClick={ask}>
            <Trans>Ask again now</Trans>
          </Button>
          <Link to="/payment" search={{ planId, orderId }} className={buttonClass({ variant: 'secondary' })}>
            {of === 'push' ? <Trans>Change the number or the method</Trans> : <Trans>Choose another way to pay</Trans>}
          </Link>
        </>
      }
    >
      <WhatWasPaid order={order} />
      <p>
        <Trans>We have not heard yet whether you confirmed the payment. This page changes as soon as we know.</Trans>
      </p>
      <p>
        <Trans>
          If you did not confirm it, you can pay again. We ask first, and whatever is paid twice is given back.
        </Trans>
      </p>
    </StatePage>
  );
}
