import { type SubmitEvent, useRef, useState, useEffect } from 'react';
import { RedirectTo } from '#web/domain/payments/redirect-to.tsx';
import { ActionBar, SummaryPayButton } from './action-bar.tsx';
import styles from './checkout.module.css';
import { DetailsStep } from './details-step.tsx';
import { ContinueOnPhoneButton, useHandoverStep } from './handover/phone-handover-slot.tsx';
import { MethodStep } from './method/method-step.tsx';
import { CouponField, useOwnCoupons } from './coupon/coupon-field.tsx';
import { isBusy } from './act/pay-machine.ts';
import { PlanChoice } from './price/plan-choice.tsx';
import { OrderSummary } from './price/order-summary.tsx';
import { PayDialogs } from './act/pay-dialogs.tsx';
import { PayNotice } from './act/pay-notice.tsx';
import { blurActiveElement } from '#web/ui/blur-active-element.ts';
import { CheckoutSkeleton, isTv, StepHeading, useOnePage, type CheckoutStep } from './steps.tsx';
import type { CheckoutSettings } from './checkout-settings.ts';
import { useCheckout, useStep } from './use-checkout.ts';
import type { Elements } from '#web/ui/elements.ts';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { queryCart } from '#contract/orders.ts';
import { orderAction } from '#web/domain/payments/order-action.ts';
import { OrderActions } from '#web/domain/payments/order-actions.tsx';
import { q } from '#web/platform/api/query.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { Alert } from '#web/ui/alert.tsx';
import { dot } from '#web/ui/money-text.tsx';
import { DeletionNotice } from '#web/domain/payments/deletion-notice.tsx';
import { useNavigate } from '@tanstack/react-router';
import type { PaymentAnswer } from '#contract/billing.ts';
import { resultPath, resumePath } from '#web/domain/payments/resume-path.ts';
import { webAddress } from '#web/domain/payments/continue-at-provider.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

/**
 * Both steps and the summary: on one page if there is space, else one after the other, with the purchase above the
 * second step. The state is owned here, so that going back and forth loses nothing.
 */
export function CheckoutForm(props: CheckoutSettings) {
  const checkout = useCheckout(props);
  const { session, state, refusal, priceRefusal, payer } = checkout;
  const onPhone = useHandoverStep(props);
  const leaving = useDeletionNotice(props.leavesAt);
  const isComplete = useDetailsReady(checkout);
  const place = [refusal, priceRefusal].find((found) => found?.place.at === 'page')?.place;
  if (place?.at === 'page') return <RedirectTo path={place.path.replace('?', `?planId=${props.plan.id}&`)} />;
  if (state.phase === 'next') return <NextStepView answer={state.answer} />;
  if (!isComplete) return <CheckoutSkeleton step={props.step} />;
  return (
    <div className={styles.page}>
      {leaving.notice}
      {onPhone ?? <Form {...props} checkout={checkout} leaving={leaving} />}
      {leaving.stop ? null : (
        <PayDialogs state={state} session={session} onPay={() => payer.formProps.ref.current?.requestSubmit()} />
      )}
    </div>
  );
}

/**
 * Whether the form can be shown. On one page the methods are below the details of the chosen one. Each part of the
 * details that arrived later would move them away under the pointer, and bring the consent to renew there.
 */
function useDetailsReady({ cards, purchase }: Pick<ReturnType<typeof useCheckout>, 'cards' | 'purchase'>): boolean {
  const isReady = !(cards.loading || purchase.priceLoads);
  const [wasReady, setWasReady] = useState(isReady);
  if (isReady && !wasReady) setWasReady(true);
  return useOnePage() ? wasReady : true;
}

type FormProps = CheckoutSettings & { checkout: ReturnType<typeof useCheckout>; leaving: Leaving };

function Form(props: FormProps) {
  const { plan, periods, step, checkout, leaving } = props;
  const { purchase, session, state, priceRefusal, coupon, cards, payer } = checkout;
  const goTo = useStep(step);
  const onePage = useOnePage();
  const isLast = step === 'details' || onePage;
  const choose = (event: SubmitEvent) => {
    event.preventDefault();
    if (purchase.priceError) return;
    blurActiveElement(event.currentTarget); // the heading of the step takes it
    goTo('details');
  };
  const onSubmit = isLast ? leaving.stop : choose;
  const sends = onSubmit ? { ...payer.formProps, onSubmit } : payer.formProps;
  // the summary is far below the methods there
  const couponFirst = useOwnCoupons(purchase.input).length > 0 && !isLast;
  const inSummary = couponFirst ? undefined : coupon;
  const action = { purchase, cards, state, leaves: leaving.stop !== undefined };
  const main = <MainColumn key="main" {...props} goTo={goTo} onePage={onePage} couponFirst={couponFirst} />;
  const order = { plan, periods, purchase, refusal: priceRefusal, coupon: inSummary };
  const summary = (
    <OrderSummary key="summary" {...order}>
      {onePage ? <SummaryPayButton {...action} /> : null}
    </OrderSummary>
  );
  const bar = onePage ? null : <ActionBar key="bar" {...action} isLast={isLast} />;
  const showsFirst = isLast && !onePage && !isTv();
  return (
    <form
      {...sends}
      className={styles.layout}
      data-one-page={onePage || undefined}
      data-confirms={showsFirst || undefined}
      onInput={session.edited}
    >
      <StepHeading step={step} onePage={onePage} />
      {arrange({ main, summary, bar, showsFirst })}
    </form>
  );
}

