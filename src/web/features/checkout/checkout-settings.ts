import type { PaymentMethod } from '#contract/billing.ts';
import type { Order } from '#contract/order.ts';
import type { PlanDetail } from '#contract/plan.ts';
import type { UserInfo } from '#contract/user.ts';
import type { Tip } from './act/pay-machine.ts';
import type { CheckoutStep } from './steps.tsx';
import type { Choices } from './use-choices.ts';

export interface CheckoutScreenProps {
  user: UserInfo;
  plan: PlanDetail;
  tip: Tip;
  /** when the account is deleted: nothing can be bought until it is kept; epoch milliseconds */
  leavesAt: number | null;
  repay: Order | undefined;
  /** the order that the next tap repays: that one, or one that was declined on this page */
  orderId: string | undefined;
  /** what waits for this order is closed first, also where the same method is taken again */
  replaceAttempt: boolean;
  currencies: readonly string[];
  /** what the address wishes for */
  currency: string | undefined;
  /** what the address says; without it, where this customer begins */
  step: CheckoutStep | undefined;
}

export interface CheckoutSettings extends Omit<CheckoutScreenProps, 'step'> {
  step: CheckoutStep;
  choices: Choices;
  currency: string;
  methods: readonly PaymentMethod[];
  method: PaymentMethod;
}
