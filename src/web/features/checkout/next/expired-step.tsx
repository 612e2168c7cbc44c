import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { Order } from '#contract/order.ts';
import type { StepType } from '#contract/next-step.ts';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { WhatWasPaid } from './step-head.tsx';
import { useNewCode } from '../new-code.ts';

interface ExpiredWords {
  readonly title: MessageDescriptor;
  readonly text: MessageDescriptor;
  readonly action: MessageDescriptor;
}

const untaken: ExpiredWords = {
  title: msg`The time to pay is over`,
  text: msg`If you have just paid, nothing is lost: we ask before you pay again, and whatever is paid twice is given back.`,
  action: msg`Try again`,
};

const words: Readonly<Record<StepType, ExpiredWords>> = {
  qr: {
    title: msg`This code has expired`,
    text: msg`Please do not pay the old code. If you have just paid it, nothing is lost: it will appear in your orders.`,
    action: msg`Generate a new code`,
  },
  ticket: {
    title: msg`This slip has expired`,
    text: msg`Please do not pay the old slip. If you have just paid it, nothing is lost: it will appear in your orders.`,
    action: msg`Get a new slip`,
  },
  crypto: {
    title: msg`The time for this amount has passed`,
    text: msg`The rate has changed since. Please send nothing more to the old address. What you have sent is not lost: it will appear in your orders.`,
    action: msg`Get a new amount`,
  },
  upload: {
    title: msg`The time for this transfer has passed`,
    text: msg`Please do not use the old code. If you have already made the transfer, nothing is lost: write to us.`,
    action: msg`Get a new code`,
  },
  otp: {
    title: msg`This code has expired`,
    text: msg`Try again to get a new code. If the old one was accepted at the last moment, we notice it before you pay again.`,
    action: msg`Try again`,
  },
  push: untaken,
  redirect: untaken,
};

/** For a customer who scanned the picture of a code, as the brand's app links them. */
const scanned: ExpiredWords = {
  title: msg`This code belongs to an order that has expired`,
  text: msg`It can no longer be scanned. Get a new code for the same order and scan that one. If you have already made the transfer, nothing is lost: write to us.`,
  action: msg`Get a new code`,
};

interface ExpiredStepProps {
  of: StepType;
  order: Order;
  /** the customer scanned a code and has to scan another */
  scansAgain: boolean;
  /** the state is being read again: the order may have been paid at the last second */
  checking: boolean;
  onRenewed: () => void;
  onRenewing?: (isRenewing: boolean) => void;
}

/** The expired step was removed; the same order gets a new one. */
export function ExpiredStep({ of, order, scansAgain, checking, onRenewed, onRenewing }: ExpiredStepProps) {
  const { i18n } = useLingui();
  const { isPending, make } = useNewCode({ order, checking, made: onRenewed, ...(onRenewing && { onRenewing }) });
  const said = scansAgain ? scanned : words[of];
  return (
    <StatePage
      art={<StateArt kind="cancelled" />}
      title={i18n._(said.title)}
      action={
        <>
          <Button busy={isPending} onClick={make}>
            <span>{i18n._(said.action)}</span>
          </Button>
          <Link to="/orders" className={buttonClass({ variant: 'secondary' })}>
            <Trans>View my orders</Trans>
          </Link>
        </>
      }
    >
      <WhatWasPaid order={order} />
      <p>{i18n._(said.text)}</p>
    </StatePage>
  );
}
