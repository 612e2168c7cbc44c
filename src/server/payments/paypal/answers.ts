import { paymentFailureOf, type PaymentFailure } from '#contract/error-codes.ts';
import { maskAccount } from '#contract/mask.ts';
import type { GatewayAnswer, GatewayCard } from '../gateway.ts';
import { accountExpiry } from '../terms.ts';
import { fromPaypal } from './currencies.ts';
import { and, eq, sql } from 'drizzle-orm';
import type { Language } from '#contract/fields.ts';
import { attempts, isLiveState, renewalKeyPrefix, type AttemptState } from '#server/db/schema/attempts.ts';
import { orders } from '#server/db/schema/orders.ts';
import { users } from '#server/db/schema/users.ts';
import type { Database } from '#server/db/connect.ts';
import * as v from 'valibot';

export const unknown: GatewayAnswer = { state: 'unknown' };
export const failed = (failure: PaymentFailure): GatewayAnswer => ({ state: 'failed', failure });

/** How long PayPal may review a payment before the money is ours, in milliseconds. */
export const reviewMs = 10 * 24 * 60 * 60_000;

/** The order waits for its payer on PayPal's page. */
export function waiting(
  attempt: PaypalAttempt,
  { id, instrument, page }: { id: string; instrument: number; page: string | undefined },
): GatewayAnswer {
  const expiresAt = approvalDeadline(attempt);
  return {
    state: 'pending',
    providerRef: orderReference(id, instrument),
    expiresAt,
    // only a capture moves money, and this order has none
    unpaid: true,
    // without an address the previous one stays valid: an order has the same page throughout
    ...(page !== undefined && { next: { type: 'redirect', url: page, expiresAt, finish: 'paypal' } }),
  };
}

/** `payer-action` if the order names its payment source, otherwise `approve`. */
export const pageOf = (order: PaypalOrder) => linkOf(order, 'payer-action', 'approve');

/** The outcome of an order that PayPal calls completed: its capture decides, not the order. */
export function completed(attempt: PaypalAttempt, order: PaypalOrder): GatewayAnswer {
  const capture = order.purchase_units[0]?.payments?.captures[0];
  if (!capture) return unknown;
  return { ...captured(capture, attempt.createdAt + reviewMs), ...(attempt.saves && { savedCard: accountOf(order) }) };
}

/** The account that PayPal has saved; undefined while it is still saving, which a notice reports later. */
function accountOf({ payment_source: source }: PaypalOrder): GatewayCard | undefined {
  const { attributes, email_address: email } = source?.paypal ?? {};
  const token = attributes?.vault?.id;
  return token === undefined ? undefined : savedAccount(token, email);
}

/** The account as its owner recognises it; PayPal's address of it is stored masked only. */
export const savedAccount = (token: string, email = ''): GatewayCard => ({
  token,
  brand: 'paypal',
  last4: '',
  account: maskAccount(email),
  ...accountExpiry,
  codeDigits: 0,
});

/** The state of a payment by its capture. `reviewUntil` is in epoch milliseconds. */
export function captured({ id, status, amount }: Capture, reviewUntil: number): GatewayAnswer {
  const money = amount && fromPaypal(amount);
  if (amount && !money) return unknown;
  const known = { providerRef: captureReference(id), ...money };
  switch (status) {
    case 'COMPLETED':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
      return { state: 'succeeded', ...known };
    case 'PENDING':
      // a review by PayPal, or a slow bank: neither the customer nor the shop can act
      return { state: 'pending', ...money, next: { type: 'none' }, expiresAt: reviewUntil };
    case 'DECLINED':
    case 'FAILED':
      return failed('cardRejected');
  }
}

/** An attempt that has ended stays ended, whatever the state of its order at PayPal. */
export function ended({ state, failureCode }: PaypalAttempt): GatewayAnswer {
  if (state === 'SUCCEEDED') return { state: 'succeeded' };
  if (state === 'EXPIRED') return { state: 'expired' };
  return failed(paymentFailureOf(failureCode));
}

/**
 * The parsed `attempts.provider_ref` of a PayPal payment. `order:5O190127TN364715T:1` is an order that waits for its
 * payer; the number counts the instruments tried, because each needs its own capture request.
 * `capture:3C679366HH908993F` is received money, by the transaction ID that both sides see in their accounts.
 */
type Reference =
  | { readonly type: 'none' }
  | { readonly type: 'order'; readonly id: string; readonly instrument: number }
  | { readonly type: 'capture'; readonly id: string };

export const orderReference = (id: string, instrument: number) => `order:${id}:${instrument}`;
export const captureReference = (id: string) => `capture:${id}`;

function readReference(text: string | null): Reference {
  const [, orderId, instrument] = /^order:([\w-]+):(\d{1,4})$/.exec(text ?? '') ?? [];
  if (orderId !== undefined) return { type: 'order', id: orderId, instrument: Number(instrument) };
  const [, captureId] = /^capture:([\w-]+)$/.exec(text ?? '') ?? [];
  return captureId === undefined ? { type: 'none' } : { type: 'capture', id: captureId };
}

