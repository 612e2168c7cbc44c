import type { Deps } from '#server/deps.ts';
import { cancelAbandonedOrders, sendSlipReminders } from '#server/jobs/start-jobs.ts';
import { deleteAccounts } from '#server/jobs/delete-accounts.ts';
import { deleteExpiredRows } from '#server/jobs/delete-expired-rows.ts';
import { issueWaitingInvoices } from '#server/jobs/issue-invoices.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { refundParts } from '#server/jobs/refund-parts.ts';
import { sendExpiryReminders } from '#server/jobs/send-expiry-reminders.ts';
import { renewDue } from '#server/jobs/renew-due.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { sendPushes } from '#server/jobs/send-pushes.ts';
import { createWebhookJob } from '#server/jobs/send-webhooks.ts';
import { watchPayments } from '#server/jobs/watch-payments.ts';
import { writeRequestedMessages } from '#server/jobs/write-requested-messages.ts';
import { deliverNotices } from '#sandbox/bank/deliver-notices.ts';
import { invoiceSettings, setInvoices } from './invoices.ts';
import { dueSecret, dueWebhook, purgedTables } from './due-rows.ts';

interface EachJob {
  readonly name: string;
  /** returns the number of processed pieces */
  run(deps: Deps): Promise<number>;
  /** the expected number of processed pieces when `insertDueWork` wrote `count` of each */
  does(count: number): number;
}

const one = (name: string, run: EachJob['run']): EachJob => ({ name, run, does: (count) => count });

/** Repeats a job that processes one batch per run until nothing is left. */
const untilDone = (run: EachJob['run']) => async (deps: Deps) => {
  let done = 0;
  for (let did = -1; did !== 0; done += did) did = await run(deps);
  return done;
};

/** A push service that accepts every message. */
const push = async () => new Response(null, { status: 201 });

/** The deps with one brand that wants to be told. */
const withListener = (deps: Deps): Deps => {
  const brands = deps.catalog.all().filter(({ code }) => code === 'lumen');
  return {
    ...deps,
    catalog: { ...deps.catalog, all: () => brands.map((brand) => ({ ...brand, webhooks: [{ url: dueWebhook }] })) },
  };
};

/** Issues invoices while the brand has them. The other jobs run without, because their refunds would wait for numbers. */
const issueForBrand: EachJob['run'] = async (deps) => {
  await setInvoices(deps.db, invoiceSettings);
  try {
    return await issueWaitingInvoices(deps);
  } finally {
    await setInvoices(deps.db, null);
  }
};

/** Every job of the server, in an order in which none creates work for a later one. */
export const everyJob: readonly EachJob[] = [
  one('issue-invoices', issueForBrand),
  one('reconcile', reconcile),
  one('refund-duplicates', refundDuplicates),
  one('refund-parts', refundParts),
  one('cancel-abandoned-orders', cancelAbandonedOrders),
  one('write-requested-messages', untilDone(writeRequestedMessages)),
  { name: 'send-outbox', run: sendOutbox, does: (count) => 2 * count },
  one('remind-of-ends', sendExpiryReminders),
  one('remind-of-slips', sendSlipReminders),
  one('renew-due', renewDue),
  one('watch-payments', watchPayments),
  one('send-pushes', (deps) => sendPushes({ ...deps, push, env: { ...deps.env, SIGNING_SECRET: dueSecret } })),
  // the connection is refused, so the job pauses this address after the first attempt
  { name: 'send-webhooks', run: (deps) => createWebhookJob()(withListener(deps)), does: () => 0 },
  { name: 'delete-accounts', run: deleteAccounts, does: (count) => 2 * count },
  { name: 'purge-ended', run: deleteExpiredRows, does: (count) => purgedTables * count },
  one(
    'deliver-notices',
    untilDone((deps) =>
      deliverNotices(deps, { secret: 'a secret', origin: 'http://localhost', deliver: async () => new Response() }),
    ),
  ),
];
