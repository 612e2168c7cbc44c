import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';

/** For how long statements may follow each other before everything else that waits has its turn, in milliseconds. */
const heldMs = 10;

/**
 * Lets an embedded database share its process. It answers within the same turn of the event loop that asks, so whoever
 * asks again and again, a job over a thousand payments for instance, would keep every other request waiting until it is
 * done. A statement that comes when the others have held the loop for long enough waits for the next turn.
 */
export function takeTurns(client: PGlite): void {
  let since: number | undefined;
  const turn = async (): Promise<void> => {
    if (since === undefined) {
      since = performance.now();
      setImmediate(() => (since = undefined));
    } else if (performance.now() - since >= heldMs) {
      await nextTurn();
    }
  };
  const query = client.query.bind(client);
  client.query = async (...asked) => {
    await turn();
    return query(...asked);
  };
  const transaction = client.transaction.bind(client);
  client.transaction = async (work) => {
    await turn();
    return transaction(work);
  };
}
