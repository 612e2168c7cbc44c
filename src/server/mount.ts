import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { Context } from 'hono';
import type { Endpoint, Parsed, Payload } from '../contract/endpoint.ts';
import { refuse } from './api-error.ts';
import type { App, AppEnv } from './app-env.ts';
import { findSession, tokenHash } from './auth/session.ts';
import { callerOf } from './caller.ts';
import type { Deps } from './deps.ts';
import { readHeaders, readIdempotencyKey, readParts, type Parts } from './read-input.ts';
import type { ContextOf, RequestContext } from './request-context.ts';
import { success } from './respond.ts';

/** Does what one endpoint promises, from input that fits its schemas. Refuses by `refuse(code, params)`. */
export type Handler<E extends Endpoint> = (input: Parsed<E>, context: ContextOf<E>) => Promise<Payload<E>> | Payload<E>;

export interface Bound<E extends Endpoint = Endpoint> {
  readonly endpoint: E;
  /** the answer to a visitor follows from catalogue, path, query and language alone, so it may be kept */
  readonly cached: boolean;
  /** runs the handler; what it returns fits the endpoint's result, and holds nothing else */
  run(parts: Parts, context: RequestContext): Promise<unknown>;
}

/** Joins an endpoint with its one handler. */
export function bind<E extends Endpoint>(
  endpoint: E,
  handler: Handler<E>,
  { cached = false }: { cached?: boolean } = {},
): Bound<E> {
  return {
    endpoint,
    cached,
    run: async (parts, context) => {
      // both casts rest on `serve` and `callAsVisitor`: parts come from this endpoint's schemas, access was checked
      const payload = await handler(parts as Parsed<E>, context as ContextOf<E>);
      return v.parse(endpoint.result, payload);
    },
  };
}

const keptAnswers = 1000;

/** Adds the route of one endpoint: reads, checks who calls, runs, and wraps the answer in the envelope. */
export function mount(app: App, bound: Bound, deps: Deps): void {
  const { endpoint } = bound;
  const kept = new LRUCache<string, string>({ max: keptAnswers });
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');
  app.on(endpoint.method, path, async (c) => {
    c.set('route', endpoint.path);
    const context = await contextOf(c, endpoint, deps);
    const shared = bound.cached && context.user === null;
    const parts = await readParts(c, endpoint);
    const key = shared ? answerKey(parts, context) : '';
    let json = shared ? kept.get(key) : undefined;
    if (json === undefined) {
      json = JSON.stringify(await bound.run(parts, context));
      if (shared) kept.set(key, json);
    }
    return success({ key: endpoint.payload, json }, context.traceId, shared);
  });
}

/** By what the parts mean, so that another spelling of the same question, or another order, is no other answer. */
function answerKey(parts: Parts, { deps, brand, language }: RequestContext): string {
  return `${deps.catalog.version} ${brand.code} ${language} ${JSON.stringify(parts)}`;
}

async function contextOf(c: Context<AppEnv>, endpoint: Endpoint, deps: Deps): Promise<RequestContext> {
  const headers = readHeaders(c);
  const brand = c.get('brand');
  const hash = headers.authorization === null ? null : tokenHash(headers.authorization);
  const asks = hash !== null && endpoint.access !== 'public';
  const user = asks ? await findSession(deps.db, brand.code, hash, deps.clock()) : null;
  if (endpoint.access === 'customer' && !user) refuse(21);
  if (user) c.set('uid', user.uid);
  if (endpoint.ownerOnly && user?.sessionKind === 'box') refuse(-24031);
  return {
    deps,
    brand,
    origin: c.get('origin'),
    language: headers.language,
    scene: headers.scene,
    clientType: headers['client-type'],
    fingerprint: headers.fingerprint,
    user,
    tokenHash: hash,
    ...callerOf(c, deps.env),
    traceId: c.get('traceId'),
    idempotencyKey: readIdempotencyKey(c, endpoint),
  };
}