/**
 * The part of an attempt that concerns PayPal. PayPal cannot search by our IDs, so this adapter reads the attempt
 * whose ID is the key.
 */
export interface PaypalAttempt {
  readonly key: string;
  readonly orderId: string;
  readonly brand: string;
  /** minor units */
  readonly amount: number;
  readonly currency: string;
  readonly state: AttemptState;
  readonly failureCode: number | null;
  readonly reference: Reference;
  /** the customer agreed to renew, so the account is saved with this payment */
  readonly saves: boolean;
  /** a charge of a saved account without the payer */
  readonly isRenewal: boolean;
  /** when such a charge was first requested, in epoch milliseconds */
  readonly askedAt: number | null;
  /** epoch milliseconds */
  readonly createdAt: number;
  readonly resultToken: string;
  readonly language: Language;
}

/**
 * Until when the payer can approve an order, in epoch milliseconds: three hours from its creation (Orders API v2,
 * `links` of an order). Later PayPal no longer knows it.
 */
export const approvalDeadline = ({ createdAt }: PaypalAttempt) => createdAt + 3 * 60 * 60_000;

/**
 * Whether it may still be captured. An ended attempt is never captured: this closes orders, which PayPal cannot void.
 */
export const isLive = ({ state }: PaypalAttempt) => isLiveState(state);

export async function findAttempt(db: Database, key: string): Promise<PaypalAttempt | undefined> {
  const [row] = await db
    .select({
      orderId: attempts.orderId,
      brand: attempts.brand,
      amount: attempts.amount,
      currency: attempts.currency,
      state: attempts.state,
      failureCode: attempts.failureCode,
      createdAt: attempts.createdAt,
      providerRef: attempts.providerRef,
      renewPrice: attempts.renewPrice,
      idempotencyKey: attempts.idempotencyKey,
      askedAt: attempts.askedAt,
      resultToken: orders.resultToken,
      language: users.language,
    })
    .from(attempts)
    .innerJoin(orders, eq(orders.orderId, attempts.orderId))
    .innerJoin(users, eq(users.uid, attempts.uid))
    .where(eq(attempts.id, key))
    .limit(1);
  if (!row) return undefined;
  const isRenewal = row.idempotencyKey.startsWith(renewalKeyPrefix);
  return { ...row, key, reference: readReference(row.providerRef), saves: row.renewPrice !== null, isRenewal };
}

/** The key of the attempt that a capture paid; undefined for a payment of another shop. */
export async function keyOfCapture(db: Database, captureId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ key: attempts.id })
    .from(attempts)
    // a literal instead of a parameter, because only then the planner can use the partial index of PayPal payments
    .where(and(sql`${attempts.gateway} = 'paypal'`, eq(attempts.providerRef, captureReference(captureId))))
    .limit(1);
  return row?.key;
}

/**
 * The fields of PayPal's responses that the server reads (Orders API v2, Payments API v2, Webhooks API v1; OpenAPI
 * descriptions in github.com/paypal/paypal-rest-api-specifications). Everything else is dropped unread, such as names
 * and addresses of payers.
 */
const id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
export const link = v.object({ rel: v.string(), href: v.string() });
export const links = v.optional(v.array(link), []);
export const money = v.object({ currency_code: v.string(), value: v.string() });

export const tokenSchema = v.object({ access_token: v.pipe(v.string(), v.minLength(1)), expires_in: v.number() });

/** A captured payment. An unknown status makes the response unreadable, which is the state `unknown`. */
export const captureSchema = v.object({
  id,
  status: v.picklist(['COMPLETED', 'DECLINED', 'PARTIALLY_REFUNDED', 'PENDING', 'REFUNDED', 'FAILED']),
  amount: v.optional(money),
  custom_id: v.optional(v.string()),
});
type Capture = v.InferOutput<typeof captureSchema>;

export const purchaseUnit = v.object({
  custom_id: v.optional(v.string()),
  payments: v.optional(v.object({ captures: v.optional(v.array(captureSchema), []) })),
});

export const orderSchema = v.object({
  id,
  status: v.picklist(['CREATED', 'SAVED', 'APPROVED', 'VOIDED', 'COMPLETED', 'PAYER_ACTION_REQUIRED']),
  links,
  purchase_units: v.optional(v.array(purchaseUnit), []),
  payment_source: v.optional(
    v.object({
      paypal: v.optional(
        v.object({
          email_address: v.optional(v.string()),
          attributes: v.optional(v.object({ vault: v.optional(v.object({ id: v.optional(id) })) })),
        }),
      ),
    }),
  ),
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

/** The first valid link with one of these relations. */
export function linkOf({ links: all }: { links: readonly v.InferOutput<typeof link>[] }, ...rels: string[]) {
  return all.find(({ rel, href }) => rels.includes(rel) && URL.canParse(href))?.href;
}
