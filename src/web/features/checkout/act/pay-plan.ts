import type { QueryClient } from '@tanstack/react-query';
import type { PaymentMethod } from '#contract/billing.ts';
import type { Money } from '#contract/money.ts';
import type { CaptchaAnswer } from '#web/domain/auth/captcha/given.ts';
import type { CardUse, PayerForm } from '#web/domain/payments/payer/payer-form.ts';
import type { PriceInput, Purchase } from '../price/use-purchase.ts';
import type { PayEvent, PayState } from './pay-machine.ts';

/** What the customer sees and typed at the moment of the tap. */
export interface PayPlan {
  readonly uid: string;
  readonly input: PriceInput;
  readonly method: PaymentMethod;
  readonly installments: number;
  readonly form: PayerForm;
  /** of a card method: which card, and whether a new one is kept */
  readonly cardUse?: CardUse | undefined;
  /** the order that is repaid */
  readonly orderId: string | undefined;
  /** what waits for that order is closed first, also where the same method is taken again */
  readonly replaceAttempt: boolean;
  /** the total on the button */
  readonly shown: Money;
  /** orders that the customer knows of and pays beside */
  readonly accepted: readonly string[];
  /** whether it shall renew, and the terms that are on the screen */
  readonly renews?: Purchase['renewal'] | undefined;
  /** takes the answer to a captcha, where one was required; it waits while the device works on it */
  readonly takeTicket?: (() => Promise<CaptchaAnswer>) | undefined;
}

export interface PayHooks {
  readonly client: QueryClient;
  /** tells the machine; answers with the state it is in then */
  readonly send: (event: PayEvent) => PayState;
  readonly alive: () => boolean;
  /** the customer has stopped waiting: what was not sent stays here, and what was sent is looked up and not sent again */
  readonly stop: AbortSignal;
}
