import type { Deps } from '../../src/server/deps.ts';
import { cancelAbandonedOrders } from '../../src/server/jobs/cancel-abandoned-orders.ts';
import { purgeEnded } from '../../src/server/jobs/purge-ended.ts';
import { reconcile } from '../../src/server/jobs/reconcile.ts';
import { refundDuplicates } from '../../src/server/jobs/refund-duplicates.ts';
import { sendOutbox } from '../../src/server/jobs/send-outbox.ts';
import { writeLetters } from '../../src/server/jobs/write-letters.ts';
import { deliverNotices } from '../../src/server/sandbox/bank/deliver-notices.ts';
import { purgedTables } from './due-rows.ts';

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

/** Every job of the shop, in an order in which none makes work for another one after it. */
export const everyJob: readonly EachJob[] = [
  one('reconcile', reconcile),
  one('refund-duplicates', refundDuplicates),
  one('cancel-abandoned-orders', cancelAbandonedOrders),
  one('write-letters', rounds(writeLetters)),
  { name: 'send-outbox', run: sendOutbox, does: (count) => 2 * count },
  { name: 'purge-ended', run: purgeEnded, does: (count) => purgedTables * count },
  one(
    'deliver-notices',
    rounds((deps) =>
      deliverNotices(deps, { secret: 'a secret', origin: 'http://localhost', deliver: async () => new Response() }),
    ),
  ),
];
