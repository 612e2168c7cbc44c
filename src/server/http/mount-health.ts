import { timingSafeEqual } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { and, asc, count, eq, inArray, lte, min, sql } from 'drizzle-orm';
import { collectDefaultMetrics } from 'prom-client';
import { isWritable, ReadOnlyServer } from '#server/db/connect.ts';
import { isWaitingMessage, laneOf, outbox, outboxLanes } from '#server/db/schema/outbox.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { isWaitingDelivery, webhookDeliveries } from '#server/db/schema/webhooks.ts';
import { webhookUrls } from '#server/messages/webhooks/queue-event.ts';
import { addGauge } from '#server/runtime/gauge.ts';
import type { Context } from 'hono';
import type { App, AppEnv } from '#server/runtime/request/request-context.ts';
import type { Deps } from '#server/deps.ts';
import { callerPath, callerProof, describeCaller, isFromThisMachine } from '#server/runtime/request/caller.ts';

/**
 * `/healthz`: the process runs. `/healthz/started`: it has started, and serves public pages even while the database is
 * away. `/readyz`: it can serve, including the database. `/metrics`: Prometheus, for callers with the token; without a
 * configured token only for this machine, because routes, rates and versions help an attacker. `/healthz/caller`: what
 * the server sees of a request through its proxies, for the doctor.
 */
export function mountHealth(app: App, deps: Deps): void {
  const problemOf = readiness(deps);
  for (const path of ['/healthz', startedPath]) {
    app.get(path, (c) => {
      c.set('route', path);
      return c.text('ok');
    });
  }
  app.get('/readyz', async (c) => {
    c.set('route', '/readyz');
    const problem = await problemOf();
    return problem === undefined ? c.text('ready') : c.text(problem, 503);
  });
  app.get(callerPath, (c) => {
    c.set('route', callerPath);
    const { METRICS_TOKEN: token } = deps.env;
    const isDoctor = token !== undefined && isEqual(callerProof(token), c.req.header('authorization'));
    return isDoctor
      ? c.json(describeCaller(c, deps.env), 200, { 'cache-control': 'no-store' })
      : c.text('not found', 404);
  });
  app.get('/metrics', async (c) => {
    c.set('route', '/metrics');
    const { METRICS_TOKEN: token } = deps.env;
    if (token === undefined && !isFromThisMachine(c)) return c.text('not found', 404);
    if (token !== undefined && !hasToken(c, deps.env)) return c.text('unauthorized', 401);
    const { registry } = deps.metrics;
    return c.body(await registry.metrics(), 200, { 'content-type': registry.contentType });
  });
}

/** For proxies that answer by themselves when no process is ready. 503 until the process has started. */
const startedPath = '/healthz/started';

/** How long a probe waits for the database, in milliseconds; probes usually time out after two seconds. */
const patienceMs = 1500;

type ServerDeps = Pick<Deps, 'db' | 'clock' | 'metrics' | 'catalog'>;

/**
 * Adds what the real server measures of itself and of the work that waits. Each scrape reads that work by indexes that
 * contain nothing else, so it costs the same after years.
 */
export function addServerMetrics(deps: ServerDeps): void {
  const { db, clock, metrics } = deps;
  collectDefaultMetrics({ register: metrics.registry });
  addWebhookAge(deps);
  const oldest = {
    name: 'outbox_oldest_seconds',
    help: 'Age of the oldest message that waits, by lane',
    label: 'lane',
  };
  addGauge(metrics, oldest, async () => {
    const ages = Object.entries(outboxLanes).map(async ([lane, number]) => {
      const [row] = await db
        .select({ createdAt: outbox.createdAt })
        .from(outbox)
        .where(sql`${laneOf(outbox)} = ${number}::int and ${isWaitingMessage(outbox)}`)
        .orderBy(asc(outbox.createdAt))
        .limit(1);
      return [lane, row ? Math.max(0, clock() - row.createdAt) / 1000 : 0] as const;
    });
    return Object.fromEntries(await Promise.all(ages));
  });
  const due = { name: 'renewals_due', help: 'Renewals that are due and wait for the job', label: 'status' };
  addGauge(metrics, due, async () => {
    const rows = await db
      .select({ status: subscriptions.status, due: count() })
      .from(subscriptions)
      .where(lte(subscriptions.dueAt, clock()))
      .groupBy(subscriptions.status);
    return { on: 0, pastDue: 0, renewing: 0, ...Object.fromEntries(rows.map((row) => [row.status, row.due])) };
  });
}

function addWebhookAge({ db, clock, metrics, catalog }: ServerDeps): void {
  const webhooks = {
    name: 'webhooks_oldest_seconds',
    help: 'Age of the oldest event that no system of the operator has accepted yet',
    label: 'brand',
  };
  addGauge(metrics, webhooks, async () => {
    const ages = catalog.all().map(async (brand) => {
      const urls = webhookUrls(brand);
      if (urls.length === 0) return [];
      const [row] = await db
        .select({ oldest: min(webhookDeliveries.createdAt) })
        .from(webhookDeliveries)
        // what waits for an address that the brand no longer has is never sent
        .where(
          and(
            eq(webhookDeliveries.brand, brand.code),
            inArray(webhookDeliveries.url, urls),
            isWaitingDelivery(webhookDeliveries),
          ),
        );
      return [[brand.code, Math.max(0, clock() - (row?.oldest ?? clock())) / 1000] as const];
    });
    return Object.fromEntries((await Promise.all(ages)).flat());
  });
}

/** The routes of probes and scrapes, which come every few seconds and are not logged. */
export const probeRoutes: ReadonlySet<string> = new Set(['/healthz', startedPath, '/readyz', '/metrics', callerPath]);

const silent = 'the database does not answer';

/** Finds out what is wrong with the database, if anything; concurrent probes share one query. */
function readiness({ db, log }: Pick<Deps, 'db' | 'log'>): () => Promise<string | undefined> {
  let running: Promise<string | undefined> | undefined;
  const query = async () => {
    try {
      await db.transaction(async (tx) => {
        if (!(await isWritable(tx))) throw new ReadOnlyServer();
      });
      return undefined;
    } catch (error) {
      const problem = error instanceof ReadOnlyServer ? `the database ${error.message}` : silent;
      log.error({ err: error }, problem);
      return problem;
    } finally {
      running = undefined;
    }
  };
  return async () => {
    running ??= query();
    const late = new AbortController();
    const tooLong = setTimeout(patienceMs, silent, { signal: late.signal }).catch(() => silent);
    return Promise.race([running, tooLong]).finally(() => late.abort());
  };
}

/** Whether a request has the bearer token of the operator's tools. */
export function hasToken(c: Context<AppEnv>, { METRICS_TOKEN: token }: Pick<Deps['env'], 'METRICS_TOKEN'>): boolean {
  return token !== undefined && isEqual(`Bearer ${token}`, c.req.header('authorization'));
}

function isEqual(wanted: string, header: string | undefined): boolean {
  const [one, other] = [Buffer.from(wanted), Buffer.from(header ?? '')];
  return one.length === other.length && timingSafeEqual(one, other);
}
