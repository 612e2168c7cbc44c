import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { emptySchema, languageSchema, orderIdSchema, ownPathSchema, text, textSchema } from './fields.ts';

/**
 * [Note: Push] Messages to a customer whose page is closed, by the Web Push protocol (RFC 8030, 8291, 8292). A
 * subscription is one browser in one session: it ends with the session, or when the customer ends it. It reports paid
 * orders and the end of access, each only on request. A message may be read on a locked screen: it contains the brand's
 * name and a sentence, never an account or an amount.
 */

/** Maximum subscriptions per customer; a new one replaces the oldest. */
export const maxPushSubscriptions = 10;
/** Maximum watched orders per subscription; a new one replaces the oldest. */
export const maxWatchedOrders = 20;

/** A P-256 point, uncompressed (RFC 8291, 3.1; RFC 8292, 3.2): 65 bytes in base64url, without padding. */
const publicKeySchema = v.pipe(textSchema, v.regex(/^[\w-]{87}$/));
/** The browser's authentication secret (RFC 8291, 3.2): 16 bytes. */
const authSchema = v.pipe(textSchema, v.regex(/^[\w-]{22}$/));
const endpointSchema = v.pipe(textSchema, v.maxLength(1024), v.url());
const browserSchema = v.strictObject({
  /** the push service's URL for this browser; secret, because it identifies the browser */
  endpoint: endpointSchema,
  keys: v.strictObject({ p256dh: publicKeySchema, auth: authSchema }),
});
/** A subscription as the Push API returns it (PushSubscriptionJSON). */
export type BrowserSubscription = v.InferOutput<typeof browserSchema>;

/** The event that a customer subscribes to. */
const aboutSchema = v.variant('type', [
  v.strictObject({ type: v.literal('payment'), orderId: orderIdSchema }),
  v.strictObject({ type: v.literal('expiry') }),
]);
export type PushAbout = v.InferOutput<typeof aboutSchema>;

const subscriptionSchema = v.object({
  id: text(40),
  /** as in `DeviceSession` */
  device: text(80),
  model: text(80),
  /** epoch milliseconds */
  since: v.number(),
  /** reports the end of access */
  expiry: v.boolean(),
  /** reports when these are paid */
  orders: v.array(orderIdSchema),
  /** belongs to the session that sends the request */
  here: v.boolean(),
});
export type PushSubscriptionInfo = v.InferOutput<typeof subscriptionSchema>;

/** The customer's subscriptions, and the key to subscribe with (`applicationServerKey`), in base64url. */
export const listPush = endpoint({
  name: 'listPush',
  method: 'POST',
  path: '/api/push/list/v1',
  access: 'customer',
  ownerOnly: true,
  body: emptySchema,
  result: v.object({ key: publicKeySchema, subscriptions: v.array(subscriptionSchema) }),
  reads: true,
  errors: ['unauthorized'],
});

/**
 * Subscribes this browser; a repeated call adds an event. `key` is the one it subscribed with; `operationUnsupported`
 * if the server no longer uses that key, or if the order is not waiting for money. `invalidRequest` for an unknown push
 * service.
 */
export const subscribePush = endpoint({
  name: 'subscribePush',
  method: 'POST',
  path: '/api/push/subscribe/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ ...browserSchema.entries, key: publicKeySchema, about: aboutSchema }),
  result: v.object({ id: text(40) }),
  errors: ['tooManyFailures', 'orderNotFound', 'operationUnsupported', 'unauthorized'],
});

/** Ends a subscription. Succeeds without effect for an unknown ID. */
export const endPush = endpoint({
  name: 'endPush',
  method: 'POST',
  path: '/api/push/end/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ id: text(40) }),
  result: emptySchema,
  errors: ['unauthorized'],
});

/**
 * Replaces a subscription after the browser changed it (`pushsubscriptionchange`). No page may be open, so no session
 * token is available: the worker proves its identity by the old subscription's secret. An unknown one gets the same
 * answer.
 */
export const renewPush = endpoint({
  name: 'renewPush',
  method: 'POST',
  path: '/api/push/renew/v1',
  body: v.strictObject({
    old: v.strictObject({ endpoint: endpointSchema, auth: authSchema }),
    ...browserSchema.entries,
  }),
  result: emptySchema,
  errors: ['tooManyFailures'],
});

/** The content of a push message, shown by the worker. */
export const pushMessageSchema = v.object({
  title: text(80),
  body: text(200),
  /** read by workers of builds before December 2026, which insert this date into `body` */
  at: v.null(),
  language: languageSchema,
  icon: ownPathSchema,
  /** a later message replaces an earlier one with the same tag */
  tag: text(80),
  /** the page that opens on a tap */
  path: ownPathSchema,
});
export type PushMessage = v.InferOutput<typeof pushMessageSchema>;
