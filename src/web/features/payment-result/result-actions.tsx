import { Trans } from '@lingui/react/macro';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { NextStep, NextStepOf } from '../../../contract/next-step.ts';
import { currentScene } from '../../entry/scene.ts';
import { ContinueAtProvider } from '../../payment-state/continue-at-provider.tsx';
import type { PaymentView } from '../../payment-state/payment-view.ts';
import { resumePath } from '../../payment-state/resume-path.ts';
import { webAddress } from '../../payment-state/web-address.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import type { ResultKind } from './result-kind.ts';

interface ResultActionsProps {
  kind: ResultKind;
  view: PaymentView;
  orderId: string | undefined;
  /** where the provider wants the customer again */
  wants: NextStepOf<'redirect'> | undefined;
  ask: () => void;
}

/** The next step first, the orders second: those of the box for whoever came from one. */
export function ResultActions(props: ResultActionsProps) {
  return (
    <>
      <Primary {...props} />
      <Link
        to={currentScene().scene === 'STB' ? '/stb-orders' : '/orders'}
        className={buttonClass({ variant: 'secondary' })}
      >
        <Trans>View my orders</Trans>
      </Link>
      {props.kind === 'pending' ? <OtherWay view={props.view} /> : null}
    </>
  );
}

function Primary({ kind, view, ...rest }: ResultActionsProps) {
  switch (kind) {
    case 'succeeded':
      return <AfterSuccess view={view} />;
    case 'failed':
    case 'lapsed':
      return <TryAgain view={view} />;
    case 'pending':
      return <GoOn view={view} {...rest} />;
    case 'checking':
      return null;
    case 'cancelled':
      return (
        <Link to="/pricing-table" className={buttonClass()}>
          <Trans>See the plans</Trans>
        </Link>
      );
  }
}

/** For who has come back from a provider's page without having paid; the other steps offer it themselves. */
function OtherWay({ view: { order, next } }: { view: PaymentView }) {
  if (!order || next?.type !== 'redirect') return null;
  const { planId, orderId } = order;
  return (
    <Link to="/payment" search={{ planId, orderId, another: '1' }} className={buttonClass({ variant: 'quiet' })}>
      <Trans>Choose another way to pay</Trans>
    </Link>
  );
}

function AfterSuccess({ view: { order } }: { view: PaymentView }) {
  if (!order) return null;
  return (
    <>
      <Link to="/account" className={buttonClass()}>
        <Trans>See my account</Trans>
      </Link>
      {order.receipt ? (
        <Link to="/receipt" search={{ orderId: order.orderId }} className={buttonClass({ variant: 'secondary' })}>
          <Trans>Receipt</Trans>
        </Link>
      ) : null}
    </>
  );
}

/** Repays the same order. Without a session the plan is not known; the orders lead there after the login. */
function TryAgain({ view: { order } }: { view: PaymentView }) {
  if (!order) return null;
  return (
    <Link to="/payment" search={{ planId: order.planId, orderId: order.orderId }} className={buttonClass()}>
      <Trans>Try again</Trans>
    </Link>
  );
}

const goOnWords: Readonly<Record<Exclude<NextStep['type'], 'none' | 'redirect'>, ReactNode>> = {
  qr: <Trans>Show the Pix code</Trans>,
  ticket: <Trans>Show the slip</Trans>,
  push: <Trans>Continue payment</Trans>,
  otp: <Trans>Type the code</Trans>,
  crypto: <Trans>Show amount and address</Trans>,
  upload: <Trans>Show the transfer</Trans>,
};

function GoOn({ view: { next }, orderId, wants, ask }: Pick<ResultActionsProps, 'view' | 'orderId' | 'wants' | 'ask'>) {
  const navigate = useNavigate();
  if (wants) return <BackToProvider step={wants} />;
  if (!next || next.type === 'none' || orderId === undefined) return null;
  if (next.type === 'redirect') return <ContinueAtProvider orderId={orderId} step={next} onChanged={ask} />;
  return <Button onClick={() => void navigate({ href: resumePath(orderId, next) })}>{goOnWords[next.type]}</Button>;
}

/** The address that came with the answer, which works without a session, too. */
function BackToProvider({ step }: { step: NextStepOf<'redirect'> }) {
  const address = webAddress(step.url);
  return address ? (
    <a className={buttonClass()} href={address}>
      <Trans>Continue to the payment page</Trans>
    </a>
  ) : null;
}
