import type { PaymentMethod } from '../../../contract/billing.ts';
import { useBrand } from '../../brand/brand-context.tsx';
import type { CheckoutScreenProps } from './checkout-screen.tsx';
import type { PayState } from './act/pay-machine.ts';
import { askedGroups, type PayerForm } from './payer/payer-form.ts';
import { rememberPayer } from './payer/payer-memory.ts';
import { placeOfRefusal } from './act/refusal-place.ts';
import { useCards } from './cards/use-cards.ts';
import type { CheckoutStep } from './steps.tsx';
import type { Choices } from './use-choices.ts';
import { useOrderInAddress } from './use-address.ts';
import { useCoupon } from './coupon/use-coupon.ts';
import { usePay } from './act/use-pay.ts';
import { usePayer } from './payer/use-payer.ts';
import { usePurchase } from './price/use-purchase.ts';

export interface CheckoutSettings extends Omit<CheckoutScreenProps, 'step'> {
  step: CheckoutStep;
  choices: Choices;
  currency: string;
  methods: readonly PaymentMethod[];
  method: PaymentMethod;
}

/** All that a checkout knows: what is bought, the coupon, the cards, the payer's form, and how far the payment is. */
export function useCheckout(props: CheckoutSettings) {
  const { user, plan, tip, repay, orderId, anew, choices, currency, methods, method } = props;
  const { defaultInstallment } = useBrand().siteConfig.payment;
  const purchase = usePurchase({ planId: plan.id, currency, methods, method, orderId, defaultInstallment, choices });
  const { session, state } = usePay({
    uid: user.uid,
    planId: plan.id,
    orderId: repay?.orderId,
    anew,
    tip: repay ? { ...tip, unfinished: null } : tip,
  });
  const coupon = useCoupon(purchase, choices, state);
  const cards = useCards(method);
  const asked = askedGroups(method.fields, cards.use);
  const pay = async (form: PayerForm): Promise<PayState> => {
    const { charged: shown, input, installments } = purchase;
    if (!shown || cards.loading) return state;
    rememberPayer(user.uid, form);
    const ended = await session.tap({ input, method, installments, form, cardUse: cards.use, shown });
    const notice = ended.phase === 'idle' ? ended.notice : undefined;
    if (notice && 'code' in notice && notice.code !== undefined && placeOfRefusal(notice, asked) === 'savedCard') {
      cards.refused(notice.code);
    }
    return ended;
  };
  const payer = usePayer({ uid: user.uid, asked, currency, codeDigits: cards.use.saved?.codeDigits, pay });
  useOrderInAddress(state.phase === 'idle' && state.notice?.kind === 'declined' ? state.notice.orderId : undefined);
  return { purchase, session, state, coupon, cards, asked, payer };
}
