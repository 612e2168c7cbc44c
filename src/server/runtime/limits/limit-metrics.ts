import { Counter, Registry } from 'prom-client';

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
export type AlertKind = 'card_testing' | 'sms_pumping';

export interface LimitMetrics {
  readonly registry: Registry;
  /** `count` requests that a limit refused, deferred or dropped; `brand` is a code of the catalogue */
  refused(limit: LimitName, brand: string, count?: number): void;
  /** an alert for the operator; also counted where no email about it is sent */
  alerted(kind: AlertKind, brand: string): void;
  /** a provider refused to save an account for renewals; the payment was made without */
  vaultRefused(gateway: string, brand: string): void;
  /** the service of a brand did not tell how much of the cloud a customer uses */
  cloudFailed(brand: string): void;
}

/** Counters of one process, separate from those of its HTTP routes: jobs apply limits, too. */
export function createLimitMetrics(): LimitMetrics {
  const registry = new Registry();
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const refusals = counter('limit_refusals_total', 'What a limit refused, deferred or dropped', ['limit', 'brand']);
  const alerts = counter('operator_alerts_total', 'What an operator should look at', ['kind', 'brand']);
  const vaults = counter('vault_refusals_total', 'Payments whose provider refused to save the account for renewals', [
    'gateway',
    'brand',
  ]);
  const clouds = counter('cloud_usage_failures_total', 'Questions for used storage without a usable answer', ['brand']);
  return {
    registry,
    refused: (limit, brand, count = 1) => refusals.inc({ limit, brand }, count),
    alerted: (kind, brand) => alerts.inc({ kind, brand }),
    vaultRefused: (gateway, brand) => vaults.inc({ gateway, brand }),
    cloudFailed: (brand) => clouds.inc({ brand }),
  };
}
