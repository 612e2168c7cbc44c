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
import { discountCodeSchema } from './typed-coupon.ts';
import { orderStatusSchema } from './order-status.ts';
import { userCodeSchema } from './sign-on.ts';
import { deviceTokenSchema, userInfoSchema } from './user.ts';

/**
 * What a TV hands to a phone: a purchase as far as it was chosen. `orderId` is an order that is to be paid, or to be
 * gone on with. The key is the one of [Note: Purchase intent]: both screens send the same, so the server takes one
 * payment, whichever of them is faster.
 */
export const handedPurchaseSchema = v.strictObject({
  planId: planIdSchema,
  orderId: v.optional(orderIdSchema),
  methodCode: v.optional(methodCodeSchema),
  currency: v.optional(currencySchema),
  installments: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(24))),
  discountCode: v.optional(discountCodeSchema),
  language: languageSchema,
  idempotencyKey: idempotencyKeySchema,
});
export type HandedPurchase = v.InferOutput<typeof handedPurchaseSchema>;

/**
 * [Note: Hand-over] A TV shows a QR with a short code, as in [Note: Device grant], for a checkout that is to be finished
 * on a phone. The phone compares the code, and gets the purchase and, unless it is signed in with that account already, a
 * session for this checkout alone: it pays for that plan, for an hour and no longer than the session that opened it. The code works once and for minutes. The
 * TV asks how far it is: the server finds the order by itself, so that nothing depends on the phone to tell.
 *
 * A hand-over belongs to the session that opened it; opening another one ends the first. `tooFrequent` too often,
 * `orderNotFound` where the order is not the customer's, `pageNotFound` and `planUnavailable` where the plan is not sold
 * (any more), `unauthorized` for a phone that was handed a checkout itself.
 */
export const openHandover = endpoint({
  name: 'openHandover',
  method: 'POST',
  path: '/api/bill/handover/open/v1',
  access: 'customer',
  body: handedPurchaseSchema,
  result: v.object({
    handoverId: text(40),
    /** as the screen shows it, `XXXX-XXXX` */
    userCode: text(9),
    /** what the QR holds */
    link: text(300),
    /** until when the code works, epoch milliseconds */
    expiresAt: v.number(),
  }),
  errors: ['orderNotFound', 'planUnavailable', 'pageNotFound', 'tooFrequent', 'unauthorized'],
});

/** `waiting` for a phone, `opened` by one, `refused` by one. */
export const handoverStateSchema = v.picklist(['waiting', 'opened', 'refused']);

/** How far a hand-over is. `codeNotFound` when it is not this session's, or is gone. */
export const handoverProgress = endpoint({
  name: 'handoverProgress',
  method: 'POST',
  path: '/api/bill/handover/progress/v1',
  access: 'customer',
  body: v.strictObject({ handoverId: text(40) }),
  result: v.object({
    state: handoverStateSchema,
    expiresAt: v.number(),
    /** what the phone has made of it; null before its first try */
    order: v.nullable(v.object({ orderId: orderIdSchema, status: orderStatusSchema })),
  }),
  reads: true,
  errors: ['codeNotFound'],
});

/** The customer stays at the TV: the code works no more. One that a phone has opened already is left to it. */
export const closeHandover = endpoint({
  name: 'closeHandover',
  method: 'POST',
  path: '/api/bill/handover/close/v1',
  access: 'customer',
  body: v.strictObject({ handoverId: text(40) }),
  result: emptySchema,
});

/**
 * The answer of the phone. It takes the purchase, and a session where it has none of that account; `device` as in
 * `deviceConfirm`. Not `ownerOnly`: what it gives decides nothing about an account, and a phone that was handed one
 * checkout may be handed the next.
 */
export const takeHandover = endpoint({
  name: 'takeHandover',
  method: 'POST',
  path: '/api/bill/handover/take/v1',
  access: 'optional',
  body: v.strictObject({ userCode: userCodeSchema, approve: v.boolean(), device: v.optional(deviceTokenSchema) }),
  result: v.object({ purchase: v.nullable(handedPurchaseSchema), user: v.nullable(userInfoSchema) }),
  errors: ['requestExpired', 'codeNotFound', 'tooFrequent', 'loginNotAllowed', 'accountTypeRefused'],
});
