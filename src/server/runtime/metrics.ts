import { Gauge, Registry } from 'prom-client';
import { counter, histogram } from './instruments.ts';
import { pageMetrics, vitalsMetrics, type PageMetrics } from './page-metrics.ts';

/** Limits whose refusals are counted. A name is a label of a metric, so it is never removed or renamed. */
export type LimitName =
  | 'payment_captcha'
  | 'payment_wait'
  | 'sms_brand'
  | 'sms_number'
  | 'sms_country'
  | 'sms_network'
  | 'analytics_brand'
  | 'analytics_network'
  | 'analytics_fields'
  | 'body_time'
  | 'body_count'
  | 'body_memory';

/** Alerts for the operator of a brand (messages/operator-alerts.ts). */
export type AlertKind =
  | 'card_testing'
  | 'sms_pumping'
  | 'dispute_opened'
  | 'refund_by_hand'
  | 'transfer_waiting'
  | 'provider_down'
  | 'provider_up';

/**
 * Why a DPoP proof was refused: for another method or address, at another time, sent before, not well-formed, of
 * another key or token, or missing although the token is bound to a key.
 */
export type DpopFault = 'address' | 'stale' | 'repeated' | 'invalid' | 'foreign' | 'missing';

interface AttemptLabels {
  /** code of the catalogue */
  readonly brand: string;
  readonly method: string;
  readonly gateway: string;
  readonly kind: 'purchase' | 'renewal';
  /** `unknown`: the provider did not answer, or its answer could not be read */
  readonly outcome: 'paid' | 'pending' | 'failed' | 'expired' | 'unknown';
}

/** `error`: status 429, or 500 or more. `timeout`, `connection`: no response at all. */
export type ProviderOutcome = 'ok' | 'refused' | 'error' | 'timeout' | 'connection';

export interface ProviderAnswers {
  /** requests without an answer since the last answer */
  readonly failuresInRow: number;
  /** `ok` and `refused` requests of this process */
  readonly answers: number;
}

/** Labels are from lists of ours, or of the operator's configuration: a caller cannot create new ones. */
export interface Metrics extends PageMetrics {
  readonly registry: Registry;
  /** one finished request; `seconds` from its first byte to its response */
  request(method: string, route: string, status: number, seconds: number): void;
  /** what is known of a payment attempt after an answer or a notice of its provider */
  attempt(labels: AttemptLabels): void;
  /** a request to a provider; `seconds` until the status of its response */
  providerRequest(provider: string, outcome: ProviderOutcome, seconds: number): void;
  /** how each provider answers this process at present */
  readonly providers: ReadonlyMap<string, ProviderAnswers>;
  /** a provider's notice that was accepted, `lagSeconds` after the event, where the provider says when that was */
  notice(gateway: string, lagSeconds?: number): void;
  /** a provider's signed notice about a payment of another installation on the same account */
  foreignNotice(gateway: string): void;
  /** a notice that is not from the provider, or could not be verified */
  refusedNotice(gateway: string): void;
  /** a request of this process to a host that is not a configured provider */
  outboundRefused(): void;
  /** `count` requests that a limit refused, deferred or dropped; `brand` is a code of the catalogue */
  refused(limit: LimitName, brand: string, count?: number): void;
  /** a call with a bound token whose proof was refused, or a login whose proof was */
  dpopRefused(fault: DpopFault, brand: string): void;
  /** an answer to a captcha that was required */
  captcha(outcome: 'passed' | 'failed'): void;
  /** an attempt to send a webhook to the operator's own system */
  webhook(brand: string, outcome: 'accepted' | 'retried' | 'given_up'): void;
  /** an alert for the operator; also counted where no email about it is sent */
  alerted(kind: AlertKind, brand: string): void;
  /** a bank or a provider took money back */
  disputed(gateway: string, brand: string): void;
  /** a provider refused to save an account for renewals; the payment was made without */
  vaultRefused(gateway: string, brand: string): void;
  /** the service of a brand did not tell how much of the cloud a customer uses */
  cloudFailed(brand: string): void;
  /** one run of a job of this process, which ended at `endedAt` (epoch milliseconds) */
  job(name: string, run: { readonly seconds: number; readonly failed: boolean; readonly endedAt: number }): void;
}

