import { Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { Link } from '#web/platform/brand/link.tsx';
import type { Order } from '#contract/order.ts';
import type { NextStep, NextStepOf } from '#contract/next-step.ts';
import { currentScene } from '#web/platform/entry/scene.ts';
import { RepayLink, CancelOrder } from '#web/domain/payments/order-actions.tsx';
import { ContinueAtProvider, webAddress } from '#web/domain/payments/continue-at-provider.tsx';
import { OpenApp, useBrandApp } from '#web/domain/notifications/install/open-app.tsx';
import type { PaymentView } from '#web/domain/payments/use-payment-state.ts';
import { resumePath } from '#web/domain/payments/resume-path.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import styles from './payment-result.module.css';
import type { ResultKind } from './use-finish.ts';
import type { Elements } from '#web/ui/elements.ts';

interface ResultActionsProps {
  kind: ResultKind;
  view: PaymentView;
  orderId: string | undefined;
  /** set if the provider requires the customer again */
  wants: NextStepOf<'redirect'> | undefined;
  ask: () => void;
}

/** The next step first, then the orders: those of the TV device if the customer came from one. */
export function ResultActions(props: ResultActionsProps) {
  if (props.kind === 'succeeded' && props.view.order) return <AfterSuccess order={props.view.order} />;
  return (
    <>
      <PrimaryAction {...props} />
      <OrdersLink variant="secondary" />
      {props.kind === 'pending' || props.kind === 'left' || props.kind === 'returned' ? (
        <OtherMethodAction view={props.view} ask={props.ask} />
      ) : null}
    </>
  );
}

function OrdersLink({ variant }: { variant: 'secondary' | 'quiet' }) {
  return (
    <Link to={currentScene().scene === 'STB' ? '/stb-orders' : '/orders'} className={buttonClass({ variant })}>
      <Trans>View my orders</Trans>
    </Link>
  );
}

function PrimaryAction({ kind, view, ...rest }: ResultActionsProps) {
  switch (kind) {
    case 'failed':
    case 'lapsed':
      return <TryAgain view={view} />;
    case 'pending':
    case 'left':
      return <ContinuePayment view={view} {...rest} />;
    case 'returned':
      return <ContinuePayment view={view} {...rest} variant="secondary" />;
    case 'succeeded':
    case 'checking':
      return null;
    case 'cancelled':
      return <BuyAgain view={view} />;
  }
}

/** For a customer who returned from a provider's page without paying; the other steps offer it themselves. */
function OtherMethodAction({ view: { order, next }, ask }: Pick<ResultActionsProps, 'view' | 'ask'>) {
  if (!order || next?.type !== 'redirect') return null;
  const { planId, orderId } = order;
  return (
    <>
      <Link to="/payment" search={{ planId, orderId, another: '1' }} className={buttonClass({ variant: 'quiet' })}>
        <Trans>Pay another way</Trans>
      </Link>
      <CancelOrder order={order} onChanged={ask} />
    </>
  );
}

/** The app and the TV, where the plan is used, come first; a TV has the app already. */
function AfterSuccess({ order }: { order: Order }) {
  const hasApp = useBrandApp() !== undefined;
  const atTv = document.documentElement.dataset.screen === 'TV' || currentScene().scene === 'STB';
  const isFirst = !hasApp || atTv;
  return (
    <>
      {atTv ? null : (
        <>
          <OpenApp first />
          <Link to="/connect-tv" className={buttonClass({ variant: isFirst ? 'primary' : 'secondary', size: 'lg' })}>
            <Trans>Connect a TV</Trans>
          </Link>
        </>
      )}
      <div className={styles.rest}>
        <Link
          to="/account"
          data-first={atTv ? '' : undefined}
          className={buttonClass({ variant: atTv ? 'primary' : 'quiet' })}
        >
          <Trans>View my account</Trans>
        </Link>
        {order.receipt ? (
          <Link to="/receipt" search={{ orderId: order.orderId }} className={buttonClass({ variant: 'quiet' })}>
            <Trans>Receipt</Trans>
          </Link>
        ) : null}
        <OrdersLink variant="quiet" />
      </div>
    </>
  );
}

function BuyAgain({ view: { order } }: { view: PaymentView }) {
  return order ? (
    <Link to="/payment" search={{ planId: order.planId }} className={buttonClass()}>
      <Trans>Buy this plan again</Trans>
    </Link>
  ) : (
    <Link to="/pricing-table" className={buttonClass()}>
      <Trans>See plans</Trans>
    </Link>
  );
}

/** Repays the same order. Without a session the plan is unknown; the orders page repays it after the login. */
function TryAgain({ view: { order } }: { view: PaymentView }) {
  return order ? <RepayLink order={order} variant="primary" /> : null;
}

const continueLabels: Readonly<Record<Exclude<NextStep['type'], 'none' | 'redirect'>, Elements>> = {
  qr: <Trans>Show Pix code</Trans>,
  ticket: <Trans>Show boleto</Trans>,
  push: <Trans>Continue payment</Trans>,
  otp: <Trans>Enter the code</Trans>,
  crypto: <Trans>Show amount and address</Trans>,
  upload: <Trans>Show transfer details</Trans>,
};

interface GoOnProps extends Pick<ResultActionsProps, 'view' | 'orderId' | 'wants' | 'ask'> {
  variant?: 'primary' | 'secondary';
}

function ContinuePayment({ view: { next }, orderId, wants, ask, variant = 'primary' }: GoOnProps) {
  const navigate = useNavigate();
  if (wants) return <BackToProvider step={wants} variant={variant} />;
  if (!next || next.type === 'none' || orderId === undefined) return null;
  if (next.type === 'redirect') return <ContinueAtProvider {...{ orderId, variant }} step={next} onChanged={ask} />;
  return (
    <Button variant={variant} onClick={() => void navigate({ href: resumePath(orderId, next) })}>
      {continueLabels[next.type]}
    </Button>
  );
}

/** The URL in the response, which works without a session, too. */
function BackToProvider({ step, variant }: { step: NextStepOf<'redirect'>; variant: 'primary' | 'secondary' }) {
  const address = webAddress(step.url);
  return address ? (
    <a className={buttonClass({ variant })} href={address}>
      <Trans>Go to payment page</Trans>
    </a>
  ) : null;
}
