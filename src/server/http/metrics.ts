import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

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
