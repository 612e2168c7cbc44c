import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { emptySchema, languageSchema, orderIdSchema, ownPathSchema, text, textSchema } from './fields.ts';

/**
 * [Note: Push] Messages that reach a customer whose page is closed, by the Web Push protocol (RFC 8030, 8291, 8292). A
 * subscription is one browser under one session: it ends with the session, and with the account's "stop". It is told
 * that an order is paid (only of orders somebody asked about), and that the access ends soon (only when asked for). What
 * is sent may be read by anyone who sees the locked screen: the brand's name and a sentence, never an account or a sum.
 */

/** Subscriptions that a customer has at most; one more takes the place of the oldest. */
export const maxPushSubscriptions = 10;
/** Orders that one subscription waits for at most; one more takes the place of the oldest. */
export const maxWatchedOrders = 20;

/** A point of P-256, uncompressed (RFC 8291, 3.1; RFC 8292, 3.2): 65 bytes in base64url, without padding. */
const publicKeySchema = v.pipe(textSchema, v.regex(/^[\w-]{87}$/));
/** The secret that a browser shares with whoever may write to it (RFC 8291, 3.2): 16 bytes. */
const authSchema = v.pipe(textSchema, v.regex(/^[\w-]{22}$/));
const endpointSchema = v.pipe(textSchema, v.maxLength(1024), v.url());
const browserSchema = v.strictObject({
  /** where messages for this browser are posted to; whoever knows it names this browser, so it is a secret */
  endpoint: endpointSchema,
  keys: v.strictObject({ p256dh: publicKeySchema, auth: authSchema }),
});
/** What a browser calls a subscription (Push API, PushSubscriptionJSON). */
export type BrowserSubscription = v.InferOutput<typeof browserSchema>;

/** What a customer wants to be told. */
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
  /** says that the access ends soon */
  expiry: v.boolean(),
  /** says when these are paid */
  orders: v.array(orderIdSchema),
  /** of the session that asks */
  here: v.boolean(),
});
export type PushSubscriptionInfo = v.InferOutput<typeof subscriptionSchema>;

/** Who is told what, and the key that a browser subscribes with (`applicationServerKey`), in base64url. */
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
 * Tells this browser from now on. Asking again adds to what it is told. `key` is the one that it subscribed with;
 * `operationUnsupported` when that is the shop's no longer, or when the order waits for no money. `invalidRequest` for a
 * push service that is not known.
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

/** Ends a subscription. One that is gone, or was never the customer's, is as good as ended. */
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
 * A browser has exchanged its subscription by itself (`pushsubscriptionchange`). No page need be open then, so nobody's
 * token is at hand: the worker proves by the old one's secret that it had it. One that nobody knows is answered the same.
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

/** What is inside of a message, for the worker to show. */
export const pushMessageSchema = v.object({
  title: text(80),
  body: text(200),
  /** read by workers of builds before December 2026, which put this day into `body` */
  at: v.null(),
  language: languageSchema,
  icon: ownPathSchema,
  /** a later message of the same tag takes the place of an earlier one on the screen */
  tag: text(80),
  /** the page that a tap opens */
  path: ownPathSchema,
});
export type PushMessage = v.InferOutput<typeof pushMessageSchema>;
