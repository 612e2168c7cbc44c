import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { Context } from 'hono';
import type { Endpoint } from '#contract/endpoint.ts';
import { orderIdSchema } from '#contract/fields.ts';
import { refuseCommon, throwRefusal, ApiRefusal, createBusyRefusal } from '#server/runtime/request/api-error.ts';
import type { App, AppEnv, CallContext, Bound, Parts } from '#server/runtime/request/request-context.ts';
import { assertCheckoutCall, assertInCheckout } from './restricted-access.ts';
import { readSession } from '#server/auth/request-session.ts';
import { callerOf } from '#server/runtime/request/caller.ts';
import type { Deps } from '#server/deps.ts';
import { passBodyGate } from '#server/runtime/request/body-gate.ts';
import { readAddress, readContent, readHeaders, readIdempotencyKey } from './read-input.ts';
import { errorCode, type ErrorName } from '#contract/error-codes.ts';
import type { RefusalParams } from '#contract/envelope.ts';
import { isUnavailable } from '#server/db/connect.ts';

const maxCached = 1000;

/**
 * Adds the route of one endpoint: parses the request, checks access, runs the handler, and wraps the result in the
 * envelope.
 */
export function mount(app: App, bound: Bound, deps: Deps): void {
  const { endpoint } = bound;
  // created only for cached endpoints, because it allocates its whole table at once
  const cache = bound.cached ? new LRUCache<string, string>({ max: maxCached }) : undefined;
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');
  app.on(endpoint.method, path, async (c) => {
    c.set('route', endpoint.path);
    const context = await contextOf(c, endpoint, deps);
    const shared = context.user === null ? cache : undefined;
    const parts = await partsOf(c, bound, context);
    if (context.user?.checkout) assertInCheckout(parts, context.user.checkout);
    const key = shared ? answerKey(parts, context) : '';
    let json = shared?.get(key);
    if (json === undefined) {
      noteOrder(c, parts.query, parts.body);
      const result = await bound.run(parts, context);
      noteOrder(c, result);
      json = JSON.stringify(result);
      shared?.set(key, json);
    }
    return success({ key: endpoint.payload, json }, context.traceId, shared !== undefined);
  });
}

const ofOrder = v.object({ orderId: orderIdSchema });

/** Sets the order for the log, if one of these has its ID: what a request names, or a result creates. */
function noteOrder(c: Context<AppEnv>, ...parts: readonly unknown[]): void {
  for (const part of parts) if (v.is(ofOrder, part)) c.set('orderId', part.orderId);
}

/** A file is refused where a JSON body would be queued: the caller's other uploads have to end first. */
async function partsOf(c: Context<AppEnv>, { endpoint, before }: Bound, context: CallContext): Promise<Parts> {
  if (endpoint.method === 'GET') return readAddress(c, endpoint);
  const gate = { session: context, waits: endpoint.file === undefined };
  return passBodyGate(c, context.deps, gate, async (admission) => {
    const parts = readAddress(c, endpoint);
    await before?.(context);
    return { ...parts, ...(await readContent(c, endpoint, admission)) };
  });
}

/** A key from the parsed parts, so that another spelling or order of the same query shares the cached response. */
function answerKey(parts: Parts, { deps, brand, language }: CallContext): string {
  return `${deps.catalog.version} ${brand.code} ${language} ${JSON.stringify(parts)}`;
}

async function contextOf(c: Context<AppEnv>, endpoint: Endpoint, deps: Deps): Promise<CallContext> {
  const headers = readHeaders(c);
  const brand = c.get('brand');
  const { user, ...session } = await readSession(c, deps, endpoint, headers.authorization);
  if (endpoint.access === 'customer' && !user) refuseCommon('invalidToken');
  if (user) c.set('uid', user.uid);
  if (endpoint.ownerOnly && user?.sessionKind === 'box') throwRefusal('unauthorized');
  if (user?.checkout) assertCheckoutCall(endpoint);
  return {
    deps,
    brand,
    origin: c.get('origin'),
    language: headers.language,
    scene: headers.scene,
    user,
    ...session,
    ...callerOf(c, deps.env),
    traceId: c.get('traceId'),
    idempotencyKey: readIdempotencyKey(c, endpoint),
  };
}

/** Headers of every API response. A response is not a document, so it may not load or frame anything. */
const apiHeaders = {
  'content-type': 'application/json; charset=UTF-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Responses depend on the session and the language, so caches must separate them. */
const vary = 'Authorization, Language';
const sharedForSeconds = 15;

/** A success envelope around a payload that is already JSON. */
function success(payload: { key: 'data' | 'result'; json: string }, traceId: string, shared: boolean): Response {
  return new Response(`{"code":0,"${payload.key}":${payload.json},"traceId":"${traceId}"}`, {
    headers: {
      ...apiHeaders,
      'cache-control': shared ? `public, max-age=${sharedForSeconds}` : 'no-store',
      vary,
      'x-request-id': traceId,
    },
  });
}

interface Refusal {
  readonly error: ErrorName;
  readonly params?: RefusalParams | undefined;
  readonly status: number;
}

/** A refusal envelope: the error's code, its parameters, and the trace id. No message text. */
export function refusal({ error, params, status }: Refusal, traceId: string): Response {
  const code = errorCode(error);
  const wait = params?.waitSeconds;
  return new Response(JSON.stringify({ code, errCode: code, ...(params && { params }), traceId }), {
    status,
    headers: {
      ...apiHeaders,
      'cache-control': 'no-store',
      'x-request-id': traceId,
      ...(wait === undefined ? {} : { 'retry-after': String(Math.ceil(wait)) }),
    },
  });
}

/**
 * Converts a thrown value: a refusal stays as it is, an unavailable database becomes `serviceBusy`, anything else
 * `systemError` without its text.
 */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof ApiRefusal) return error;
  return isUnavailable(error) ? createBusyRefusal() : { error: 'systemError', status: 500 };
}
