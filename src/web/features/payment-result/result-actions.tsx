import { Trans } from '@lingui/react/macro';
import { Link, useNavigate } from '@tanstack/react-router';
import { serverNow } from '../../api/server-clock.ts';
import { currentScene } from '../../entry/scene.ts';
import { isLapsed, type PaymentView } from '../../payment-state/payment-view.ts';
import { resumePath } from '../../payment-state/resume-path.ts';
import { webAddress } from '../../payment-state/web-address.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import type { ResultKind } from './result-state.tsx';

interface ResultActionsProps {
  kind: ResultKind;
  view: PaymentView;
  orderId: string | undefined;
}

/** The next step first, the orders second: those of the box for whoever came from one. */
export function ResultActions({ kind, view, orderId }: ResultActionsProps) {
  const primary = <Primary kind={kind} view={view} orderId={orderId} />;
  return (
    <>
      {primary}
      <Link
        to={currentScene().scene === 'STB' ? '/stb-orders' : '/orders'}
        className={buttonClass({ variant: 'secondary' })}
      >
        <Trans>View my orders</Trans>
      </Link>
    </>
  );
}

function Primary({ kind, view, orderId }: ResultActionsProps) {
  if (kind === 'succeeded') return <AfterSuccess view={view} />;
  if (kind === 'failed' || (kind === 'pending' && isLapsed(view, serverNow()))) return <TryAgain view={view} />;
  if (kind === 'pending') return <GoOn view={view} orderId={orderId} />;
  if (kind === 'checking') return null;
  return (
    <Link to="/pricing-table" className={buttonClass()}>
      <Trans>See the plans</Trans>
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

function GoOn({ view: { next }, orderId }: { view: PaymentView; orderId: string | undefined }) {
  const navigate = useNavigate();
  if (next?.type === 'qr' && orderId !== undefined) {
    return (
      <Button onClick={() => void navigate({ href: resumePath(orderId, next) })}>
        <Trans>Show the Pix code</Trans>
      </Button>
    );
  }
  const address = next?.type === 'redirect' ? webAddress(next.url) : undefined;
  if (!address) return null;
  return (
    <a className={buttonClass()} href={address}>
      <Trans>Continue to the bank</Trans>
    </a>
  );
}
