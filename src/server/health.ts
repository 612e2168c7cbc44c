import { timingSafeEqual } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { App } from './app-env.ts';
import type { Deps } from './deps.ts';
import type { Metrics } from './metrics.ts';

/** `/healthz`: the process lives. `/readyz`: it can serve, database and all. `/metrics`: Prometheus. */
export function mountHealth(app: App, deps: Deps, metrics: Metrics): void {
  app.get('/healthz', (c) => {
    c.set('route', '/healthz');
    return c.text('ok');
  });
  app.get('/readyz', async (c) => {
    c.set('route', '/readyz');
    try {
      await deps.db.execute(sql`select 1`);
      return c.text('ready');
    } catch (error) {
      deps.log.error({ err: error }, 'the database does not answer');
      return c.text('database', 503);
    }
  });
  app.get('/metrics', async (c) => {
    c.set('route', '/metrics');
    if (!mayRead(deps.env.METRICS_TOKEN, c.req.header('authorization'))) return c.text('unauthorized', 401);
    return c.body(await metrics.registry.metrics(), 200, { 'content-type': metrics.registry.contentType });
  });
}

function mayRead(token: string | undefined, header: string | undefined): boolean {
  if (token === undefined) return true;
  const wanted = Buffer.from(`Bearer ${token}`);
  const given = Buffer.from(header ?? '');
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}
