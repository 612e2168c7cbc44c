import * as v from 'valibot';

/**
 * The fields of Stripe's responses that the server reads (docs.stripe.com/api, version of the package). Everything
 * else is dropped unread, such as names and addresses of payers. An unlisted status makes the response unreadable,
 * which is the state `unknown`.
 */
const id = v.pipe(v.string(), v.regex(/^\w{4,255}$/));
const metadata = v.optional(v.nullable(v.record(v.string(), v.string())));

const cardMethodSchema = v.object({
  id,
  card: v.optional(
    v.nullable(
      v.object({
        brand: v.string(),
        last4: v.pipe(v.string(), v.regex(/^\d{4}$/)),
        exp_month: v.number(),
        exp_year: v.number(),
      }),
    ),
  ),
});
/** as an ID, or expanded */
const method = v.optional(v.nullable(v.union([id, cardMethodSchema])));
const customer = v.optional(v.nullable(v.union([id, v.object({ id })])));
export type PaymentMethodOf = v.InferOutput<typeof method>;

const webUrl = v.pipe(v.string(), v.url());

/** The next step of the payer (docs.stripe.com/api/payment_intents/object, `next_action`). */
const nextActionSchema = v.object({
  type: v.string(),
  redirect_to_url: v.optional(v.object({ url: v.nullable(webUrl) })),
  pix_display_qr_code: v.optional(
    v.object({ data: v.string(), expires_at: v.number(), hosted_instructions_url: v.optional(webUrl) }),
  ),
  boleto_display_details: v.optional(
    v.object({ number: v.string(), expires_at: v.number(), hosted_voucher_url: v.optional(v.nullable(webUrl)) }),
  ),
});

const problem = v.object({ code: v.optional(v.string()), decline_code: v.optional(v.string()), type: v.string() });

export const intentSchema = v.object({
  id,
  status: v.picklist([
    'canceled',
    'processing',
    'requires_action',
    'requires_capture',
    'requires_confirmation',
    'requires_payment_method',
    'succeeded',
  ]),
  amount: v.number(),
  currency: v.string(),
  metadata,
  customer,
  payment_method: method,
  allowed_payment_method_types: v.optional(v.nullable(v.array(v.string()))),
  setup_future_usage: v.optional(v.nullable(v.string())),
  next_action: v.optional(v.nullable(nextActionSchema)),
  /** if `canceled` */
  cancellation_reason: v.optional(v.nullable(v.string())),
  last_payment_error: v.optional(v.nullable(problem)),
});
export type Intent = v.InferOutput<typeof intentSchema>;

export const sessionSchema = v.object({
  id,
  mode: v.picklist(['payment', 'setup']),
  status: v.picklist(['open', 'complete', 'expired']),
  url: v.optional(v.nullable(webUrl)),
  expires_at: v.number(),
  metadata,
  customer,
  payment_intent: v.optional(v.nullable(v.union([id, intentSchema]))),
  setup_intent: v.optional(v.nullable(v.union([id, v.object({ id, payment_method: method })]))),
});
export type Session = v.InferOutput<typeof sessionSchema>;

export const refundSchema = v.object({
  id,
  status: v.nullable(v.picklist(['pending', 'requires_action', 'succeeded', 'failed', 'canceled'])),
  amount: v.number(),
  /** written by the server; missing on a refund that was made in the Dashboard */
  metadata,
  payment_intent: v.optional(v.nullable(v.union([id, v.object({ id })]))),
});

/** A refund in an event: of any product on the account, so in any status. */
export const eventRefundSchema = v.object({ ...refundSchema.entries, status: v.nullish(v.string()) });

export const disputeSchema = v.object({
  id,
  status: v.string(),
  amount: v.number(),
  payment_intent: v.optional(v.nullable(v.union([id, v.object({ id })]))),
  evidence_details: v.optional(v.nullable(v.object({ due_by: v.optional(v.nullable(v.number())) }))),
});

export const listOf = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.object({ data: v.array(schema), has_more: v.boolean() });

/** The ID of an object that is named by ID or expanded. */
export function idOf(named: string | { readonly id: string } | null | undefined): string | undefined {
  return typeof named === 'string' ? named : named?.id;
}
