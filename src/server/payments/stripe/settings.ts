import * as v from 'valibot';

/** An account at Stripe (docs.stripe.com/keys, docs.stripe.com/webhooks); without it there is no Stripe. */
export const stripeSettings = {
  /** a secret key, or a restricted one with write access to Checkout, PaymentIntents, PaymentMethods and Refunds */
  STRIPE_SECRET_KEY: v.optional(
    v.pipe(v.string(), v.regex(/^[sr]k_(test|live)_\w{8,250}$/, 'must begin with sk_ or rk_, then test_ or live_')),
  ),
  /** of the webhook that points here; what is not signed with it is refused */
  STRIPE_WEBHOOK_SECRET: v.optional(v.pipe(v.string(), v.regex(/^whsec_\w{8,250}$/, 'must begin with whsec_'))),
  /** scheme and host of something that stands in for api.stripe.com: for tests */
  STRIPE_API_BASE: v.optional(
    v.pipe(v.string(), v.url(), v.regex(/^https?:\/\/[^/]+$/, 'must be a scheme and a host without a path')),
  ),
};