interface Parts {
  main: Elements;
  summary: Elements;
  bar: Elements;
  /** the purchase is above the form */
  showsFirst: boolean;
}

/** On a TV the button is in the column of the form, so that the arrow keys reach it. */
function arrange({ main, summary, bar, showsFirst }: Parts): Elements {
  if (!isTv()) return showsFirst ? [summary, main, bar] : [main, summary, bar];
  return [
    <div key="column" className={styles.column}>
      {main}
      {bar}
    </div>,
    summary,
  ];
}

type MainProps = FormProps & {
  goTo: (step: CheckoutStep) => void;
  onePage: boolean;
  /** the coupons are above the methods */
  couponFirst: boolean;
};

/** The choices and the form. */
function MainColumn(props: MainProps) {
  const { currencies, choices, step, repay, tip, checkout, goTo, onePage, couponFirst } = props;
  const { purchase, session, state, refusal, cards, payer, captcha, coupon } = checkout;
  const details = { purchase, cards, payer, choices, captcha };
  const told = { state, refusal, onStop: session.stop };
  const onMyPhone = <ContinueOnPhoneButton onPress={() => goTo('phone')} />;
  if (step === 'details' && !onePage) {
    return (
      <DetailsStep {...details} onBack={() => goTo('method')}>
        {onMyPhone}
        <PayNotice {...told} onOtherMethod={() => goTo('method')} />
      </DetailsStep>
    );
  }
  const unfolded = onePage ? (
    <DetailsStep {...details}>
      <PayNotice {...told} />
    </DetailsStep>
  ) : null;
  const onTap = onePage || isTv() || isBusy(state) ? undefined : () => goTo('details');
  return (
    <MethodStep purchase={purchase} currencies={currencies} choices={choices} details={unfolded} onTap={onTap}>
      {onMyPhone}
      <PlanChoice {...props} purchase={purchase}>
        {couponFirst ? <CouponField coupon={coupon} input={purchase.input} /> : null}
      </PlanChoice>
      {onePage ? null : <PayNotice {...told} />}
      {repay || tip.unfinished ? null : <UnfinishedOffer />}
    </MethodStep>
  );
}

/**
 * A payment that was started here or on another device: offered before a second order is created, unless the tip showed
 * it, which contains only what existed when the page was opened.
 */
function UnfinishedOffer() {
  const { data } = useQuery(q(queryCart, { body: {} }, { quiet: true }));
  const waiting = data?.items.find((order) => orderAction(order, serverNow()) === 'continue');
  if (!waiting) return null;
  return (
    <Alert
      tone="info"
      title={<Trans>You have a payment to finish</Trans>}
      action={<OrderActions order={waiting} isSecondary />}
    >
      <span data-private translate="no">{`${waiting.planName}${dot}${waiting.methodName}`}</span>
    </Alert>
  );
}

interface Leaving {
  /** above every step; null unless the account is to be deleted */
  readonly notice: Elements;
  /** replaces paying: moves the focus to the notice, and sends nothing; undefined once the deletion is cancelled */
  readonly stop: ((event: SubmitEvent) => void) | undefined;
}

/**
 * `leavesAt`: when the account is deleted, as loaded with the checkout; later changes are reported by the refusal of
 * pay.
 */
function useDeletionNotice(leavesAt: number | null): Leaving {
  const [at] = useState(leavesAt);
  const [kept, setKept] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  if (at === null) return { notice: null, stop: undefined };
  const stop = (event: SubmitEvent) => {
    event.preventDefault();
    ref.current?.focus();
    ref.current?.scrollIntoView({ block: 'center' });
  };
  return {
    notice: <DeletionNotice ref={ref} at={at} onKept={() => setKept(true)} />,
    stop: kept ? undefined : stop,
  };
}

/** What follows pay: each step type has its own URL, so that it survives a reload (contract, `nextStepSchema`). */
function NextStepView({ answer }: { answer: PaymentAnswer }) {
  const { orderId, next } = answer;
  const path = resumePath(orderId, next);
  if (next.type !== 'redirect') return <RedirectTo path={path} />;
  const address = webAddress(next.url);
  return address ? <LeaveForBank address={address} path={path} /> : <RedirectTo path={resultPath(orderId)} />;
}

/**
 * Opens the bank's page in the same window, and replaces the checkout with the step's page: Back from the bank leads
 * there. What is needed to continue is stored already.
 */
function LeaveForBank({ address, path }: { address: string; path: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    const leave = () => location.assign(address);
    // The URL is replaced at once; whether the page behind it loads does not matter to a customer who leaves.
    navigate({ href: path, replace: true }).then(leave, leave);
  }, [navigate, address, path]);
  return <Spinner label={<Trans>Taking you to the payment page…</Trans>} />;
}
