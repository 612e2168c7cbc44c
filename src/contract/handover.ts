import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import {
  emptySchema,
  idempotencyKeySchema,
  languageSchema,
  methodCodeSchema,
  orderIdSchema,
  planIdSchema,
  text,
  currencySchema,
} from './fields.ts';
import { discountCodeSchema } from '#contract/coupons.ts';
import { orderStatusSchema } from './order-status.ts';
import { userCodeSchema } from './sign-on.ts';
import { deviceTokenSchema, userInfoSchema } from './user.ts';

/**
 * The purchase that a TV hands over to a phone, with the choices made so far. `orderId` is an order to repay or
 * continue. The key is that of [Note: Purchase intent]: both screens send the same one, so the server takes at most one
 * payment.
 */
const handoverPurchaseSchema = v.strictObject({
  planId: planIdSchema,
  orderId: v.optional(orderIdSchema),
  methodCode: v.optional(methodCodeSchema),
  currency: v.optional(currencySchema),
  installments: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(24))),
  discountCode: v.optional(discountCodeSchema),
  language: languageSchema,
  idempotencyKey: idempotencyKeySchema,
});
export type HandoverPurchase = v.InferOutput<typeof handoverPurchaseSchema>;

/**
 * [Note: Hand-over] A TV shows a QR with a short code, like a device grant (RFC 8628), so that the checkout continues
 * on a phone. The customer compares the code; the phone receives the purchase and, if it is not logged in to that
 * account, a session for this checkout only: it pays for that plan, for an hour at most and never beyond the session
 * that opened it. The code works once and for minutes. The TV polls, and the server finds the order itself, so that
 * nothing depends on the phone's report.
 *
 * A hand-over belongs to the session that opened it; opening another ends the first. `orderNotFound` if the order is
 * another customer's, `pageNotFound` and `planUnavailable` if the plan is not sold, `unauthorized` for a phone in a
 * hand-over itself.
 */
export const openHandover = endpoint({
  name: 'openHandover',
  method: 'POST',
  path: '/api/bill/handover/open/v1',
  access: 'customer',
  body: handoverPurchaseSchema,
  result: v.object({
    handoverId: text(40),
    /** as the screen shows it, `XXXX-XXXX` */
    userCode: text(9),
    /** the content of the QR */
    link: text(300),
    /** when the code expires, epoch milliseconds */
    expiresAt: v.number(),
  }),
  errors: ['orderNotFound', 'planUnavailable', 'pageNotFound', 'tooFrequent', 'unauthorized'],
});

/** `waiting` for a phone, `opened` or `refused` by a phone. */
const handoverStateSchema = v.picklist(['waiting', 'opened', 'refused']);

/** The state of a hand-over. `codeNotFound` if it is unknown or belongs to another session. */
export const handoverProgress = endpoint({
  name: 'handoverProgress',
  method: 'POST',
  path: '/api/bill/handover/progress/v1',
  access: 'customer',
  body: v.strictObject({ handoverId: text(40) }),
  result: v.object({
    state: handoverStateSchema,
    expiresAt: v.number(),
    /** the order that the phone created; null before its first attempt */
    order: v.nullable(v.object({ orderId: orderIdSchema, status: orderStatusSchema })),
  }),
  reads: true,
  errors: ['codeNotFound'],
});

/** The customer stays at the TV: the code becomes invalid. A hand-over already opened by a phone stays open. */
export const closeHandover = endpoint({
  name: 'closeHandover',
  method: 'POST',
  path: '/api/bill/handover/close/v1',
  access: 'customer',
  body: v.strictObject({ handoverId: text(40) }),
  result: emptySchema,
});

/**
 * The phone's decision. It receives the purchase, and a session if it has none of that account; `device` as in
 * `deviceConfirm`. Not `ownerOnly`: a hand-over changes nothing about the account, and a phone in one checkout may
 * receive the next.
 */
export const takeHandover = endpoint({
  name: 'takeHandover',
  method: 'POST',
  path: '/api/bill/handover/take/v1',
  access: 'optional',
  opensSession: true,
  body: v.strictObject({ userCode: userCodeSchema, approve: v.boolean(), device: v.optional(deviceTokenSchema) }),
  result: v.object({ purchase: v.nullable(handoverPurchaseSchema), user: v.nullable(userInfoSchema) }),
  errors: ['requestExpired', 'codeNotFound', 'tooFrequent', 'loginNotAllowed', 'accountTypeRefused'],
});
