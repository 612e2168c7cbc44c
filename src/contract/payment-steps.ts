import * as v from 'valibot';
import { paymentAnswerSchema } from './billing.ts';
import { endpoint } from './endpoint.ts';
import { paymentFailures } from './error-codes.ts';
import { orderIdSchema, resultTokenSchema, text, textSchema } from './fields.ts';
import { uploadLimitBytes } from './limits.ts';
import { coinSchema, nextStepSchema } from './next-step.ts';
import { publicPaymentSchema } from './order.ts';
import { normalizeToken } from './normalize-text.ts';

/**
 * Calls that continue a payment after `pay`, one for each customer action. None needs an idempotency key: the attempt
 * is committed and its ID is the key at the provider, so repeating a step changes nothing. Customer calls name the
 * order. Calls of a return page name the result token, because the customer may return in another browser; the token
 * only lets the provider complete what the customer approved.
 */
const ownOrder = v.strictObject({ orderId: orderIdSchema });

/** A payment after the customer's return: its public state, and the next step if the provider requires one. */
const finishedPaymentSchema = v.object({
  ...publicPaymentSchema.entries,
  next: nextStepSchema,
  /** the provider has confirmed that nothing was paid on its page; false if that is not known */
  unpaid: v.optional(v.boolean(), false),
});
export type FinishedPayment = v.InferOutput<typeof finishedPaymentSchema>;

const create = {
  method: 'POST',
  access: 'customer',
  body: ownOrder,
  result: paymentAnswerSchema,
  errors: [...paymentFailures, 'orderNotFound', 'operationUnsupported'],
} as const;

const confirm = {
  method: 'POST',
  body: v.strictObject({ token: resultTokenSchema }),
  result: finishedPaymentSchema,
  errors: ['paymentInfoNotFound', 'operationUnsupported'],
} as const;

/** Opens the provider's page again for a pending order: a page URL is valid for one visit. */
export const useepayCreate = endpoint({
  name: 'useepayCreate',
  path: '/api/bill/payment/useepay/customer/create/v1',
  ...create,
});

/**
 * Completes a payment after the payer returned from the provider's page. `paymentInfoNotFound` for an unknown token.
 */
export const useepayConfirm = endpoint({
  name: 'useepayConfirm',
  path: '/api/bill/payment/useepay/customer/confirm/v1',
  ...confirm,
});

/** As `useepayCreate`, at Payssion. */
export const payssionCreate = endpoint({
  name: 'payssionCreate',
  path: '/api/bill/payment/payssion/customer/create/v1',
  ...create,
});

/** As `useepayConfirm`, at Payssion. */
export const payssionConfirm = endpoint({
  name: 'payssionConfirm',
  path: '/api/bill/payment/payssion/customer/confirm/v1',
  ...confirm,
});

/** As `useepayCreate`, at Stripe. */
export const stripeCreate = endpoint({
  name: 'stripeCreate',
  path: '/api/bill/payment/stripe/customer/create/v1',
  ...create,
});

/** As `useepayConfirm`, at Stripe. */
export const stripeConfirm = endpoint({
  name: 'stripeConfirm',
  path: '/api/bill/payment/stripe/customer/confirm/v1',
  ...confirm,
});

/**
 * Captures a PayPal payment that the payer has approved; `id` is the result token. A declined instrument returns a
 * redirect where another can be chosen, and an order captured before is a success (PayPal Orders API v2,
 * INSTRUMENT_DECLINED and ORDER_ALREADY_CAPTURED). The specification makes it a GET although it writes.
 */
export const paypalCapture = endpoint({
  name: 'paypalCapture',
  method: 'GET',
  path: '/api/bill/payment/paypalCapture/v1/{id}',
  params: v.object({ id: resultTokenSchema }),
  result: finishedPaymentSchema,
  reads: false,
  errors: ['paymentInfoNotFound', 'operationUnsupported'],
});

/**
 * Submits the code that mobile money requires. `wrongPaymentCode` with `triesLeft`, `requestExpired` too late,
 * `operationUnsupported` if no code is required.
 */
export const liQuiDoConfirm = endpoint({
  name: 'liQuiDoConfirm',
  method: 'POST',
  path: '/api/bill/payment/liQuiDo/confirm/v1',
  access: 'customer',
  body: v.strictObject({
    orderId: orderIdSchema,
    otp: v.pipe(textSchema, v.transform(normalizeToken), v.regex(/^\d{4,8}$/)),
  }),
  result: paymentAnswerSchema,
  errors: [...paymentFailures, 'orderNotFound', 'operationUnsupported', 'wrongPaymentCode', 'requestExpired'],
});

/**
 * Chooses the coin of a crypto payment; returns amount and address. Another coin can be chosen until money has arrived;
 * then `operationUnsupported`.
 */
export const paymentCrypto = endpoint({
  name: 'paymentCrypto',
  method: 'POST',
  path: '/api/bill/payment/crypto/v1',
  access: 'customer',
  body: v.strictObject({ orderId: orderIdSchema, coin: coinSchema }),
  result: paymentAnswerSchema,
  errors: [...paymentFailures, 'orderNotFound', 'operationUnsupported'],
});

/**
 * Stores a picture or document of a transfer. Only the customer who sent it and the brand's staff can read it.
 * `operationUnsupported` if no transfer of the customer requires one, `tooFrequent` after too many or too much. 429
 * with `serviceBusy` and `waitSeconds` during two other uploads of the same session.
 */
export const uploadObject = endpoint({
  name: 'uploadObject',
  method: 'POST',
  path: '/api/uploadObject/v1',
  access: 'customer',
  file: { types: ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'], maxBytes: uploadLimitBytes },
  result: v.object({ objectId: text(40) }),
  errors: ['tooFrequent', 'operationUnsupported'],
});

/** Submits a stored proof for an order. `operationUnsupported` if the order does not require one. */
export const orderUpload = endpoint({
  name: 'orderUpload',
  method: 'POST',
  path: '/api/bill/order/upload/v1',
  access: 'customer',
  body: v.strictObject({ orderId: orderIdSchema, objectId: text(40) }),
  result: paymentAnswerSchema,
  errors: [...paymentFailures, 'orderNotFound', 'operationUnsupported'],
});
