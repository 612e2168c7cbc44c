import type { SubmitEvent } from 'react';
import type { PaymentMethod } from '../../../contract/billing.ts';
import { useBrand } from '../../brand/brand-context.tsx';
import { ActionBar } from './action-bar.tsx';
import type { CheckoutScreenProps } from './checkout-screen.tsx';
import styles from './checkout.module.css';
import { DetailsStep } from './details-step.tsx';
import { MethodStep } from './method-step.tsx';
import { NextStepView } from './next/next-step-view.tsx';
import { OrderSummary } from './order-summary.tsx';
import { PayDialogs } from './pay-dialogs.tsx';
import { PayNotice } from './pay-notice.tsx';
import { recallPayer, rememberPayer } from './payer-memory.ts';
import { StepHeading } from './step-heading.tsx';
import type { Choices } from './use-choices.ts';
import { useOrderInAddress, useStep } from './use-address.ts';
import { useCoupon } from './use-coupon.ts';
import { usePay } from './use-pay.ts';
import { usePayer } from './use-payer.ts';
import { usePurchase } from './use-purchase.ts';

interface CheckoutFormProps extends CheckoutScreenProps {
  choices: Choices;
  currency: string;
  methods: readonly PaymentMethod[];
  method: PaymentMethod;
}

/** Both steps with the summary beside them. What is typed lives here, so that going back and forth loses nothing. */
export function CheckoutForm(props: CheckoutFormProps) {
  const { user, plan, tip, repay, currencies, choices, currency, methods, method, step } = props;
  const { siteConfig } = useBrand();
  const { defaultInstallment } = siteConfig.payment;
  const purchase = usePurchase({ planId: plan.id, currency, methods, method, defaultInstallment, choices });
  const { session, state } = usePay({
    uid: user.uid,
    planId: plan.id,
    orderId: repay?.orderId,
    unfinished: repay ? null : tip.unfinished,
  });
  const coupon = useCoupon(purchase, choices, state);
  const payer = usePayer({
    fields: method.fields,
    currency,
    initial: recallPayer(user.uid),
    pay: (form) => {
      rememberPayer(user.uid, form);
      const { charged: shown, input, installments } = purchase;
      return shown ? session.tap({ input, method, installments, form, shown }) : Promise.resolve(state);
    },
  });
  const goTo = useStep(step);
  useOrderInAddress(state.phase === 'idle' && state.notice?.kind === 'declined' ? state.notice.orderId : undefined);

  if (state.phase === 'next') return <NextStepView answer={state.answer} />;
  const choose = (event: SubmitEvent) => {
    event.preventDefault();
    if (!purchase.priceError) goTo('details');
  };
  const second = step === 'details';
  return (
    <div className={styles.page}>
      <StepHeading step={step} />
      <form
        {...payer.formProps}
        {...(second ? {} : { onSubmit: choose })}
        className={styles.layout}
        onInput={session.edited}
      >
        {second ? (
          <DetailsStep purchase={purchase} payer={payer} choices={choices} onBack={() => goTo('method')}>
            <PayNotice state={state} onOtherMethod={() => goTo('method')} />
          </DetailsStep>
        ) : (
          <MethodStep purchase={purchase} currencies={currencies} choices={choices}>
            <PayNotice state={state} />
          </MethodStep>
        )}
        <OrderSummary plan={plan} purchase={purchase} coupon={coupon} />
        <ActionBar step={step} purchase={purchase} state={state} />
      </form>
      <PayDialogs state={state} session={session} onPay={() => payer.formProps.ref.current?.requestSubmit()} />
    </div>
  );
}
