import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Jobs claim rows with `id = any(array(select id … limit … for update skip locked))`: concurrent processes take
 * different rows, and no query plan turns it into a scan of the whole table, whatever the statistics say.
 */

/** The limit of one batch. A batch below it has found everything that was due. */
interface Step {
  readonly full: number;
  /** aborted when the server stops: the running batch is the last one */
  readonly stopping?: AbortSignal | undefined;
}

/** Runs batches until one is not full, and yields to the event loop in between. Returns the total number of rows. */
export async function inSteps({ full, stopping }: Step, step: () => Promise<number>): Promise<number> {
  let done = 0;
  for (;;) {
    const taken = await step();
    done += taken;
    if (taken < full || stopping?.aborted) return done;
    await nextTurn();
  }
}

/** Runs `work` for each item with limited concurrency. `work` must not throw. */
export async function runConcurrently<T>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const lane = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
