import type { App, AppEnv } from '#server/runtime/request/request-context.ts';
import type { OpenedDeps } from '#server/runtime/wiring/open-deps.ts';
import type { Sandbox } from '#server/runtime/wiring/sandbox.ts';
import type { Deps } from '#server/deps.ts';
import { addServerMetrics, mountHealth, probeRoutes } from './mount-health.ts';
import { mountPages } from './pages/mount-pages.ts';
import { mountCaptchaFrame } from '#server/auth/captcha/mount-captcha-frame.ts';
import { mountOutboxPage } from '#server/account/email/outbox-page.ts';
import { mountMailBounces } from '#server/account/email/mount-mail-bounces.ts';
import { mountWebhooks } from '#server/billing/webhooks.ts';
import { refuseOtherConnections } from '#server/runtime/outbound.ts';
import { mountUnsubscribe } from '#server/account/settings/offers.ts';
import { mountDeviceGrant } from '#server/auth/sign-on/mount-device-grant.ts';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { errorCode } from '#contract/error-codes.ts';
import { ApiRefusal } from '#server/runtime/request/api-error.ts';
import { handlers } from './handlers.ts';
import { mount, refusal, refusalOf } from './mount.ts';
import { mountOpenApi } from './mount-openapi.ts';
import { neutralPage } from '#server/runtime/request/markup.ts';
import { mountPolicyReports, mountStartReports, mountVitalsReports } from './policy-reports/mount-policy-reports.ts';
import { mountBrandPictures, mountFixedNames, mountSecurityTxt } from '#server/site/brand-files.ts';
import { requestedHost } from '#server/runtime/request/caller.ts';
import { readTraceparent, withTrace } from '#server/runtime/trace-context.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { isSandboxCaptchaRequest, canAccessSandbox, isSandboxPath } from './restricted-access.ts';

interface MountedApp {
  readonly app: App;
  /** closes the page renderer */
  close(): Promise<void>;
}

interface MountOptions {
  readonly dev: boolean;
  /** whether this process may only connect to configured hosts: true for the server, which runs nothing else */
  readonly guarded?: boolean;
}

/** Mounts everything on the port: the API and other routes, then files and pages. */
export async function mountApp(
  { deps, sandbox }: Pick<OpenedDeps, 'deps' | 'sandbox'>,
  { dev, guarded = false }: MountOptions,
): Promise<MountedApp> {
  addServerMetrics(deps);
  const removeGuard = guarded ? guardOutbound(deps) : () => {};
  const app = createApp(deps, otherRoutes(sandbox));
  const closePages = await mountPages(app, deps, { dev });
  const close = async () => {
    removeGuard();
    await closePages();
  };
  return { app, close };
}

function guardOutbound({ log, metrics }: Pick<Deps, 'log' | 'metrics'>): () => void {
  return refuseOtherConnections((host) => {
    metrics.outboundRefused();
    log.error({ host: host.slice(0, 100) }, 'refused a connection to a host that is no configured provider');
  });
}

/**
 * Routes besides the API: webhooks of providers and the device grant always, the sandbox and the outbox page where they
 * are on.
 */
export function otherRoutes(sandbox: Sandbox | null): OtherRoutes {
  const always = [mountMailBounces, mountWebhooks, mountDeviceGrant, mountCaptchaFrame, mountUnsubscribe];
  return sandbox ? [...always, ...sandbox.routes, mountOutboxPage] : always;
}

/** More routes, some of them under /api: the sandbox bank, the outbox page. */
type OtherRoutes = readonly ((app: App, deps: Deps) => void)[];

/** The API and its probes. Pages are mounted after it, because they match every remaining path. */
export function createApp(deps: Deps, others: OtherRoutes = []): App {
  const app: App = new Hono<AppEnv>();
  app.use(requestMiddleware(deps));
  app.onError((error, c) => {
    const answer = refusalOf(error);
    c.set('code', errorCode(answer.error));
    const traceId = c.get('traceId');
    const fields = { err: error, traceId, route: c.get('route') };
    if (isDisconnected(error)) deps.log.debug(fields, 'the client closed the connection during a request');
    else if (answer.error === 'systemError') deps.log.error(fields, 'a request failed');
    else if (!(error instanceof ApiRefusal)) deps.log.error(fields, 'the database is unavailable');
    if (c.req.path.startsWith('/api/')) return refusal(answer, traceId);
    return neutralPage(answer.status, 'Something went wrong here. Please try again in a moment.', traceId);
  });
  mountHealth(app, deps);
  mountPolicyReports(app, deps);
  mountStartReports(app, deps);
  mountVitalsReports(app, deps);
  mountSecurityTxt(app, deps);
  mountFixedNames(app);
  mountBrandPictures(app, deps);
  mountOpenApi(app);
  for (const bound of Object.values(handlers)) mount(app, bound, deps);
  for (const add of others) add(app, deps);
  app.all('/api/*', (c) => refusal({ error: 'invalidRequest', status: 404 }, c.get('traceId')));
  return app;
}

/** Node's error for a connection that ended before its request body: connection loss, not a bug of ours. */
function isDisconnected(error: unknown): boolean {
  return error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET';
}

/**
 * The first middleware of every request: assigns a trace id, finds the brand, and writes one log line and one count at
 * the end. The id is ours: one from the caller could put text into the log, or equal another request's.
 */
function requestMiddleware(deps: Deps): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = performance.now();
    c.set('traceId', deps.random.id());
    c.set('route', 'other');
    const trace = readTraceparent(c.req.header('traceparent'));
    if (trace) c.set('trace', trace.trace);
    if (isSandboxPath(c.req.path) && !canAccessSandbox(c, deps)) c.res = notFound(c, 404);
    else if (!findBrand(c, deps) && !needsNoBrand(c, deps)) c.res = unknownHost(c);
    else if (hasNul(c.req.url)) c.res = notFound(c, 400);
    else if (isDottedPage(c, deps)) c.res = c.redirect(withoutDot(c), 308);
    else await withTrace(trace, next);
    addSecurityHeaders(c, deps.env);
    record(c, performance.now() - started, deps);
  };
}

/**
 * Requests without a brand: probes use an address instead of a brand's host, and the captcha document may have a host
 * of its own, as may the sandbox captcha. Each has a route of its own for this method; what follows needs a brand.
 */
function needsNoBrand(c: Context<AppEnv>, { env }: Deps): boolean {
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  return (
    (reads && /^\/(healthz|healthz\/caller|healthz\/started|readyz|metrics|captcha\/frame)$/.test(c.req.path)) ||
    isSandboxCaptchaRequest(c, env)
  );
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

function record(c: Context<AppEnv>, ms: number, { log, metrics }: Deps): void {
  const { method } = c.req;
  const route = c.get('route');
  const { status } = c.res;
  metrics.request(method, route, status, ms / 1000);
  if (probeRoutes.has(route) && status < 400) return;
  // an unknown host has no brand
  const who = { trace: c.get('trace'), brand: c.get('brand')?.code, uid: c.get('uid'), orderId: c.get('orderId') };
  const labels = { traceId: c.get('traceId'), method, route, status, ...who, code: c.get('code') };
  log.info({ ...labels, ms: Math.round(ms * 10) / 10 }, 'request');
}
