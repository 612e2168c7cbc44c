import type { Input } from '../../../../contract/endpoint.ts';
import { pay, repay, type PaymentMethod } from '../../../../contract/billing.ts';
import type { Scene } from '../../../../contract/scene.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { outcomeOfAnswer, outcomeOfFailure, type PayOutcome } from './pay-outcome.ts';
import { askedGroups, toCard, toPayer, type CardUse, type PayerForm } from '../payer/payer-form.ts';
import type { PriceInput } from '../price/use-purchase.ts';

/** A payment as it is sent, and sent again: the body and the key never part. */
export interface PayRequest {
  readonly idempotencyKey: string;
  readonly body: Input<typeof pay>['body'];
  /** the order that is repaid, when there is one */
  readonly orderId: string | undefined;
  /** see the contract's `repay` */
  readonly anew: boolean;
}

interface Parts {
  readonly input: PriceInput;
  readonly method: PaymentMethod;
  readonly quoteId: string;
  readonly installments: number;
  readonly form: PayerForm;
  readonly cardUse?: CardUse | undefined;
  readonly scene: Scene;
}

/** The body of pay and repay. The provider comes back to the result page, whose path the server completes. */
export function payBody({
  input,
  method,
  quoteId,
  installments,
  form,
  cardUse = {},
  scene,
}: Parts): PayRequest['body'] {
  const { planId, methodCode, currency, discountCode } = input;
  const { saved, save } = cardUse;
  const asked = askedGroups(method.fields, cardUse);
  const card = toCard(form, asked, save);
  return {
    planId,
    methodCode,
    currency,
    ...(discountCode === undefined ? {} : { discountCode }),
    ...(card ? { card } : {}),
    ...(saved ? { cardId: saved.cardId, cardCode: form.code } : {}),
    installments,
    quoteId,
    payer: toPayer(form, asked),
    returnUrl: '/paymentResult',
    source: scene,
  };
}

/** Sends a payment once and says what came of it; never throws for what a server or a network does. */
export async function sendPayment({ body, orderId, anew, idempotencyKey }: PayRequest): Promise<PayOutcome> {
  const options = { idempotencyKey, quiet: true };
  try {
    const answer =
      orderId === undefined
        ? await call(pay, { body }, options)
        : await call(repay, { body: { ...body, orderId, ...(anew ? { anew } : {}) } }, options);
    return outcomeOfAnswer(answer);
  } catch (error) {
    if (error instanceof ApiError) return outcomeOfFailure(error);
    throw error;
  }
}
