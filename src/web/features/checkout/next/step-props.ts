import type { NextStep } from '../../../../contract/next-step.ts';
import type { Order } from '../../../../contract/order.ts';

/** What every step is given. */
export interface StepProps<Step extends NextStep> {
  step: Step;
  order: Order;
  /** reads the payment's state anew */
  ask: () => void;
  /** its time is over */
  onEnd: () => void;
}
