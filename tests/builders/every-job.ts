import type { Deps } from '../../src/server/deps.ts';
import { cancelAbandonedOrders } from '../../src/server/jobs/cancel-abandoned-orders.ts';
import { deleteAccounts } from '../../src/server/jobs/delete-accounts.ts';
import { purgeEnded } from '../../src/server/jobs/purge-ended.ts';
import { reconcile } from '../../src/server/jobs/reconcile.ts';
import { refundDuplicates } from '../../src/server/jobs/refund-duplicates.ts';
import { refundParts } from '../../src/server/jobs/refund-parts.ts';
import { remindOfEnds } from '../../src/server/jobs/remind-of-ends.ts';
import { renewDue } from '../../src/server/jobs/renew-due.ts';
import { sendOutbox } from '../../src/server/jobs/send-outbox.ts';
import { sendPushes } from '../../src/server/jobs/send-pushes.ts';
import { watchPayments } from '../../src/server/jobs/watch-payments.ts';
import { writeRequestedMessages } from '../../src/server/jobs/write-requested-messages.ts';
import { deliverNotices } from '../../src/server/sandbox/bank/deliver-notices.ts';
import { dueSecret, purgedTables } from './due-rows.ts';

export interface EachJob {
  readonly name: string;
  /** answers how much it did */
  run(deps: Deps): Promise<number>;
  /** how much it does of so many pieces of work that `putDue` writes */
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
  one('remind-of-ends', remindOfEnds),
  one('renew-due', renewDue),
  one('watch-payments', watchPayments),
  one('send-pushes', (deps) => sendPushes({ ...deps, push, env: { ...deps.env, SIGNING_SECRET: dueSecret } })),
  { name: 'delete-accounts', run: deleteAccounts, does: (count) => 2 * count },
  { name: 'purge-ended', run: purgeEnded, does: (count) => purgedTables * count },
  one(
    'deliver-notices',
    rounds((deps) =>
      deliverNotices(deps, { secret: 'a secret', origin: 'http://localhost', deliver: async () => new Response() }),
    ),
  ),
];
