import * as v from 'valibot';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Env } from '#server/env.ts';
import { fromPaypal, toPaypal } from '#server/payments/paypal/currencies.ts';
import { noticeSecret } from '../gateway/protocol.ts';
import type { Bank } from '../bank/bank.ts';
import { mountAccounts } from './accounts.ts';
import type { Order } from './events.ts';
import {
  capture,
  chargeAccount,
  createOrder,
  createSchema,
  findCapture,
  findOrder,
  listPaid,
  listSchema,
  newId,
  refund,
  refundBody,
} from './orders.ts';
import {
  captureView,
  signTransmission,
  links,
  notFound,
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
  unprocessable,
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
  api.get('/v2/payments/captures/:id', own, async (c) => {
    const order = await findCapture(paypal, c.req.param('id'));
    return order ? c.json(captureView(order)) : c.json(notFound, 404);
  });
  api.get('/v1/reporting/transactions', own, (c) => list(c, paypal));
  mountAccounts(api, paypal, { own, limit });
  api.get('/v1/notifications/webhooks/:id', own, (c) => {
    const id = c.req.param('id');
    const isKnown = id === sandboxWebhookId;
    return isKnown ? c.json({ id, url: 'https://localhost/webhooks/paypal' }) : c.json(notFound, 404);
  });
  api.post('/v1/notifications/verify-webhook-signature', limit, own, (c) => verify(c, paypal));
  return api;
}

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
  const base = {
    id: newId(paypal),
    requestId,
    status: 'PAYER_ACTION_REQUIRED' as const,
    declines: false,
    captureId: null,
    refunded: false,
    parts: {},
    customId,
    ...money,
    saves: false,
    accountId: null,
    returnUrl: '',
    cancelUrl: '',
    createdAt: paypal.clock(),
  };
  if ('vault_id' in source.paypal) return charge(c, paypal, { ...base, accountId: source.paypal.vault_id });
  const { attributes, experience_context: page } = source.paypal;
  const visit = { saves: attributes !== undefined, returnUrl: page.return_url, cancelUrl: page.cancel_url };
  const { order, isNew } = await createOrder(paypal, { ...base, ...visit });
  return c.json(preferredView(c, order), isNew ? 201 : 200);
}

/** An order that names a saved account is captured at once. */
async function charge(c: Context, paypal: Paypal, order: Order): Promise<Response> {
  const made = await chargeAccount(paypal, order);
  if (made === 'unknownAccount') return c.json(unprocessable('TOKEN_ID_NOT_FOUND'), 422);
  if (made === 'declined') return c.json(unprocessable('INSTRUMENT_DECLINED'), 422);
  return c.json(preferredView(c, made.order), made.isNew ? 201 : 200);
}

/** "List transactions": complete up to three hours ago, as PayPal's. */
async function list(c: Context, paypal: Paypal): Promise<Response> {
  const parsed = v.safeParse(listSchema, c.req.query());
  if (!parsed.success) return c.json(problem('INVALID_REQUEST', 'INVALID_PARAMETER_SYNTAX'), 400);
  const { start_date: from, end_date: until, page, page_size: size } = parsed.output;
  const refreshed = paypal.clock() - 3 * 60 * 60_000;
  const paid = await listPaid(paypal, Date.parse(from), Math.min(Date.parse(until), refreshed));
  const shown = paid.slice((page - 1) * size, page * size);
  return c.json({
    transaction_details: shown.map(({ captureId, customId }) => ({
      transaction_info: {
        transaction_id: captureId,
        custom_field: customId,
        transaction_event_code: 'T0003',
        transaction_status: 'S',
      },
    })),
    last_refreshed_datetime: new Date(refreshed).toISOString(),
    page,
    total_items: paid.length,
    total_pages: Math.max(1, Math.ceil(paid.length / size)),
  });
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

/** "Verify webhook signature". */
const verifySchema = v.object({
  auth_algo: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9]{1,100}$/)),
  cert_url: v.pipe(v.string(), v.url(), v.maxLength(2000)),
  transmission_id: v.pipe(v.string(), v.minLength(1), v.maxLength(50)),
  transmission_sig: v.pipe(v.string(), v.minLength(1), v.maxLength(500)),
  transmission_time: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  webhook_id: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9]{1,50}$/)),
  webhook_event: v.record(v.string(), v.unknown()),
});
