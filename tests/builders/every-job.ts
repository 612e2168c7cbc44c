import type { Deps } from '#server/deps.ts';
import { cancelAbandonedOrders } from '#server/jobs/start-jobs.ts';
import { deleteAccounts } from '#server/jobs/delete-accounts.ts';
import { deleteExpiredRows } from '#server/jobs/delete-expired-rows.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { refundParts } from '#server/jobs/refund-parts.ts';
import { sendExpiryReminders } from '#server/jobs/send-expiry-reminders.ts';
import { renewDue } from '#server/jobs/renew-due.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { sendPushes } from '#server/jobs/send-pushes.ts';
import { watchPayments } from '#server/jobs/watch-payments.ts';
import { writeRequestedMessages } from '#server/jobs/write-requested-messages.ts';
import { deliverNotices } from '#sandbox/bank/deliver-notices.ts';
import { dueSecret, purgedTables } from './due-rows.ts';

export interface EachJob {
  readonly name: string;
  /** answers how much it did */
  run(deps: Deps): Promise<number>;
  /** how much it does of so many pieces of work that `insertDueWork` writes */
  does(count: number): number;
}

const one = (name: string, run: EachJob['run']): EachJob => ({ name, run, does: (count) => count });

/** Jobs whose one round is a batch do a round after the other until one did nothing. */
const rounds = (run: EachJob['run']) => async (deps: Deps) => {
  let done = 0;
  for (let did = -1; did !== 0; done += did) did = await run(deps);
  return done;
};

/** A push service that takes everything. */
const push = async () => new Response(null, { status: 201 });

/** Every job of the shop, in an order in which none makes work for another one after it. */
export const everyJob: readonly EachJob[] = [
  one('reconcile', reconcile),
  one('refund-duplicates', refundDuplicates),
  one('refund-parts', refundParts),
  one('cancel-abandoned-orders', cancelAbandonedOrders),
  one('write-requested-messages', rounds(writeRequestedMessages)),
  { name: 'send-outbox', run: sendOutbox, does: (count) => 2 * count },
  one('remind-of-ends', sendExpiryReminders),
  one('renew-due', renewDue),
  one('watch-payments', watchPayments),
  one('send-pushes', (deps) => sendPushes({ ...deps, push, env: { ...deps.env, SIGNING_SECRET: dueSecret } })),
  { name: 'delete-accounts', run: deleteAccounts, does: (count) => 2 * count },
  { name: 'purge-ended', run: deleteExpiredRows, does: (count) => purgedTables * count },
  one(
    'deliver-notices',
    rounds((deps) =>
      deliverNotices(deps, { secret: 'a secret', origin: 'http://localhost', deliver: async () => new Response() }),
    ),
  ),
];
