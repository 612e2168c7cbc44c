import type { Deps } from '#server/deps.ts';
import { deleteAccounts } from './delete-accounts.ts';
import { protectBuyers } from './protect-buyers.ts';
import { deleteExpiredRows } from './delete-expired-rows.ts';
import { issueWaitingInvoices } from './issue-invoices.ts';
import { reconcileAfterMs, reconcile, reclaimOrphans } from './reconcile.ts';
import { refundDuplicates } from './refund-duplicates.ts';
import { refundParts } from './refund-parts.ts';
import { sendExpiryReminders } from './send-expiry-reminders.ts';
import { renewDue } from './renew-due.ts';
import { laneNames, sendLane } from './send-outbox.ts';
import { sendPushes } from './send-pushes.ts';
import { createWebhookJob } from './send-webhooks.ts';
import { createProviderWatch } from './watch-providers.ts';
import { watchPayments } from './watch-payments.ts';
import { writeRequestedMessages } from './write-requested-messages.ts';
import { cancelAbandoned } from '#server/billing/record-outcome.ts';
import { remindOfSlips } from '#server/billing/slip-mails.ts';
import { runInBatches } from './run-concurrently.ts';

type Job = (deps: Deps, stopping: AbortSignal) => Promise<unknown>;

interface ScheduledJob {
  readonly name: string;
  readonly job: Job;
  readonly everyMs: number;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;

/** The jobs and their intervals. Each runs at start too, and may run in several processes at once. */
const scheduleOf = ({ env }: Deps): readonly ScheduledJob[] => [
  { name: 'reconcile', job: reconcile, everyMs: reconcileAfterMs(env) / 2 },
  { name: 'write-requested-messages', job: writeRequestedMessages, everyMs: 0.5 * secondMs },
  ...laneNames.map((lane) => ({
    name: `send-outbox ${lane}`,
    job: (deps: Deps, stopping: AbortSignal) => sendLane(deps, lane, stopping),
    everyMs: secondMs,
  })),
  { name: 'send-pushes', job: sendPushes, everyMs: secondMs },
  { name: 'send-webhooks', job: createWebhookJob(), everyMs: secondMs },
  { name: 'watch-providers', job: createProviderWatch(), everyMs: 15 * secondMs },
  { name: 'remind-of-ends', job: sendExpiryReminders, everyMs: minuteMs },
  { name: 'remind-of-slips', job: sendSlipReminders, everyMs: minuteMs },
  { name: 'watch-payments', job: watchPayments, everyMs: minuteMs },
  { name: 'renew-due', job: renewDue, everyMs: minuteMs },
  { name: 'reclaim-orphans', job: reclaimOrphans, everyMs: minuteMs },
  { name: 'cancel-abandoned-orders', job: cancelAbandonedOrders, everyMs: minuteMs },
  { name: 'refund-duplicates', job: refundDuplicates, everyMs: minuteMs },
  { name: 'refund-parts', job: refundParts, everyMs: minuteMs },
  { name: 'issue-invoices', job: issueWaitingInvoices, everyMs: 2 * secondMs },
  { name: 'delete-accounts', job: deleteAccounts, everyMs: 10 * secondMs },
  { name: 'protect-buyers', job: protectBuyers, everyMs: 60 * minuteMs },
  { name: 'purge-ended', job: deleteExpiredRows, everyMs: 10 * minuteMs },
];

interface JobOptions {
  /** delivers the notices of the sandbox's providers; without it none are sent */
  readonly deliverNotices?: ((deps: Deps) => Promise<unknown>) | undefined;
}

/** Starts all jobs. The returned function stops them and resolves when their running batches are done. */
export function startJobs(deps: Deps, { deliverNotices }: JobOptions = {}): () => Promise<void> {
  const scheduled = [...scheduleOf(deps)];
  if (deliverNotices) scheduled.push({ name: 'deliver-notices', job: deliverNotices, everyMs: 0.2 * secondMs });
  const failureLogOf = createFailureLog(deps);
  const stops = scheduled.map((one) => repeat(deps, one, failureLogOf(one.name)));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/**
 * Logs the failures of jobs: one that repeats itself once a minute, with the number of failures in a row, and what is
 * the same for many jobs with its stack once a minute. While the database is away every run of every job fails, which
 * would fill a disk.
 */
function createFailureLog({ log }: Deps) {
  let shown = { reason: '', at: 0 };
  return (job: string) => {
    let [failures, lastReason, loggedAt] = [0, '', 0];
    return {
      succeeded: () => void (failures = 0),
      failed: (error: unknown) => {
        failures += 1;
        const cause = error instanceof Error ? error.cause : undefined;
        const reason = String(cause ?? error);
        const now = performance.now();
        if (failures > 1 && reason === lastReason && now - loggedAt < minuteMs) return;
        [lastReason, loggedAt] = [reason, now];
        if (reason === shown.reason && now - shown.at < minuteMs) {
          log.error({ job, failures }, 'a job failed for the reason of the one before');
          return;
        }
        shown = { reason, at: now };
        log.error({ err: error, job, failures }, 'a job failed');
      },
    };
  };
}

/** Runs a job now and again after each pause, never twice at once. A failure is logged, and the next run follows. */
function repeat(
  deps: Deps,
  { name, job, everyMs }: ScheduledJob,
  failureLog: ReturnType<ReturnType<typeof createFailureLog>>,
): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const run = async () => {
    await deps.catalog.learnNew();
    await job(deps, stop.signal);
  };
  const round = async (): Promise<void> => {
    const started = performance.now();
    const failed = await run().then(
      () => {
        failureLog.succeeded();
        return false;
      },
      (error: unknown) => {
        failureLog.failed(error);
        return true;
      },
    );
    deps.metrics.job(name, { seconds: (performance.now() - started) / 1000, failed, endedAt: deps.clock() });
    if (stop.signal.aborted) return;
    timer = setTimeout(() => {
      running = round();
    }, everyMs);
    timer.unref();
  };
  running = round();
  return () => {
    stop.abort();
    clearTimeout(timer);
    return running;
  };
}

/** Milliseconds after the expiry of its code in which an order can still get a new one: a day. */
export const repayGraceMs = 24 * 60 * 60_000;

const batch = 100;

/** Cancels abandoned orders. Returns their number. */
export function cancelAbandonedOrders({ db, clock }: Deps, stopping?: AbortSignal): Promise<number> {
  return runInBatches({ full: batch, stopping }, () => cancelAbandoned(db, clock() - repayGraceMs, batch));
}

/** Emails reminders of Boletos that expire tomorrow. Returns their number. */
export function sendSlipReminders(deps: Deps, stopping?: AbortSignal): Promise<number> {
  return runInBatches({ full: batch, stopping }, () => remindOfSlips(deps, batch));
}
