import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { emptySchema, orderIdSchema, planIdSchema, resultTokenSchema, text } from './fields.ts';
import { discountCodeSchema } from './typed-coupon.ts';
import { nextStepSchema } from './next-step.ts';
import { orderSchema, publicPaymentSchema } from './order.ts';
import { orderStatusSchema } from './order-status.ts';
import { periodChangeSchema, periodSchema } from './periods.ts';

/** Pages count from 1; newest first. `status` finds what is shown with it: pending, SUBMITTED as well. */
export const orders = endpoint({
  name: 'orders',
  method: 'POST',
  path: '/api/bill/orders/v1',
  access: 'customer',
  body: v.strictObject({
    page: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000)),
    size: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)),
    status: v.optional(orderStatusSchema),
  }),
  result: v.object({ items: v.array(orderSchema), total: v.number(), page: v.number() }),
  reads: true,
});

export const order = endpoint({
  name: 'order',
  method: 'GET',
  path: '/api/bill/order/v1/{id}',
  access: 'customer',
  params: v.object({ id: orderIdSchema }),
  result: orderSchema,
  errors: ['orderNotFound'],
});

/**
 * The service validity period of an order, as it stands now ([Note: Periods]): what moved or shortened it, and, until it
 * begins, what runs before it.
 */
export const service = endpoint({
  name: 'service',
  method: 'GET',
  path: '/api/bill/service/v1/{id}',
  access: 'customer',
  params: v.object({ id: orderIdSchema }),
  result: v.object({
    orderId: orderIdSchema,
    planName: text(80),
    serviceStart: v.nullable(v.number()),
    serviceEnd: v.nullable(v.number()),
    /** days that were paid, for so many devices */
    days: v.optional(v.number()),
    devices: v.optional(v.number()),
    /** what refunds and lost disputes did to it, oldest first; what is bought later does nothing */
    changes: v.optional(v.array(periodChangeSchema), []),
    /** what runs now and until this period begins; empty once it has */
    before: v.optional(v.array(periodSchema), []),
  }),
  errors: ['orderNotFound'],
});

/** What the customer should know before paying for a plan: an unfinished order, or the same plan already paid. */
export const paymentTip = endpoint({
  name: 'paymentTip',
  method: 'GET',
  path: '/api/bill/payment/tip/v1',
  access: 'customer',
  query: v.strictObject({ planId: planIdSchema }),
  result: v.object({
    /** an order that waits for its payer, of whatever plan */
    unfinished: v.nullable(orderSchema),
    /** an order for the same plan whose payer has done their part, and whose money is not there yet */
    confirming: v.optional(v.nullable(orderSchema), null),
    /** an order for the same plan, paid less than ten minutes ago */
    justPaid: v.nullable(orderSchema),
    /**
     * when the account is deleted, and nothing can be bought until it is kept (`accountLeaves`); null where nothing is
     * planned
     */
    leavesAt: v.optional(v.nullable(v.number()), null),
  }),
});

/**
 * Asks for the outcome by the result token, from any browser, without a session. `paymentInfoNotFound` when there is none
 * such.
 */
export const queryToken = endpoint({
  name: 'queryToken',
  method: 'POST',
  path: '/api/bill/payment/query/token',
  body: v.strictObject({ token: resultTokenSchema }),
  result: publicPaymentSchema,
  reads: true,
  errors: ['paymentInfoNotFound'],
});

/** Everything the owner needs to go on with a payment: the order and the step it waits at. */
export const paymentInfo = endpoint({
  name: 'paymentInfo',
  method: 'POST',
  path: '/api/bill/payment-info/detail',
  access: 'customer',
  body: v.strictObject({ orderId: orderIdSchema }),
  result: v.object({
    order: orderSchema,
    next: nextStepSchema,
    resultToken: text(64),
    /** the customer lets the plan renew with this payment */
    renews: v.optional(v.boolean()),
  }),
  reads: true,
  errors: ['orderNotFound'],
});
export type PaymentInfo = v.InferOutput<typeof paymentInfo.result>;

/**
 * What the customer has begun and not paid, newest first: orders that wait, and orders of the last days whose payment
 * failed. An empty cart is an empty list.
 */
export const queryCart = endpoint({
  name: 'queryCart',
  method: 'POST',
  path: '/api/bill/query/cart',
  access: 'customer',
  body: emptySchema,
  result: v.object({ items: v.array(orderSchema) }),
  reads: true,
});

/**
 * Sends the owner a mail with what is needed to pay an order that waits: its code, its slip, the way back to it. `sentTo` is
 * masked. `operationUnsupported` for an order that waits for nothing or an account without an address, `tooFrequent` too
 * often.
 */
export const orderRemind = endpoint({
  name: 'orderRemind',
  method: 'POST',
  path: '/api/bill/order/remind/v1',
  access: 'customer',
  body: v.strictObject({ orderId: orderIdSchema }),
  result: v.object({ sentTo: text(160) }),
  errors: ['orderNotFound', 'operationUnsupported', 'tooFrequent'],
});

/**
 * Cancels an order that waits to be paid. Its provider closes the payment first, so the answer tells what is true: the order
 * may have been paid just before, and it stays as it is while its provider cannot say that nobody will pay it any more.
 * Money that comes all the same pays the order late. Asking again changes nothing. `operationUnsupported` for what its payer
 * has done their part of, and for a renewal, which is turned off instead.
 */
export const cancelOrder = endpoint({
  name: 'cancelOrder',
  method: 'POST',
  path: '/api/bill/order/cancel/v1',
  access: 'customer',
  body: v.strictObject({ orderId: orderIdSchema }),
  result: v.object({ orderId: orderIdSchema, status: orderStatusSchema }),
  errors: ['orderNotFound', 'operationUnsupported'],
});

/**
 * Cancels a paid order within the brand's days of withdrawal, and refunds it ([Note: Withdrawal]). The answer is the order as it
 * stands then. Sending the request again changes nothing. `operationUnsupported` where nothing can be refunded any more.
 */
export const withdrawOrder = endpoint({
  name: 'withdrawOrder',
  method: 'POST',
  path: '/api/bill/order/withdraw/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ orderId: orderIdSchema }),
  result: orderSchema,
  errors: ['orderNotFound', 'operationUnsupported', 'unauthorized'],
});

/**
 * Frees a coupon from the order that holds it, which cancels that order. Its provider is asked first: an
 * order that has been paid meanwhile keeps both, and `couponNotRemoved` says so. Asking again about a cancelled order
 * changes nothing.
 */
export const unbindDiscountCode = endpoint({
  name: 'unbindDiscountCode',
  method: 'GET',
  path: '/api/bill/unbindDiscountCode/v1',
  access: 'customer',
  query: v.strictObject({ orderId: orderIdSchema, discountCode: discountCodeSchema }),
  result: v.object({ orderId: orderIdSchema, status: orderStatusSchema }),
  reads: false,
  errors: ['orderNotFound', 'couponNotRemoved'],
});
