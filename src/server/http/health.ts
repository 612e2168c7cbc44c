import { timingSafeEqual } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { Registry } from 'prom-client';
import type { App } from '#server/runtime/request/request-context.ts';
import type { Deps } from '#server/deps.ts';
import type { Metrics } from './metrics.ts';
import { isFromThisMachine } from '#server/runtime/request/local-caller.ts';

/**
 * `/healthz`: the process runs. `/readyz`: it can serve, including the database. `/metrics`: Prometheus, for callers
 * with the token; without a configured token only for this machine, because routes, rates and versions help an
 * attacker.
 */
export function mountHealth(app: App, deps: Deps, metrics: Metrics): void {
  const isReady = readiness(deps);
  app.get('/healthz', (c) => {
    c.set('route', '/healthz');
    return c.text('ok');
  });
  app.get('/readyz', async (c) => {
    c.set('route', '/readyz');
    return (await isReady()) ? c.text('ready') : c.text('database', 503);
  });
  app.get('/metrics', async (c) => {
    c.set('route', '/metrics');
    const { METRICS_TOKEN: token } = deps.env;
    if (token === undefined && !isFromThisMachine(c)) return c.text('not found', 404);
    if (token !== undefined && !hasToken(token, c.req.header('authorization'))) return c.text('unauthorized', 401);
    const all = Registry.merge([metrics.registry, deps.limitMetrics.registry]);
    return c.body(await all.metrics(), 200, { 'content-type': all.contentType });
  });
}

/** How long a probe waits for the database, in milliseconds; probes usually time out after two seconds. */
const patienceMs = 1500;

/** Checks whether the database responds in time; concurrent probes share one query. */
function readiness({ db, log }: Pick<Deps, 'db' | 'log'>): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  const query = async () => {
    try {
      await db.execute(sql`select 1`);
      return true;
    } catch (error) {
      log.error({ err: error }, 'the database does not answer');
      return false;
    } finally {
      running = undefined;
    }
  };
  return async () => {
    running ??= query();
    const late = new AbortController();
    const tooLong = setTimeout(patienceMs, false, { signal: late.signal }).catch(() => false);
    return Promise.race([running, tooLong]).finally(() => late.abort());
  };
}

function hasToken(token: string, header: string | undefined): boolean {
  const wanted = Buffer.from(`Bearer ${token}`);
  const given = Buffer.from(header ?? '');
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}
