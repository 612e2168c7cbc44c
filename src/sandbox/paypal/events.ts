import { createHmac, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { transmissionHeaders } from '#server/payments/paypal/gateway.ts';
import type { Bank } from '#sandbox/bank/bank.ts';
import { noticeDelayMs } from '#sandbox/bank/charges.ts';
import type { Notice } from '#sandbox/bank/charges.ts';
import { toPaypal } from '#server/payments/paypal/currencies.ts';
import type { Env } from '#server/env.ts';
import type { sandboxPaypalOrders } from '#sandbox/schema.ts';

/** The account of the only payer of the sandbox PayPal. */
export const payerEmail = 'buyer@example.com';

type ClockAndRandom = Pick<Bank, 'clock' | 'random'>;

export function approvedEvent(bank: ClockAndRandom, order: Order): Notice {
  return event(bank, order, { type: 'CHECKOUT.ORDER.APPROVED', kind: 'checkout-order', resource: orderView(order) });
}

export function capturedEvent(bank: ClockAndRandom, order: Order): Notice {
  return event(bank, order, { type: 'PAYMENT.CAPTURE.COMPLETED', kind: 'capture', resource: captureView(order) });
}

/** A full refund, or a partial one with its `customId`. */
export function refundedEvent(
  bank: ClockAndRandom,
  order: Order,
  { amount, customId }: { readonly amount: number; readonly customId: string | undefined },
): Notice {
  const { currency, captureId } = order;
  const up = links(['up', `/v2/payments/captures/${captureId}`]);
  const parts = Object.values(order.parts).reduce((sum, part) => sum + part, 0);
  const gone = order.refunded ? order.amount : parts;
  const resource = {
    id: customId === undefined ? `R${captureId}` : `R${bank.random.token(12)}`,
    status: 'COMPLETED',
    amount: toPaypal({ amount, currency }),
    ...(customId !== undefined && { custom_id: customId }),
    seller_payable_breakdown: { total_refunded_amount: toPaypal({ amount: gone, currency }) },
    links: up,
  };
  return event(bank, order, { type: 'PAYMENT.CAPTURE.REFUNDED', kind: 'refund', resource });
}

/** Names the order, not the payment; no order if the account was saved without one. */
export function savedAccountEvent(
  bank: ClockAndRandom,
  order: Order | undefined,
  { id, email }: { id: string; email: string },
) {
  const resource = {
    id,
    ...(order && { metadata: { order_id: order.id } }),
    payment_source: { paypal: { email_address: email, usage_type: 'MERCHANT' } },
    links: links(['self', `/v3/vault/payment-tokens/${id}`]),
  };
  return event(bank, order ?? { customId: '' }, {
    type: 'VAULT.PAYMENT-TOKEN.CREATED',
    kind: 'payment_token',
    resource,
  });
}

export function removedAccountEvent(bank: ClockAndRandom, id: string): Notice {
  const about = { type: 'VAULT.PAYMENT-TOKEN.DELETED', kind: 'payment_token', resource: { id } };
  return event(bank, { customId: '' }, about);
}

/** A notice in the format of PayPal's webhook events, to be delivered twice. */
function event(
  { clock, random }: ClockAndRandom,
  order: Pick<Order, 'customId'>,
  { type, kind, resource }: { type: string; kind: string; resource: object },
): Notice {
  const now = clock();
  const id = `WH-${random.token(12)}`;
  const body = {
    id,
    event_version: '1.0',
    create_time: new Date(now).toISOString(),
    resource_type: kind,
    resource_version: '2.0',
    event_type: type,
    summary: 'Something happened at the sandbox PayPal.',
    resource,
  };
  const dueAt = now + noticeDelayMs;
  return { id, key: order.customId, gateway: 'paypal', body: JSON.stringify(body), dueAt, repeats: 2 };
}

interface Transmission {
  readonly id: string;
  /** Internet date and time */
  readonly time: string;
  readonly webhookId: string;
  readonly body: string;
}

/** Signs what PayPal signs ("Integrate webhooks"), with a secret of the sandbox instead of a certificate. */
export function signTransmission(secret: string, { id, time, webhookId, body }: Transmission): string {
  return createHmac('sha256', secret)
    .update(`${id}|${time}|${webhookId}|${crc32(body)}`)
    .digest('base64');
}

/** The headers of a PayPal notice. `now` in epoch milliseconds. */
export function noticeHeaders(
  secret: string,
  { id, webhookId, body, now, origin }: Omit<Transmission, 'time'> & { now: number; origin: string },
): Record<string, string> {
  const time = new Date(now).toISOString();
  return {
    [transmissionHeaders.auth_algo]: 'SHA256withRSA',
    [transmissionHeaders.cert_url]: `${origin}/sandbox/paypal/v1/notifications/certs/CERT-SANDBOX`,
    [transmissionHeaders.transmission_id]: id,
    [transmissionHeaders.transmission_time]: time,
    [transmissionHeaders.transmission_sig]: signTransmission(secret, { id, time, webhookId, body }),
  };
}

interface Link {
  readonly href: string;
  readonly rel: string;
  readonly method: 'GET';
}

/** Links to the API. */
export function links(...all: readonly (readonly [rel: string, path: string])[]): Link[] {
  return all.map(([rel, path]) => ({ href: `http://sandbox.paypal${sandboxBase}${path}`, rel, method: 'GET' }));
}

/** The payer's page, at the origin that the payer came from. */
export function payerPage({ id, returnUrl }: Pick<Order, 'id' | 'returnUrl'>): string {
  return new URL(`${sandboxBase}/checkoutnow?token=${id}`, returnUrl).href;
}

/** An order in the format of "Show order details". */
export function orderView(order: Order) {
  const { id, status, customId, amount, currency } = order;
  const isWaiting = status === 'CREATED' || status === 'PAYER_ACTION_REQUIRED';
  return {
    id,
    intent: 'CAPTURE',
    status,
    payment_source: { paypal: sourceView(order) },
    purchase_units: [
      {
        reference_id: 'default',
        custom_id: customId,
        amount: toPaypal({ amount, currency }),
        ...(status === 'COMPLETED' && { payments: { captures: [captureView(order)] } }),
      },
    ],
    links: [...links(['self', `/v2/checkout/orders/${id}`]), ...(isWaiting ? [actionOf(order)] : [])],
  };
}

const actionOf = (order: Order): Link => ({ href: payerPage(order), rel: 'payer-action', method: 'GET' });

/** The account that was saved with the capture, as "Show order details" names it. */
function sourceView({ status, saves, accountId }: Order): object {
  if (status !== 'COMPLETED' || !saves || accountId === null) return {};
  const vault = { id: accountId, status: 'VAULTED', links: links(['self', `/v3/vault/payment-tokens/${accountId}`]) };
  return { email_address: payerEmail, attributes: { vault } };
}

export function captureView({ captureId, refunded, parts, customId, amount, currency }: Order) {
  return {
    id: captureId,
    status: refunded ? 'REFUNDED' : Object.keys(parts).length > 0 ? 'PARTIALLY_REFUNDED' : 'COMPLETED',
    amount: toPaypal({ amount, currency }),
    final_capture: true,
    custom_id: customId,
    links: links(['self', `/v2/payments/captures/${captureId}`]),
  };
}

/** An error in PayPal's format. */
export function problem(name: string, issue: string, more: readonly Link[] = []) {
  const description = 'The sandbox PayPal does not do this.';
  return { name, message: description, debug_id: 'sandbox', details: [{ issue, description }], links: more };
}

export const notFound = problem('RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');
export const unprocessable = (issue: string, more?: readonly Link[]) => problem('UNPROCESSABLE_ENTITY', issue, more);

/** The path of the sandbox PayPal on this server. */
export const sandboxBase = '/sandbox/paypal';

/** The ID of the server's webhook there. */
export const sandboxWebhookId = 'SANDBOXWEBHOOK1';

type Secrets = Pick<Env, 'SIGNING_SECRET'>;

/** The server's credentials at the sandbox PayPal. */
export function sandboxAccount(env: Secrets): { clientId: string; clientSecret: string; webhookId: string } {
  return { clientId: 'sandbox-shop', clientSecret: sign(env, 'paypal client'), webhookId: sandboxWebhookId };
}

/** Lifetime of an access token in seconds: nine hours, as PayPal's. */
export const tokenSeconds = 32_400;

/** A signed token with its expiry. `now` in epoch milliseconds. */
export function makeToken(env: Secrets, now: number): string {
  const until = now + tokenSeconds * 1000;
  return `A21.${until}.${sign(env, `paypal token ${until}`)}`;
}

export function isToken(env: Secrets, token: string, now: number): boolean {
  const [, until = ''] = /^A21\.(\d+)\./.exec(token) ?? [];
  return isEqualInConstantTime(token, `A21.${until}.${sign(env, `paypal token ${until}`)}`) && Number(until) > now;
}

/** Compares in constant time. */
export function isEqualInConstantTime(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function sign({ SIGNING_SECRET }: Secrets, what: string): string {
  return createHmac('sha256', SIGNING_SECRET).update(what).digest('base64url');
}

/** An order of the sandbox PayPal. Amounts in minor units, timestamps in epoch milliseconds. */
export type Order = typeof sandboxPaypalOrders.$inferSelect;
