import * as v from 'valibot';
import { paymentAnswerSchema } from './billing.ts';
import { endpoint } from './endpoint.ts';
import { paymentFailures } from './error-codes.ts';
import { orderIdSchema, resultTokenSchema, text, textSchema } from './fields.ts';
import { uploadLimitBytes } from './limits.ts';
import { coinSchema, nextStepSchema } from './next-step.ts';
import { publicPaymentSchema } from './order.ts';
import { typedToken } from './typed-text.ts';

/**
 * [Note: Payment steps] Calls that go on with a payment after pay, one for each thing that a customer does. None takes
 * a key: the attempt is committed already, and its id is the key at the provider, so telling a step twice changes
 * nothing. Owners' calls name the order; those of a return page name the result token instead, because the customer may
 * come back in another browser, and all that the token opens is asking the provider to finish what its owner approved.
 */
const ownOrder = v.strictObject({ orderId: orderIdSchema });

/** A payment after its return: the public face, and where to go when the provider wants the customer again. */
export const finishedPaymentSchema = v.object({
  ...publicPaymentSchema.entries,
  next: nextStepSchema,
  /** the provider has stated that nothing was paid at its page; false where that is not known */
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

/** Opens the provider's page again for an order that waits at it: an address of a page is good for one visit. */
export const useepayCreate = endpoint({
  name: 'useepayCreate',
  path: '/api/bill/payment/useepay/customer/create/v1',
  ...create,
});

/**
 * Finishes a payment whose payer has come back from the provider's page. `paymentInfoNotFound` when no payment has this
 * token.
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
 * Captures a PayPal payment whose payer has approved it; `id` is the result token. A declined instrument answers with
 * a redirect on which another can be chosen, and one that is captured already is a success (PayPal Orders API v2,
 * INSTRUMENT_DECLINED and ORDER_ALREADY_CAPTURED). It is a GET in the agreed API, and not a read.
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
 * The code that mobile money asks for. `wrongPaymentCode` wrong (with `triesLeft`), `requestExpired` too late,
 * `operationUnsupported` nothing asks for one.
 */
export const liQuiDoConfirm = endpoint({
  name: 'liQuiDoConfirm',
  method: 'POST',
  path: '/api/bill/payment/liQuiDo/confirm/v1',
  access: 'customer',
  body: v.strictObject({
    orderId: orderIdSchema,
    otp: v.pipe(textSchema, v.transform(typedToken), v.regex(/^\d{4,8}$/)),
  }),
  result: paymentAnswerSchema,
  errors: [...paymentFailures, 'orderNotFound', 'operationUnsupported', 'wrongPaymentCode', 'requestExpired'],
});

/**
 * Chooses the coin of a crypto payment; its answer says how much goes where. Until something has arrived another coin
 * may be chosen; then `operationUnsupported`.
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
 * Stores a picture or a document of a transfer. It belongs to whoever sent it, and is shown to nobody but the shop.
 * `operationUnsupported` when no transfer of theirs waits for one, `tooFrequent` when they have sent too many or too much.
 * 429 with `serviceBusy` and `waitSeconds` while two files of the same session are still being sent.
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

/** Hands a stored proof in for an order that waits for one. `operationUnsupported` when it does not. */
export const orderUpload = endpoint({
  name: 'orderUpload',
  method: 'POST',
  path: '/api/bill/order/upload/v1',
  access: 'customer',
  body: v.strictObject({ orderId: orderIdSchema, objectId: text(40) }),
  result: paymentAnswerSchema,
  errors: [...paymentFailures, 'orderNotFound', 'operationUnsupported'],
});
