import type { SubmitEvent } from 'react';
import { GoTo } from '../../payment-state/go-to.tsx';
import { ActionBar } from './action-bar.tsx';
import styles from './checkout.module.css';
import { DetailsStep } from './details-step.tsx';
import { MethodStep } from './method/method-step.tsx';
import { NextStepView } from './next/next-step-view.tsx';
import { OrderSummary } from './price/order-summary.tsx';
import { PayDialogs } from './act/pay-dialogs.tsx';
import { PayNotice } from './act/pay-notice.tsx';
import { pageOfRefusal } from './act/page-of-refusal.ts';
import { StepHeading } from './step-heading.tsx';
import { UnfinishedOffer } from './unfinished-offer.tsx';
import { useStep } from './use-address.ts';
import { useCheckout, type CheckoutSettings } from './use-checkout.ts';

/** Both steps with the summary beside them. What is typed lives here, so that going back and forth loses nothing. */
export function CheckoutForm(props: CheckoutSettings) {
  const { plan, currencies, choices, step } = props;
  const { purchase, session, state, coupon, cards, asked, payer } = useCheckout(props);
  const goTo = useStep(step);
  const elsewhere = pageOfRefusal(state, purchase.priceError);
  if (elsewhere) return <GoTo path={elsewhere} />;
  if (state.phase === 'next') return <NextStepView answer={state.answer} />;
  const choose = (event: SubmitEvent) => {
    event.preventDefault();
    if (!purchase.priceError) goTo('details');
  };
  const second = step === 'details';
  const sends = second ? payer.formProps : { ...payer.formProps, onSubmit: choose };
  return (
    <div className={styles.page}>
      <StepHeading step={step} />
      <form {...sends} className={styles.layout} onInput={session.edited}>
        {second ? (
          <DetailsStep purchase={purchase} cards={cards} payer={payer} choices={choices} onBack={() => goTo('method')}>
            <PayNotice state={state} asked={asked} onOtherMethod={() => goTo('method')} />
          </DetailsStep>
        ) : (
          <MethodStep purchase={purchase} currencies={currencies} choices={choices}>
            <PayNotice state={state} asked={asked} />
            {props.repay ? null : <UnfinishedOffer />}
          </MethodStep>
        )}
        <OrderSummary plan={plan} purchase={purchase} coupon={coupon} />
        <ActionBar step={step} purchase={purchase} ready={!cards.loading} state={state} />
      </form>
      <PayDialogs state={state} session={session} onPay={() => payer.formProps.ref.current?.requestSubmit()} />
    </div>
  );
}
