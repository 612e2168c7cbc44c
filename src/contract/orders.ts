import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { emptySchema, orderIdSchema, planIdSchema, resultTokenSchema, text } from './fields.ts';
import { discountCodeSchema } from '#contract/coupons.ts';
import { nextStepSchema } from './next-step.ts';
import { orderSchema, publicPaymentSchema } from './order.ts';
import { orderStatusSchema } from './order-status.ts';
import { periodChangeSchema, periodSchema } from './periods.ts';

/** Pages count from 1; newest first. `status` also finds statuses shown alike: PAYMENT_PENDING includes SUBMITTED. */
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

/** One order of the customer. */
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
 * The service period of an order as it stands now ([Note: Periods]): what moved or shortened it and, until it begins,
 * what runs before it.
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
    /** paid days and devices */
    days: v.optional(v.number()),
    devices: v.optional(v.number()),
    /** changes by refunds and lost disputes, oldest first; later purchases change nothing */
    changes: v.optional(v.array(periodChangeSchema), []),
    /** periods from now until this one begins; empty afterwards */
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
    /** an order of any plan that is waiting for its payment */
    unfinished: v.nullable(orderSchema),
    /** an order for the same plan that the customer has paid, whose money has not arrived yet */
    confirming: v.optional(v.nullable(orderSchema), null),
    /** an order for the same plan, paid less than ten minutes ago */
    justPaid: v.nullable(orderSchema),
    /**
     * when the account will be deleted; nothing can be bought until the deletion is cancelled (`accountLeaves`). Null
     * if none is planned.
     */
    leavesAt: v.optional(v.nullable(v.number()), null),
    /**
     * the current and following periods, as in a quote: what is shown about them has its size before the price is
     * known. Optional for an API of your own.
     */
    periods: v.optional(v.array(periodSchema), []),
  }),
});

/**
 * Reads the outcome by the result token, from any browser, without a session. `paymentInfoNotFound` for an unknown
 * token.
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

/** The order and its current step: all that the customer needs to continue the payment. */
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
    /** the customer has chosen automatic renewal with this payment */
    renews: v.optional(v.boolean()),
  }),
  reads: true,
  errors: ['orderNotFound'],
});
export type PaymentInfo = v.InferOutput<typeof paymentInfo.result>;

/**
 * Unfinished purchases of the customer, newest first: pending orders, and orders of the last days whose payment failed.
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
 * Emails the customer what is needed to pay a pending order: its code, its slip, a link to it. `sentTo` is masked.
 * `operationUnsupported` if nothing is pending, or with the field `email` if the account has no address, `tooFrequent` too often.
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
 * Cancels an order that is waiting for payment. Its provider closes the payment first, so the returned status is true:
 * the order may have been paid just before, and it stays pending while the provider cannot rule out a payment. Money
 * that arrives afterwards pays the order late. An order that is no longer pending does not change, and its status is
 * returned. `operationUnsupported` while a payment is under review, and for a renewal, which is turned off instead.
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
 * Cancels a paid order within the brand's withdrawal period and refunds it. Returns the order afterwards. A repeated
 * request changes nothing. `operationUnsupported` if nothing can be refunded any more.
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
 * Releases a coupon by cancelling the order that reserves it. The provider is queried first: if the order has been paid
 * meanwhile, both stay, with `couponNotRemoved`. A repeated request changes nothing.
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
