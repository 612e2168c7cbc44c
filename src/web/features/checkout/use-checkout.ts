import type { PaymentMethod } from '../../../contract/billing.ts';
import { useBrand } from '../../brand/brand-context.tsx';
import type { CheckoutScreenProps } from './checkout-screen.tsx';
import { recallPayer, rememberPayer } from './payer-memory.ts';
import type { Choices } from './use-choices.ts';
import { useOrderInAddress } from './use-address.ts';
import { useCoupon } from './use-coupon.ts';
import { usePay } from './use-pay.ts';
import { usePayer } from './use-payer.ts';
import { usePurchase } from './use-purchase.ts';

export interface CheckoutSettings extends CheckoutScreenProps {
  choices: Choices;
  currency: string;
  methods: readonly PaymentMethod[];
  method: PaymentMethod;
}

/** All that a checkout knows: what is bought, the coupon, the payer's form, and how far the payment is. */
export function useCheckout({ user, plan, tip, repay, choices, currency, methods, method }: CheckoutSettings) {
  const { defaultInstallment } = useBrand().siteConfig.payment;
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
  useOrderInAddress(state.phase === 'idle' && state.notice?.kind === 'declined' ? state.notice.orderId : undefined);
  return { purchase, session, state, coupon, payer };
}
