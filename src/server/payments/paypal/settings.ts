import * as v from 'valibot';
import { origin } from '#server/runtime/service-url.ts';

const credential = v.optional(v.pipe(v.string(), v.minLength(10)));

/** PayPal. Settings of the REST app at PayPal. Without them, the sandbox PayPal is used where the sandbox is on. */
export const paypalSettings = {
  /** The client ID of the app. */
  PAYPAL_CLIENT_ID: credential,
  /** The secret of the app. */
  PAYPAL_CLIENT_SECRET: credential,
  /** The ID of the app's webhook. Without it every notice from PayPal is refused. */
  PAYPAL_WEBHOOK_ID: v.optional(v.pipe(v.string(), v.regex(/^[a-zA-Z0-9]{1,50}$/))),
  /** `sandbox` is PayPal's own test environment. `live` moves real money. */
  PAYPAL_ENVIRONMENT: v.optional(v.picklist(['sandbox', 'live']), 'sandbox'),
  /** The origin of a server that replaces PayPal's API in tests. */
  PAYPAL_ORIGIN: v.optional(origin),
};

export const paypalNames = ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET'] as const;
