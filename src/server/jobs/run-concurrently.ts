import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * [Note: Claiming] What is due is claimed by `id = any(array(select id … limit … for update skip locked))`: any number of
 * processes take different rows, and no plan can make a walk through the whole table of it, whatever the statistics say.
 */

/** How much a step took on, of at most how much. A step that is not full has found all that was due. */
interface Step {
  readonly full: number;
  /** aborted when the shop stops: the step that runs is the last one */
  readonly stopping?: AbortSignal | undefined;
}

/** Takes steps until one was not full, with a turn for everybody else in between. Answers how much all took on. */
export async function inSteps({ full, stopping }: Step, step: () => Promise<number>): Promise<number> {
  let done = 0;
  for (;;) {
    const taken = await step();
    done += taken;
    if (taken < full || stopping?.aborted) return done;
    await nextTurn();
  }
}

/** Does something with each, so many at once: who takes long holds up his own lane only. `work` must not throw. */
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
