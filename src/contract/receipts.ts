import * as v from 'valibot';
import { sellerSchema } from './brand.ts';
import { endpoint } from './endpoint.ts';
import { orderIdSchema, text, textSchema } from './fields.ts';
import { moneySchema } from './money.ts';
import { orderSchema } from './order.ts';

/** Orders with a receipt, whatever their status now; last paid first. Pages count from 1. */
export const receipts = endpoint({
  name: 'receipts',
  method: 'POST',
  path: '/api/bill/receipts/v1',
  access: 'customer',
  body: v.strictObject({
    page: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000)),
    size: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)),
  }),
  result: v.object({ items: v.array(orderSchema), total: v.number(), page: v.number() }),
  reads: true,
});

/**
 * Emails the receipt of an order to the customer again; `sentTo` is masked. `operationUnsupported` for an order without
 * a receipt, or with the field `email` for an account without an address, `tooFrequent` with `waitSeconds` too often.
 */
export const mailReceipt = endpoint({
  name: 'mailReceipt',
  method: 'POST',
  path: '/api/bill/receipt/mail/v1',
  access: 'customer',
  body: v.strictObject({ orderId: orderIdSchema }),
  result: v.object({ sentTo: text(160) }),
  errors: ['orderNotFound', 'operationUnsupported', 'tooFrequent'],
});

/** The buyer, as far as the payer data at the payment says. */
export const buyerSchema = v.object({ name: v.nullable(text(110)), document: v.nullable(text(20)) });
export type Buyer = v.InferOutput<typeof buyerSchema>;

/** A refund of an order; `at` in epoch milliseconds. */
export const refundedAmountSchema = v.object({ at: v.number(), amount: moneySchema });
export type RefundedAmount = v.InferOutput<typeof refundedAmountSchema>;

/**
 * The invoice of an order, or a credit note that corrects it after a refund or a lost dispute, whose amounts are
 * negative. `rate` is the tax in per cent, null where the seller names none; net and tax add up to gross. `issuedAt` is
 * in epoch milliseconds.
 */
const invoiceSchema = v.object({
  kind: v.picklist(['invoice', 'creditNote']),
  number: text(40),
  issuedAt: v.number(),
  gross: moneySchema,
  net: moneySchema,
  tax: moneySchema,
  taxName: v.nullable(text(20)),
  rate: v.nullable(v.number()),
});
export type Invoice = v.InferOutput<typeof invoiceSchema>;

/**
 * Seller and buyer at the time of the payment: a receipt does not change with the brand. Null for orders paid before
 * this was recorded; the buyer also for a TV device, which guests may use. `operationUnsupported` for an order without
 * a receipt.
 */
export const receiptParties = endpoint({
  name: 'receiptParties',
  method: 'GET',
  path: '/api/bill/receipt/parties/v1/{id}',
  access: 'customer',
  params: v.object({ id: orderIdSchema }),
  result: v.object({
    seller: v.nullable(sellerSchema),
    buyer: v.nullable(buyerSchema),
    /** refunds, partial or full, oldest first */
    refunds: v.optional(v.array(refundedAmountSchema), []),
    /** the invoice, then its credit notes; empty where the brand issues none */
    invoices: v.optional(v.array(invoiceSchema), []),
  }),
  errors: ['orderNotFound', 'operationUnsupported'],
});

/**
 * The receipt as a PDF in the language of the request, `content` in base64. `operationUnsupported` for an
 * order without a receipt and for a TV device, `tooFrequent` too often.
 */
export const receiptFile = endpoint({
  name: 'receiptFile',
  method: 'GET',
  path: '/api/bill/receipt/file/v1/{id}',
  access: 'customer',
  params: v.object({ id: orderIdSchema }),
  result: v.object({ name: text(80), content: textSchema }),
  errors: ['orderNotFound', 'operationUnsupported', 'tooFrequent'],
});
