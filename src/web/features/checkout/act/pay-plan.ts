import type { QueryClient } from '@tanstack/react-query';
import type { PaymentMethod } from '#contract/billing.ts';
import type { Money } from '#contract/money.ts';
import type { CaptchaAnswer } from '#web/domain/auth/captcha/captcha-answer.ts';
import type { CardUse, PayerForm } from '#web/domain/payments/payer/payer-form.ts';
import type { PriceInput, Purchase } from '../price/use-purchase.ts';
import type { PayEvent, PayState } from './pay-machine.ts';

/** What the customer sees and has typed at the time of the tap. */
export interface PayPlan {
  readonly uid: string;
  readonly input: PriceInput;
  readonly method: PaymentMethod;
  readonly installments: number;
  readonly form: PayerForm;
  /** of a card method: which card, and whether a new one is saved */
  readonly cardUse?: CardUse | undefined;
  /** the order that is repaid */
  readonly orderId: string | undefined;
  /** the order's current step is closed first, even if the same method is chosen again */
  readonly replaceAttempt: boolean;
  /** the total on the button */
  readonly shown: Money;
  /** orders that the customer knows of and wants to pay in addition to */
  readonly accepted: readonly string[];
  /** whether the plan shall renew, and the terms on the screen */
  readonly renews?: Purchase['renewal'] | undefined;
  /** consumes the captcha answer if one was required; waits while the device computes it */
  readonly takeTicket?: (() => Promise<CaptchaAnswer>) | undefined;
}

export interface PayHooks {
  readonly client: QueryClient;
  /** sends an event to the machine; returns the new state */
  readonly send: (event: PayEvent) => PayState;
  readonly isMounted: () => boolean;
  /** the customer stopped waiting: an unsent request is not sent, and a sent one is looked up and not sent again */
  readonly stop: AbortSignal;
}
