import type { QueryClient } from '@tanstack/react-query';
import { createAsyncStoragePersister } from '@tanstack/query-async-storage-persister';
import { persistQueryClientRestore, persistQueryClientSubscribe } from '@tanstack/react-query-persist-client';
import { sessionLengthMs } from '../../contract/limits.ts';
import { queryInfo } from '../../contract/account.ts';
import { order, orders, paymentInfo } from '../../contract/orders.ts';
import { noteKeptCopies } from './kept-copy.ts';
import { personalQueryStorage } from './stored-async.ts';

/** What the signed-in customer may see without network: own orders, account, receipts, a live code (decisions, "Offline"). */
const kept = new Set<unknown>([orders.name, order.name, queryInfo.name, paymentInfo.name]);

/** A change of any answer's shape comes with a new build of the contract; copies of an old shape are not worth parsing. */
const shapeVersion = '1';

/** Brings the customer's copies back into the query client and keeps them up to date from then on. */
export async function keepPersonalCopies(queryClient: QueryClient, uid: string): Promise<() => void> {
  let closed = false;
  // Saving is throttled; one that is due after logout would bring back what logout has just wiped.
  const storage = {
    ...personalQueryStorage,
    setItem: async (name: string, value: string) => (closed ? undefined : personalQueryStorage.setItem(name, value)),
  };
  const options = {
    queryClient,
    persister: createAsyncStoragePersister({ storage, key: `queries.${uid}` }),
    buster: shapeVersion,
    maxAge: sessionLengthMs,
    dehydrateOptions: {
      shouldDehydrateQuery: ({ queryKey, state }: { queryKey: readonly unknown[]; state: { status: string } }) =>
        state.status === 'success' && kept.has(queryKey[0]),
    },
  };
  // before them, so that no page ever takes one for news
  noteKeptCopies();
  await persistQueryClientRestore(options);
  // A copy is for showing at once, or without network. However young it is, what it tells of may have moved since: an
  // order that was paid on the page before, for instance.
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => kept.has(queryKey[0]), refetchType: 'none' });
  const stop = persistQueryClientSubscribe(options);
  return () => {
    closed = true;
    stop();
  };
}
