import * as v from 'valibot';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Env } from '#server/env.ts';
import { fromPaypal, toPaypal } from '#server/payments/paypal/currencies.ts';
import { noticeSecret } from '../gateway/protocol.ts';
import type { Bank } from '../bank/bank.ts';
import type { Order } from './events.ts';
import { capture, createOrder, findOrder, newId, refund } from './orders.ts';
import {
  signTransmission,
  links,
  orderView,
  payerPage,
  problem,
  isEqualInConstantTime,
  isToken,
  makeToken,
  sandboxAccount,
  sandboxBase,
  sandboxWebhookId,
  tokenSeconds,
} from './events.ts';

type Paypal = Bank & { readonly env: Pick<Env, 'SIGNING_SECRET'> };

/**
 * The parts of PayPal's API that the server's adapter uses: tokens, orders, one capture per order, refunds, signed
 * notices, and a page for the payer (mount-paypal.ts). It is reached by HTTP only, with PayPal's paths and fields, so
 * the same adapter works with both.
 */
export function sandboxPaypal(paypal: Paypal): Hono {
  const api = new Hono().basePath(sandboxBase);
  // as at the sandbox bank
  api.onError((_error, c) => c.json(problem('INTERNAL_SERVER_ERROR', 'BROKEN'), 503));
  const limit = bodyLimit({ maxSize: 64 * 1024, onError: (c) => c.json(problem('INVALID_REQUEST', 'TOO_LARGE'), 413) });
  api.post('/v1/oauth2/token', limit, (c) => issueToken(c, paypal));
  const own = requireToken(paypal);
  api.post('/v2/checkout/orders', limit, own, (c) => create(c, paypal));
  api.get('/v2/checkout/orders/:id', own, async (c) => {
    const order = await findOrder(paypal, c.req.param('id'));
    return order ? c.json(orderView(order)) : c.json(notFound, 404);
  });
  api.post('/v2/checkout/orders/:id/capture', limit, own, (c) => captureOrder(c, paypal, c.req.param('id')));
  api.post('/v2/payments/captures/:id/refund', limit, own, (c) => handleRefund(c, paypal, c.req.param('id')));
  api.get('/v1/notifications/webhooks/:id', own, (c) => {
    const id = c.req.param('id');
    const isKnown = id === sandboxWebhookId;
    return isKnown ? c.json({ id, url: 'https://localhost/webhooks/paypal' }) : c.json(notFound, 404);
  });
  api.post('/v1/notifications/verify-webhook-signature', limit, own, (c) => verify(c, paypal));
  return api;
}

const notFound = problem('RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');
const unprocessable = (issue: string, more?: Parameters<typeof problem>[2]) =>
  problem('UNPROCESSABLE_ENTITY', issue, more);

/** A token for the client's credentials (RFC 6749, 4.4). */
async function issueToken(c: Context, { env, clock }: Paypal): Promise<Response> {
  const { clientId, clientSecret } = sandboxAccount(env);
  const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  if (!isEqualInConstantTime(c.req.header('authorization') ?? '', expected))
    return c.json({ error: 'invalid_client' }, 401);
  const grant = new URLSearchParams(await c.req.text()).get('grant_type');
  if (grant !== 'client_credentials') return c.json({ error: 'unsupported_grant_type' }, 400);
  return c.json({ access_token: makeToken(env, clock()), token_type: 'Bearer', expires_in: tokenSeconds });
}

function requireToken({ env, clock }: Paypal): MiddlewareHandler {
  return async (c, next) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '') ?? [];
    return isToken(env, token, clock()) ? next() : c.json({ error: 'invalid_token' }, 401);
  };
}

async function create(c: Context, paypal: Paypal): Promise<Response> {
  const requestId = c.req.header('paypal-request-id') ?? '';
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), createSchema), await c.req.text());
  if (!parsed.success) return c.json(problem('INVALID_REQUEST', 'INVALID_PARAMETER_SYNTAX'), 400);
  // PayPal requires it if a payment source is named
  if (requestId === '') return c.json(problem('INVALID_REQUEST', 'PAYPAL_REQUEST_ID_REQUIRED'), 400);
  const { purchase_units: units, payment_source: source } = parsed.output;
  const [{ amount: requested, custom_id: customId }] = units;
  const money = fromPaypal(requested);
  const isSupported = money && toPaypal(money)?.value === requested.value;
  if (!isSupported) return c.json(unprocessable('CURRENCY_NOT_SUPPORTED'), 422);
  const { return_url: returnUrl, cancel_url: cancelUrl } = source.paypal.experience_context;
  const { order, isNew } = await createOrder(paypal, {
    id: newId(paypal),
    requestId,
    status: 'PAYER_ACTION_REQUIRED',
    declines: false,
    captureId: null,
    refunded: false,
    parts: {},
    customId,
    ...money,
    returnUrl,
    cancelUrl,
    createdAt: paypal.clock(),
  });
  return c.json(preferredView(c, order), isNew ? 201 : 200);
}

