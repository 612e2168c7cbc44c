import type { SubmitEvent } from 'react';
import { GoTo } from '#web/domain/payments/go-to.tsx';
import { ActionBar, PayHere } from './action-bar.tsx';
import styles from './checkout.module.css';
import { DetailsStep } from './details-step.tsx';
import { OnMyPhone, useHandoverStep } from './handover/phone-handover-slot.tsx';
import { MethodStep } from './method/method-step.tsx';
import { NextStepView } from './next/next-step-view.tsx';
import { OrderSummary } from './price/order-summary.tsx';
import { PayDialogs } from './act/pay-dialogs.tsx';
import { PayNotice } from './act/pay-notice.tsx';
import { UnfinishedOffer } from './unfinished-offer.tsx';
import { blurActiveElement } from '#web/ui/blur-active-element.ts';
import { useLeaving, type Leaving } from './use-leaving.tsx';
import { isTv, StepHeading, useOnePage, type CheckoutStep } from './steps.tsx';
import { useStep } from './use-address.ts';
import type { CheckoutSettings } from './checkout-settings.ts';
import { useCheckout } from './use-checkout.ts';
import type { Elements } from '#web/ui/elements.ts';

/**
 * Both steps and the summary: on one page if there is space, else one after the other, with the purchase above the
 * second step. The state is owned here, so that going back and forth loses nothing.
 */
export function CheckoutForm(props: CheckoutSettings) {
  const checkout = useCheckout(props);
  const { session, state, refusal, priceRefusal, payer } = checkout;
  const onPhone = useHandoverStep(props);
  const leaving = useLeaving(props.leavesAt);
  const place = [refusal, priceRefusal].find((found) => found?.place.at === 'page')?.place;
  if (place?.at === 'page') return <GoTo path={place.path.replace('?', `?planId=${props.plan.id}&`)} />;
  if (state.phase === 'next') return <NextStepView answer={state.answer} />;
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

type FormProps = CheckoutSettings & { checkout: ReturnType<typeof useCheckout>; leaving: Leaving };

function Form(props: FormProps) {
  const { plan, step, checkout, leaving } = props;
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
  const action = { purchase, cards, state, leaves: leaving.stop !== undefined };
  const main = <MainColumn key="main" {...props} goTo={goTo} onePage={onePage} />;
  const summary = (
    <OrderSummary key="summary" plan={plan} purchase={purchase} refusal={priceRefusal} coupon={coupon}>
      {onePage ? <PayHere {...action} /> : null}
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

type MainProps = FormProps & { goTo: (step: CheckoutStep) => void; onePage: boolean };

/** The choices and the form. */
function MainColumn({ currencies, choices, step, repay, tip, checkout, goTo, onePage }: MainProps) {
  const { purchase, session, state, refusal, cards, payer, captcha } = checkout;
  const details = { purchase, cards, payer, choices, captcha };
  const told = { state, refusal, onStop: session.stop };
  const onMyPhone = <OnMyPhone onPress={() => goTo('phone')} />;
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
  return (
    <MethodStep purchase={purchase} currencies={currencies} choices={choices} details={unfolded}>
      {onMyPhone}
      {onePage ? null : <PayNotice {...told} />}
      {repay || tip.unfinished ? null : <UnfinishedOffer />}
    </MethodStep>
  );
}
