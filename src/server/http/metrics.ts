import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  /** one finished request; `seconds` from its first byte to its answer */
  request(method: string, route: string, status: number, seconds: number): void;
  /** what a browser did not let a page do; both are words from a list of ours */
  violation(rule: string, blocked: string): void;
  /** a page whose scripts did not start; all are words from lists of ours */
  notStarted(labels: { readonly engine: string; readonly reason: string; readonly repair: string }): void;
  /** a provider's signed notice about a payment of another installation on the same account */
  foreignNotice(gateway: string): void;
}

/** Counters of one app. `process` adds those of Node itself, which only the real server wants. */
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
  const counter = (name: string, help: string, labelNames: readonly string[]) =>
    new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
  const answers = counter('http_requests_total', 'Answers, by method, route and status', ['method', 'route', 'status']);
  const violations = counter('policy_violations_total', 'What pages wanted and their policy forbids', [
    'rule',
    'blocked',
  ]);
  const notStarted = counter(
    'storefront_not_started_total',
    'Pages whose scripts did not start, by engine, reason and what the page did about it',
    ['engine', 'reason', 'repair'],
  );
  const foreign = counter(
    'foreign_notices_total',
    'Signed notices of providers about payments of another installation on the same account',
    ['gateway'],
  );
  return {
    registry,
    foreignNotice: (gateway) => foreign.inc({ gateway }),
    request: (method, route, status, seconds) => {
      durations.observe({ route }, seconds);
      answers.inc({ method, route, status });
    },
    violation: (rule, blocked) => violations.inc({ rule, blocked }),
    notStarted: (labels) => notStarted.inc(labels),
  };
}