/** Minimal by default, as PayPal's. */
function preferredView(c: Context, order: Order): object {
  const { purchase_units: units, ...rest } = orderView(order);
  return c.req.header('prefer') === 'return=representation' ? { ...rest, purchase_units: units } : rest;
}

async function captureOrder(c: Context, paypal: Paypal, id: string): Promise<Response> {
  const order = await findOrder(paypal, id);
  if (!order) return c.json(notFound, 404);
  const end = await capture(paypal, order, c.req.header('paypal-request-id') ?? paypal.random.id());
  switch (end) {
    case 'captured':
    case 'repeated':
      return c.json(preferredView(c, (await findOrder(paypal, id)) ?? order), end === 'captured' ? 201 : 200);
    case 'declined': {
      const again = { href: payerPage(order), rel: 'redirect', method: 'GET' } as const;
      return c.json(unprocessable('INSTRUMENT_DECLINED', [again]), 422);
    }
    case 'alreadyCaptured':
      return c.json(unprocessable('ORDER_ALREADY_CAPTURED'), 422);
    case 'notApproved':
      return c.json(unprocessable('ORDER_NOT_APPROVED'), 422);
  }
}

/** Refunds the remaining amount if none is given; a part once for its request ID, which PayPal then requires. */
async function handleRefund(c: Context, paypal: Paypal, id: string): Promise<Response> {
  const parsed = v.safeParse(refundBody, await c.req.json());
  const requestId = c.req.header('paypal-request-id') ?? '';
  if (!parsed.success) return c.json(problem('INVALID_REQUEST', 'INVALID_PARAMETER_SYNTAX'), 400);
  const { amount: requested, custom_id: customId } = parsed.output;
  const money = requested && fromPaypal(requested);
  const isSupported = !requested || (money && toPaypal(money)?.value === requested.value);
  // both must be equal here, so that the notice names the part
  if (!isSupported || (requested && customId !== requestId)) return c.json(unprocessable('INVALID_CURRENCY_CODE'), 422);
  const end = await refund(paypal, id, money && { requestId, amount: money.amount });
  if (end === 'unknown') return c.json(notFound, 404);
  if (end === 'alreadyRefunded') return c.json(unprocessable('CAPTURE_FULLY_REFUNDED'), 422);
  if (end === 'tooMuch') return c.json(unprocessable('REFUND_AMOUNT_EXCEEDED'), 422);
  return c.json({ id: `R${id}`, status: 'COMPLETED', links: links(['up', `/v2/payments/captures/${id}`]) }, 201);
}

async function verify(c: Context, { env }: Paypal): Promise<Response> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), verifySchema), await c.req.text());
  if (!parsed.success) return c.json(problem('VALIDATION_ERROR', 'INVALID_PARAMETER_SYNTAX'), 400);
  const { transmission_id: id, transmission_time: time, transmission_sig: signature, ...rest } = parsed.output;
  const { webhookId } = sandboxAccount(env);
  const body = JSON.stringify(rest.webhook_event);
  const expected = signTransmission(noticeSecret(env), { id, time, webhookId, body });
  const isOwn = rest.webhook_id === webhookId && isEqualInConstantTime(signature, expected);
  return c.json({ verification_status: isOwn ? 'SUCCESS' : 'FAILURE' });
}

/** The fields that the sandbox PayPal reads; others are ignored, as PayPal does with most. */
const filled = (max: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(max));
const url = v.pipe(v.string(), v.url(), v.maxLength(2000));

const unit = v.object({
  custom_id: filled(127),
  invoice_id: filled(127),
  amount: v.object({ currency_code: v.pipe(v.string(), v.length(3)), value: filled(32) }),
});

const createSchema = v.object({
  intent: v.literal('CAPTURE'),
  purchase_units: v.tuple([unit]),
  payment_source: v.object({
    paypal: v.object({ experience_context: v.object({ return_url: url, cancel_url: url }) }),
  }),
});

/** "Refund captured payment". */
const refundBody = v.object({
  amount: v.optional(v.object({ currency_code: v.pipe(v.string(), v.length(3)), value: filled(32) })),
  custom_id: v.optional(filled(127)),
});

/** "Verify webhook signature". */
const verifySchema = v.object({
  auth_algo: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9]{1,100}$/)),
  cert_url: url,
  transmission_id: filled(50),
  transmission_sig: filled(500),
  transmission_time: filled(100),
  webhook_id: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9]{1,50}$/)),
  webhook_event: v.record(v.string(), v.unknown()),
});