/** The metrics of one process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  return {
    registry,
    ...requestMetrics(registry),
    ...pageMetrics(registry),
    ...vitalsMetrics(registry),
    ...paymentMetrics(registry),
    ...noticeMetrics(registry),
    ...refusalMetrics(registry),
    ...jobMetrics(registry),
  };
}

function requestMetrics(registry: Registry): Pick<Metrics, 'request' | 'outboundRefused'> {
  const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
  const durations = histogram(registry, 'http_request_duration_seconds', 'Time to answer, by route', 'route', buckets);
  const labels = ['method', 'route', 'status'];
  const answers = counter(registry, 'http_requests_total', 'Answers, by method, route and status', labels);
  const help = 'Requests to hosts that are no configured provider, refused';
  const outbound = counter(registry, 'outbound_refused_total', help);
  return {
    request: (method, route, status, seconds) => {
      durations.observe({ route }, seconds);
      answers.inc({ method, route, status });
    },
    outboundRefused: () => outbound.inc(),
  };
}

function paymentMetrics(
  registry: Registry,
): Pick<Metrics, 'attempt' | 'providerRequest' | 'providers' | 'disputed' | 'vaultRefused'> {
  const ofAttempt = ['brand', 'method', 'gateway', 'kind', 'outcome'];
  const help = 'Changes of payment attempts, by their outcome';
  const attempts = counter(registry, 'payment_attempts_total', help, ofAttempt);
  const labels = ['provider', 'outcome'];
  const requests = counter(registry, 'provider_requests_total', 'Requests to providers, by their outcome', labels);
  const durations = histogram(
    registry,
    'provider_request_duration_seconds',
    'Time until a provider responds, or until the request is given up',
    'provider',
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  );
  const disputes = counter(registry, 'disputes_total', 'Payments that were taken back', ['gateway', 'brand']);
  const unsaved = 'Payments whose provider refused to save the account for renewals';
  const vaults = counter(registry, 'vault_refusals_total', unsaved, ['gateway', 'brand']);
  const providers = new Map<string, ProviderAnswers>();
  return {
    providers,
    attempt: ({ brand, method, gateway, kind, outcome }) => attempts.inc({ brand, method, gateway, kind, outcome }),
    providerRequest: (provider, outcome, seconds) => {
      requests.inc({ provider, outcome });
      durations.observe({ provider }, seconds);
      const { failuresInRow = 0, answers = 0 } = providers.get(provider) ?? {};
      const isAnswer = outcome === 'ok' || outcome === 'refused';
      const now = isAnswer ? { failuresInRow: 0, answers: answers + 1 } : { failuresInRow: failuresInRow + 1, answers };
      providers.set(provider, now);
    },
    disputed: (gateway, brand) => disputes.inc({ gateway, brand }),
    vaultRefused: (gateway, brand) => vaults.inc({ gateway, brand }),
  };
}

function noticeMetrics(registry: Registry): Pick<Metrics, 'notice' | 'foreignNotice' | 'refusedNotice'> {
  const accepted = counter(registry, 'notices_total', 'Accepted notices of providers', ['gateway']);
  const buckets = [1, 5, 30, 120, 600, 3600, 86_400];
  const lags = histogram(registry, 'notice_lag_seconds', 'From an event to its notice', 'gateway', buckets);
  const foreign = counter(
    registry,
    'foreign_notices_total',
    'Signed notices of providers about payments of another installation or product on the same account',
    ['gateway'],
  );
  const refused = counter(registry, 'refused_notices_total', 'Notices that are not the provider’s', ['gateway']);
  return {
    notice: (gateway, lagSeconds) => {
      accepted.inc({ gateway });
      if (lagSeconds !== undefined) lags.observe({ gateway }, Math.max(0, lagSeconds));
    },
    foreignNotice: (gateway) => foreign.inc({ gateway }),
    refusedNotice: (gateway) => refused.inc({ gateway }),
  };
}

function refusalMetrics(
  registry: Registry,
): Pick<Metrics, 'refused' | 'dpopRefused' | 'captcha' | 'alerted' | 'webhook' | 'cloudFailed'> {
  const labels = ['limit', 'brand'];
  const refusals = counter(registry, 'limit_refusals_total', 'What a limit refused, deferred or dropped', labels);
  const proofs = counter(registry, 'dpop_refusals_total', 'Refused proofs of bound sessions', ['fault', 'brand']);
  const captchas = counter(registry, 'captcha_checks_total', 'Answers to captchas that were required', ['outcome']);
  const alerts = counter(registry, 'operator_alerts_total', 'What an operator should look at', ['kind', 'brand']);
  const sending = 'Attempts to send webhooks to your own systems';
  const webhooks = counter(registry, 'webhooks_sent_total', sending, ['brand', 'outcome']);
  const help = 'Questions for used storage without a usable answer';
  const clouds = counter(registry, 'cloud_usage_failures_total', help, ['brand']);
  return {
    refused: (limit, brand, count = 1) => refusals.inc({ limit, brand }, count),
    dpopRefused: (fault, brand) => proofs.inc({ fault, brand }),
    captcha: (outcome) => captchas.inc({ outcome }),
    alerted: (kind, brand) => alerts.inc({ kind, brand }),
    webhook: (brand, outcome) => webhooks.inc({ brand, outcome }),
    cloudFailed: (brand) => clouds.inc({ brand }),
  };
}

/** The label is not `job`, which Prometheus sets itself. */
function jobMetrics(registry: Registry): Pick<Metrics, 'job'> {
  const buckets = [0.01, 0.1, 1, 10, 60, 300];
  const durations = histogram(registry, 'job_duration_seconds', 'Time of one run', 'job_name', buckets);
  const failures = counter(registry, 'job_failures_total', 'Runs that failed', ['job_name']);
  const last = new Gauge({
    name: 'job_last_success_timestamp_seconds',
    help: 'When a run last succeeded in this process',
    labelNames: ['job_name'],
    registers: [registry],
  });
  return {
    job: (name, { seconds, failed, endedAt }) => {
      durations.observe({ job_name: name }, seconds);
      if (failed) failures.inc({ job_name: name });
      else last.set({ job_name: name }, endedAt / 1000);
    },
  };
}
