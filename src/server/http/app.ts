import { Hono } from 'hono';
import { errorCode } from '#contract/error-codes.ts';
import { ApiRefusal } from '#server/runtime/request/api-error.ts';
import type { App, AppEnv } from '#server/runtime/request/request-context.ts';
import type { Deps } from '#server/deps.ts';
import { requestMiddleware } from './request-middleware.ts';
import { handlers } from './handlers.ts';
import { mountHealth } from './health.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { mount } from './mount.ts';
import { neutralPage } from '#server/runtime/request/markup.ts';
import { mountPolicyReports } from './policy-reports/mount-policy-reports.ts';
import { mountStartReports } from './policy-reports/mount-start-reports.ts';
import { refusal, refusalOf } from './respond.ts';
import { mountBrandPictures } from '#server/site/brand-pictures.ts';
import { mountSecurityTxt } from '#server/site/security-txt.ts';

export interface AppOptions {
  readonly metrics?: Metrics;
  /** more routes, some of them under /api: the sandbox bank, the outbox page */
  readonly otherRoutes?: readonly ((app: App, deps: Deps, metrics: Metrics) => void)[];
}

/** The API and its probes. Pages are mounted after it, because they match every remaining path. */
export function createApp(deps: Deps, { metrics = createMetrics(), otherRoutes = [] }: AppOptions = {}): App {
  const app: App = new Hono<AppEnv>();
  app.use(requestMiddleware(deps, metrics));
  app.onError((error, c) => {
    const answer = refusalOf(error);
    c.set('code', errorCode(answer.error));
    const traceId = c.get('traceId');
    const fields = { err: error, traceId, route: c.get('route') };
    if (isDisconnected(error)) deps.log.debug(fields, 'a caller hung up in the middle of a request');
    else if (answer.error === 'systemError') deps.log.error(fields, 'a request failed');
    else if (!(error instanceof ApiRefusal)) deps.log.error(fields, 'the database cannot work now');
    if (c.req.path.startsWith('/api/')) return refusal(answer, traceId);
    return neutralPage(answer.status, 'Something went wrong here. Please try again in a moment.', traceId);
  });
  mountHealth(app, deps, metrics);
  mountPolicyReports(app, deps, metrics);
  mountStartReports(app, deps, metrics);
  mountSecurityTxt(app, deps);
  mountBrandPictures(app, deps);
  for (const bound of Object.values(handlers)) mount(app, bound, deps);
  for (const add of otherRoutes) add(app, deps, metrics);
  app.all('/api/*', (c) => refusal({ error: 'invalidRequest', status: 404 }, c.get('traceId')));
  return app;
}

/** Node's error for a connection that ended before its request body: connection loss, not a bug of ours. */
function isDisconnected(error: unknown): boolean {
  return error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET';
}
