import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { timingSafeEqual } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { App } from '#server/runtime/request/request-context.ts';
import type { Deps } from '#server/deps.ts';
import { isFromThisMachine } from '#server/runtime/request/caller.ts';

export interface Metrics {
  readonly registry: Registry;
  /** one finished request; `seconds` from its first byte to its response */
  request(method: string, route: string, status: number, seconds: number): void;
  /** a CSP violation; both labels are from lists of ours */
  violation(rule: string, blocked: string): void;
  /** a page whose scripts did not start; all labels are from lists of ours */
  notStarted(labels: { readonly engine: string; readonly reason: string; readonly repair: string }): void;
  /** a provider's signed notice about a payment of another installation on the same account */
  foreignNotice(gateway: string): void;
  /** a notice that is not from the provider, or could not be verified */
  refusedNotice(gateway: string): void;
  /** a request of this process to a host that is not a configured provider */
  outboundRefused(): void;
}

/** Counters of one app. `process` adds those of Node itself, which only the real server needs. */
export function createMetrics({ process = false }: { process?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (process) collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route',
    labelNames: ['route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const answers = counterIn(registry, 'http_requests_total', 'Answers, by method, route and status', [
    'method',
    'route',
    'status',
  ]);
  return {
    registry,
    request: (method, route, status, seconds) => {
      durations.observe({ route }, seconds);
      answers.inc({ method, route, status });
    },
    ...pageCounters(registry),
    ...providerCounters(registry),
  };
}

const counterIn = (registry: Registry, name: string, help: string, labelNames: string[]) =>
  new Counter({ name, help, labelNames, registers: [registry] });

function pageCounters(registry: Registry): Pick<Metrics, 'violation' | 'notStarted'> {
  const violations = counterIn(registry, 'policy_violations_total', 'What pages wanted and their policy forbids', [
    'rule',
    'blocked',
  ]);
  const notStarted = counterIn(
    registry,
    'storefront_not_started_total',
    'Pages whose scripts did not start, by engine, reason and what the page did about it',
    ['engine', 'reason', 'repair'],
  );
  return {
    violation: (rule, blocked) => violations.inc({ rule, blocked }),
    notStarted: (labels) => notStarted.inc(labels),
  };
}

function providerCounters(registry: Registry): Pick<Metrics, 'foreignNotice' | 'refusedNotice' | 'outboundRefused'> {
  const foreign = counterIn(
    registry,
    'foreign_notices_total',
    'Signed notices of providers about payments of another installation or product on the same account',
    ['gateway'],
  );
  const refused = counterIn(registry, 'refused_notices_total', 'Notices that are not the provider’s', ['gateway']);
  const outbound = counterIn(
    registry,
    'outbound_refused_total',
    'Requests to hosts that are no configured provider, refused',
    [],
  );
  return {
    foreignNotice: (gateway) => foreign.inc({ gateway }),
    refusedNotice: (gateway) => refused.inc({ gateway }),
    outboundRefused: () => outbound.inc(),
  };
}

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
