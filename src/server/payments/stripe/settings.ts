import * as v from 'valibot';

const tooShort = 'is too short; copy all of it';

/** Stripe. An account at Stripe (docs.stripe.com/keys, docs.stripe.com/webhooks). */
export const stripeSettings = {
  /** A secret key, or a restricted key with write access to Checkout, PaymentIntents, PaymentMethods and Refunds. */
  STRIPE_SECRET_KEY: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[sr]k_(test|live)_\w{0,250}$/, 'must begin with sk_ or rk_, then test_ or live_'),
      v.minLength(16, tooShort),
    ),
  ),
  /** The signing secret of the webhook. A notice with another signature is refused. */
  STRIPE_WEBHOOK_SECRET: v.optional(
    v.pipe(v.string(), v.regex(/^whsec_\w{0,250}$/, 'must begin with whsec_'), v.minLength(14, tooShort)),
  ),
  /** The origin of a server that replaces api.stripe.com in tests. */
  STRIPE_API_BASE: v.optional(
    v.pipe(v.string(), v.url(), v.regex(/^https?:\/\/[^/]+$/, 'must be a scheme and a host without a path')),
  ),
};

export const stripeNames = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;
