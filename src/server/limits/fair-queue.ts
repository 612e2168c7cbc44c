import { busy } from '../request/api-error.ts';

export interface FairQueueOptions {
  /** how many run at the same time */
  readonly concurrency: number;
  /** how many may be admitted, those included that run; whoever comes then is refused with -24040 */
  readonly capacity: number;
  /** how many of them may come from one address */
  readonly perAddress: number;
}

/** For expensive work: few run at a time, and a bounded number waits. */
export interface FairQueue {
  /** Does all of `act` as one of those who are admitted. Rejects with -24040, before anything is done, when it is full. */
  admit<T>(who: string, act: () => Promise<T>): Promise<T>;
  /** Does the expensive part when it is its turn. Only for who is admitted. */
  run<T>(who: string, work: () => Promise<T>): Promise<T>;
}

/**
 * [Note: Fair queue] What one request can make us compute, many can make us compute at once, and then nobody is served.
 * So expensive work waits in a queue of limited length, of which no address gets more than its share, and those who wait
 * are called round robin by address, so that a crowd from one place delays a single visitor by one turn. Between two
 * turns the event loop does everything else.
 */
export function createFairQueue({ concurrency, capacity, perAddress }: FairQueueOptions): FairQueue {
  const line = createLine(concurrency);
  const inside = new Map<string, number>();
  let present = 0;

  function change(who: string, by: 1 | -1): void {
    const count = (inside.get(who) ?? 0) + by;
    if (count > 0) inside.set(who, count);
    else inside.delete(who);
    present += by;
  }

  return {
    admit: async (who, act) => {
      if (present >= capacity || (inside.get(who) ?? 0) >= perAddress) throw busy();
      change(who, 1);
      try {
        return await act();
      } finally {
        change(who, -1);
      }
    },
    run: async (who, work) => {
      const done = await line(who);
      try {
        return await work();
      } finally {
        setImmediate(done);
      }
    },
  };
}

/** Those who wait, by address. The answer comes when it is somebody's turn, and ends it. */
function createLine(concurrency: number): (who: string) => Promise<() => void> {
  const waiting = new Map<string, (() => void)[]>();
  let working = 0;

  function callNext(): void {
    const [first] = waiting;
    if (!first || working >= concurrency) return;
    const [who, [call, ...others]] = first;
    waiting.delete(who);
    // the others of this address go to the end of the line
    if (others.length > 0) waiting.set(who, others);
    working += 1;
    call?.();
  }

  function done(): void {
    working -= 1;
    callNext();
  }

  return async (who) => {
    await new Promise<void>((resolve) => {
      waiting.set(who, [...(waiting.get(who) ?? []), resolve]);
      callNext();
    });
    return done;
  };
}
