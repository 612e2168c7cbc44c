import type { Context, MiddlewareHandler } from 'hono';
import type { AppEnv } from '#server/runtime/request/request-context.ts';
import { requestedHost } from '#server/runtime/request/caller.ts';
import type { Deps } from '#server/deps.ts';
import type { Metrics } from './metrics.ts';
import { neutralPage } from '#server/runtime/request/markup.ts';
import { refusal } from './respond.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { isCaptchaPlace, maySeeSandbox, isSandboxPath } from './sandbox-access.ts';

/**
 * The first middleware of every request: assigns a trace id, finds the brand, and writes one log line and one count at
 * the end. The id is ours: one from the caller could put text into the log, or equal another request's.
 */
export function requestMiddleware(deps: Deps, metrics: Metrics): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = performance.now();
    c.set('traceId', deps.random.id());
    c.set('route', 'other');
    if (isSandboxPath(c.req.path) && !maySeeSandbox(c, deps)) c.res = notFound(c, 404);
    else if (!findBrand(c, deps) && !needsNoBrand(c, deps)) c.res = unknownHost(c);
    else if (hasNul(c.req.url)) c.res = notFound(c, 400);
    else if (isDottedPage(c, deps)) c.res = c.redirect(withoutDot(c), 308);
    else await next();
    addSecurityHeaders(c, deps.env);
    record(c, performance.now() - started, deps, metrics);
  };
}

/**
 * Requests without a brand: probes use an address instead of a brand's host, and the captcha document may have a host
 * of its own, as may the sandbox captcha. Each has a route of its own for this method; what follows needs a brand.
 */
function needsNoBrand(c: Context<AppEnv>, { env }: Deps): boolean {
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  return (reads && /^\/(healthz|readyz|metrics|captcha\/frame)$/.test(c.req.path)) || isCaptchaPlace(c, env);
}

/** No URL of ours contains a NUL. The schemas of the API refuse it with the invalid field. */
function hasNul(url: string): boolean {
  return url.includes('%00') && !/^[^/]*\/\/[^/]+\/api\//.test(url);
}

function notFound(c: Context<AppEnv>, status: 400 | 404): Response {
  return neutralPage(status, 'There is nothing at this address.', c.get('traceId'));
}

function findBrand(c: Context<AppEnv>, { catalog, env }: Deps): boolean {
  const host = requestedHost(c, env);
  const brand = host && catalog.byHost(host.name);
  if (!brand) return false;
  c.set('brand', brand);
  c.set('origin', host.origin);
  return true;
}

/**
 * Browsers separate storage, passkeys and origin of `shop.example.`, so pages are served at the canonical host only.
 */
function isDottedPage(c: Context<AppEnv>, { env }: Deps): boolean {
  const isPage = c.req.method === 'GET' && c.req.header('accept')?.includes('text/html') === true;
  return isPage && c.get('brand') !== undefined && requestedHost(c, env)?.isDotted === true;
}

/** Relative to the scheme that the browser used, which a proxy outside of `TRUST_PROXY` may have changed. */
function withoutDot(c: Context<AppEnv>): string {
  const { pathname, search } = new URL(c.req.url);
  return `//${new URL(c.get('origin')).host}${pathname}${search}`;
}

/** An unknown host gets a neutral response, never the shop of some other brand. */
function unknownHost(c: Context<AppEnv>): Response {
  const traceId = c.get('traceId');
  if (c.req.path.startsWith('/api/'))
    return refusal({ error: 'invalidRequest', params: { field: 'Host' }, status: 421 }, traceId);
  return neutralPage(421, 'There is no shop at this address.', traceId);
}

function record(c: Context<AppEnv>, ms: number, { log }: Deps, metrics: Metrics): void {
  const { method } = c.req;
  const route = c.get('route');
  const { status } = c.res;
  metrics.request(method, route, status, ms / 1000);
  // an unknown host has no brand
  const labels = { brand: c.get('brand')?.code, uid: c.get('uid'), code: c.get('code') };
  log.info({ traceId: c.get('traceId'), method, route, status, ...labels, ms: Math.round(ms * 10) / 10 }, 'request');
}
