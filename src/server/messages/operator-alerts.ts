import type { Brand } from '#server/brand/catalog.ts';
import type { Deps } from '#server/deps.ts';
import { type AlertKind } from '#server/runtime/metrics.ts';
import { countTry } from '#server/runtime/limits/throttle.ts';
import { queueMail } from './message-requests.ts';
import { alertMail, type Alert } from './operator-alert-mails.ts';
import { eventTime, queueEvent } from './webhooks/queue-event.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

type AlertDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'log' | 'metrics'>;

interface AlertLimit {
  readonly tries: number;
  /** milliseconds */
  readonly windowMs: number;
}

/** How often each kind is told for a brand. An attack raises its alert with every request. */
const limits: Readonly<Partial<Record<AlertKind, AlertLimit>>> = {
  card_testing: { tries: 1, windowMs: dayMs },
  sms_pumping: { tries: 1, windowMs: dayMs },
};

/** How often each kind is emailed; a webhook is told more. */
const mailLimits: Readonly<Partial<Record<AlertKind, AlertLimit>>> = {
  dispute_opened: { tries: 50, windowMs: dayMs },
  transfer_waiting: { tries: 1, windowMs: hourMs },
};

/**
 * Alerts the operator of a brand: by the log, by email and by webhook, as `alerts` in brand.yaml says. Every call is
 * counted in the metrics. Never throws, because the request that raises it still needs its own response. `db` may be a
 * transaction: a failure here rolls back to a savepoint, so that the caller can commit.
 */
export async function alertOperator(deps: AlertDeps, brand: Brand, alert: Alert): Promise<void> {
  const { kind } = alert;
  deps.metrics.alerted(kind, brand.code);
  try {
    await deps.db.transaction(async (tx) => {
      const isWithin = async (what: string, limit: AlertLimit | undefined) =>
        limit === undefined || (await countTry(tx, `${what} ${brand.code} ${kind}`, limit, deps.clock())).allowed;
      if (!(await isWithin('alert', limits[kind]))) return;
      const to = brand.alerts?.email;
      const emailed = to !== undefined && (await isWithin('alert mail', mailLimits[kind]));
      deps.log.warn({ brand: brand.code, ...alert, emailed }, 'an operator alert was raised');
      if (emailed) await queueMail(tx, { brand, to, ...alertMail(brand, alert, deps.clock()) }, deps);
      await queueEvent(tx, brand, { type: `alert.${kind}`, data: dataOf(alert) }, deps);
    });
  } catch (error) {
    deps.log.error({ err: error, brand: brand.code, kind }, 'an operator alert could not be sent');
  }
}

function dataOf({ kind: _, ...alert }: Alert): Readonly<Record<string, unknown>> {
  if ('respondBy' in alert) return { ...alert, respondBy: eventTime(alert.respondBy) };
  return 'since' in alert ? { ...alert, since: eventTime(alert.since) } : alert;
}
