import { Hono } from 'hono';
import { createBusyRefusal } from '#server/runtime/request/api-error.ts';
import { isFromThisMachine } from '#server/runtime/request/caller.ts';
import { neutralPage } from '#server/runtime/request/markup.ts';
import type { App, AppEnv } from '#server/runtime/request/request-context.ts';
import type { Random } from '#server/runtime/random.ts';
import type { Settings } from '#server/env.ts';
import { refusal } from './mount.ts';
import { hasToken } from './mount-health.ts';
import { addSecurityHeaders } from './security-headers.ts';

interface Starting {
  readonly settings: Settings;
  readonly random: Random;
  /** why the shop is not open yet: one sentence, which names hosts and users */
  reason(): string;
}

const retryAfterSeconds = '3';

/**
 * Answers while the process waits for its database or migrates it: `/healthz` with 200, everything else with 503.
 * `/readyz` says why, in full only to callers of this machine or with the token of the metrics.
 */
export function createStartingApp({ settings, random, reason }: Starting): App {
  const app: App = new Hono<AppEnv>();
  app.use(async (c, next) => {
    c.set('traceId', random.id());
    await next();
    addSecurityHeaders(c, settings);
    if (c.res.status === 503) c.res.headers.set('retry-after', retryAfterSeconds);
  });
  app.get('/healthz', (c) => c.text('ok'));
  app.get('/readyz', (c) => {
    const mayKnow = isFromThisMachine(c) || hasToken(c, settings);
    return c.text(mayKnow ? reason() : 'starting; the log says what the shop waits for', 503);
  });
  app.all('*', (c) => {
    const traceId = c.get('traceId');
    if (c.req.path.startsWith('/api/')) return refusal(createBusyRefusal(), traceId);
    return neutralPage(503, 'Something went wrong here. Please try again in a moment.', traceId);
  });
  return app;
}
