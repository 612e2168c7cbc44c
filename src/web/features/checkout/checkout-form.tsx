import type { SubmitEvent } from 'react';
import { ActionBar } from './action-bar.tsx';
import styles from './checkout.module.css';
import { DetailsStep } from './details-step.tsx';
import { MethodStep } from './method-step.tsx';
import { NextStepView } from './next/next-step-view.tsx';
import { OrderSummary } from './order-summary.tsx';
import { PayDialogs } from './pay-dialogs.tsx';
import { PayNotice } from './pay-notice.tsx';
import { StepHeading } from './step-heading.tsx';
import { useStep } from './use-address.ts';
import { useCheckout, type CheckoutSettings } from './use-checkout.ts';

/** Both steps with the summary beside them. What is typed lives here, so that going back and forth loses nothing. */
export function CheckoutForm(props: CheckoutSettings) {
  const { plan, currencies, choices, method, step } = props;
  const { purchase, session, state, coupon, payer } = useCheckout(props);
  const goTo = useStep(step);
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
          <DetailsStep purchase={purchase} payer={payer} choices={choices} onBack={() => goTo('method')}>
            <PayNotice state={state} fields={method.fields} onOtherMethod={() => goTo('method')} />
          </DetailsStep>
        ) : (
          <MethodStep purchase={purchase} currencies={currencies} choices={choices}>
            <PayNotice state={state} fields={method.fields} />
          </MethodStep>
        )}
        <OrderSummary plan={plan} purchase={purchase} coupon={coupon} />
        <ActionBar step={step} purchase={purchase} state={state} />
      </form>
      <PayDialogs state={state} session={session} onPay={() => payer.formProps.ref.current?.requestSubmit()} />
    </div>
  );
}
