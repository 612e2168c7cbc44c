import * as v from 'valibot';

/** What the sandbox PayPal reads of a request; the rest is dropped, as the real one does with most of it. */
const filled = (max: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(max));
const url = v.pipe(v.string(), v.url(), v.maxLength(2000));

const unit = v.object({
  custom_id: filled(127),
  invoice_id: filled(127),
  amount: v.object({ currency_code: v.pipe(v.string(), v.length(3)), value: filled(32) }),
});

export const createSchema = v.object({
  intent: v.literal('CAPTURE'),
  purchase_units: v.tuple([unit]),
  payment_source: v.object({
    paypal: v.object({ experience_context: v.object({ return_url: url, cancel_url: url }) }),
  }),
});

/** "Verify webhook signature". */
export const verifySchema = v.object({
  auth_algo: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9]{1,100}$/)),
  cert_url: url,
  transmission_id: filled(50),
  transmission_sig: filled(500),
  transmission_time: filled(100),
  webhook_id: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9]{1,50}$/)),
  webhook_event: v.record(v.string(), v.unknown()),
});
