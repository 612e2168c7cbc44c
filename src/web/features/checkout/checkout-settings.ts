import type { PaymentMethod } from '#contract/billing.ts';
import type { Order } from '#contract/order.ts';
import type { Period } from '#contract/periods.ts';
import type { PlanDetail } from '#contract/plan.ts';
import type { UserInfo } from '#contract/user.ts';
import type { Tip } from './act/pay-machine.ts';
import type { CheckoutStep } from './steps.tsx';
import type { Choices } from './use-choices.ts';

export interface CheckoutScreenProps {
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
