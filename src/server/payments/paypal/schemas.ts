import * as v from 'valibot';

/**
 * The fields of PayPal's responses that the server reads (Orders API v2, Payments API v2, Webhooks API v1; OpenAPI
 * descriptions in github.com/paypal/paypal-rest-api-specifications). Everything else is dropped unread, such as names
 * and addresses of payers.
 */
const id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const link = v.object({ rel: v.string(), href: v.string() });
const links = v.optional(v.array(link), []);
const money = v.object({ currency_code: v.string(), value: v.string() });

export const tokenSchema = v.object({ access_token: v.pipe(v.string(), v.minLength(1)), expires_in: v.number() });

/** A captured payment. An unknown status makes the response unreadable, which is the state `unknown`. */
export const captureSchema = v.object({
  id,
  status: v.picklist(['COMPLETED', 'DECLINED', 'PARTIALLY_REFUNDED', 'PENDING', 'REFUNDED', 'FAILED']),
  amount: v.optional(money),
  custom_id: v.optional(v.string()),
});
export type Capture = v.InferOutput<typeof captureSchema>;

const purchaseUnit = v.object({
  custom_id: v.optional(v.string()),
  payments: v.optional(v.object({ captures: v.optional(v.array(captureSchema), []) })),
});

export const orderSchema = v.object({
  id,
  status: v.picklist(['CREATED', 'SAVED', 'APPROVED', 'VOIDED', 'COMPLETED', 'PAYER_ACTION_REQUIRED']),
  links,
  purchase_units: v.optional(v.array(purchaseUnit), []),
});
export type PaypalOrder = v.InferOutput<typeof orderSchema>;

export const refundSchema = v.object({ id, status: v.picklist(['CANCELLED', 'FAILED', 'PENDING', 'COMPLETED']) });

export const verificationSchema = v.object({ verification_status: v.picklist(['SUCCESS', 'FAILURE']) });

export const webhookSchema = v.object({ url: v.pipe(v.string(), v.url()) });

/** A refusal. `issue` of the first detail is more specific than `name`. */
export const problemSchema = v.object({
  name: v.optional(v.string(), ''),
  details: v.optional(v.array(v.object({ issue: v.optional(v.string(), '') })), []),
  links,
});
export type Problem = v.InferOutput<typeof problemSchema>;

/** A refund or a reversal; the link `up` is its capture. */
export const refundedAmountSchema = v.object({
  id: v.optional(v.string()),
  status: v.optional(v.string(), ''),
  custom_id: v.optional(v.string()),
  links,
  amount: v.optional(money),
  seller_payable_breakdown: v.optional(v.object({ total_refunded_amount: v.optional(money) })),
});

export const disputeSchema = v.object({
  disputed_transactions: v.pipe(
    v.array(v.object({ seller_transaction_id: v.optional(v.string()), custom: v.optional(v.string()) })),
    v.minLength(1),
  ),
  dispute_amount: v.optional(money),
  dispute_outcome: v.optional(v.object({ outcome_code: v.optional(v.string()) })),
});

export const approvedOrderSchema = v.object({ purchase_units: v.optional(v.array(purchaseUnit), []) });

export const eventSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/)),
  event_type: v.string(),
  resource: v.unknown(),
});
export type PaypalEvent = v.InferOutput<typeof eventSchema>;

/** The first valid link with one of these relations. */
export function linkOf({ links: all }: { links: readonly v.InferOutput<typeof link>[] }, ...rels: string[]) {
  return all.find(({ rel, href }) => rels.includes(rel) && URL.canParse(href))?.href;
}
