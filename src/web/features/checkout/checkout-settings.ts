import type { PayerForm } from '#web/domain/payments/payer/payer-form.ts';
import type { PaymentMethod } from '#contract/billing.ts';
import type { Order } from '#contract/order.ts';
import type { Period } from '#contract/periods.ts';
import type { PlanDetail } from '#contract/plan.ts';
import type { UserInfo } from '#contract/user.ts';
import type { Tip } from './act/pay-machine.ts';
import type { CheckoutStep } from './steps.tsx';
import type { Choices } from './use-choices.ts';

/** What a change of plan carries over to the next checkout of this page, besides the stored drafts. */
export interface CarriedCheckout {
  /** the payer's form, with the card, which is never stored */
  readonly getTyped: () => Partial<PayerForm>;
  readonly setTyped: (form: PayerForm) => void;
  readonly recordPlanChange: () => void;
  /** whether a plan was chosen since the last call: the new checkout moves the focus to it */
  readonly consumePlanChange: () => boolean;
}

export function createCarriedCheckout(): CarriedCheckout {
  let typed: Partial<PayerForm> = {};
  let isPlanChanged = false;
  return {
    getTyped: () => typed,
    setTyped: (form) => (typed = form),
    recordPlanChange: () => (isPlanChanged = true),
    consumePlanChange: () => {
      const wasChanged = isPlanChanged;
      isPlanChanged = false;
      return wasChanged;
    },
  };
}

export interface CheckoutScreenProps {
  carried: CarriedCheckout;
  user: UserInfo;
  plan: PlanDetail;
  tip: Tip;
  /** when the account is deleted: nothing can be bought unless the deletion is cancelled; epoch milliseconds */
  leavesAt: number | null;
  /** of the customer, before this purchase */
  periods: readonly Period[];
  repay: Order | undefined;
  /** the order that the next tap repays: `repay`, or one that was declined on this page */
  orderId: string | undefined;
  /** the order's current step is closed first, even if the same method is chosen again */
  replaceAttempt: boolean;
  currencies: readonly string[];
  /** the currency in the URL */
  currency: string | undefined;
  /** the step in the URL; otherwise this customer's first step */
  step: CheckoutStep | undefined;
}

export interface CheckoutSettings extends Omit<CheckoutScreenProps, 'step'> {
  step: CheckoutStep;
  choices: Choices;
  currency: string;
  methods: readonly PaymentMethod[];
  method: PaymentMethod;
}
