import { createBusyRefusal } from '../request/api-error.ts';
import { networksOf } from '../request/network.ts';

interface FairQueueOptions {
  /** how many run at the same time */
  readonly concurrency: number;
  /** maximum number of admitted callers, including running ones; further callers are refused with `serviceBusy` */
  readonly capacity: number;
  /** how many of them may come from one network, which is the /64 of an IPv6 address ([Note: Networks]) */
  readonly perNetwork: number;
}

/** For expensive work: few tasks run at a time, and a bounded number waits. `address` is the caller's IP address. */
interface FairQueue {
  /**
   * Runs `act` as one of the admitted callers. Rejects with `serviceBusy`, before anything is done, when the queue is
   * full.
   */
  admit<T>(address: string, act: () => Promise<T>): Promise<T>;
  /** Runs the expensive part when it is the caller's turn. Only for admitted callers. */
  run<T>(address: string, work: () => Promise<T>): Promise<T>;
}

/** The factor for an IPv6 /48: its /64 networks may wait separately, but together they count as one caller. */
const perWideNetwork = 1.5;

/**
 * Many concurrent requests for expensive work could block all others. So it waits in a bounded queue in which each
 * network has a limited share, and networks (the /48 of an IPv6 address) take turns round robin, so that a crowd from
 * one network delays another visitor by one turn. Between two turns the event loop does everything else.
 */
export function createFairQueue({ concurrency, capacity, perNetwork }: FairQueueOptions): FairQueue {
  const line = createLine(concurrency);
  const inside = new Map<string, number>();
  let present = 0;

  function change(network: string | undefined, by: 1 | -1): void {
    if (network === undefined) return;
    const count = (inside.get(network) ?? 0) + by;
    if (count > 0) inside.set(network, count);
    else inside.delete(network);
  }

  return {
    admit: async (address, act) => {
      const { near, wide } = networksOf(address);
      const isFull = (network: string, most: number) => (inside.get(network) ?? 0) >= most;
      const isOverShare = isFull(near, perNetwork) || (wide !== undefined && isFull(wide, perNetwork * perWideNetwork));
      if (present >= capacity || isOverShare) throw createBusyRefusal();
      present += 1;
      for (const network of [near, wide]) change(network, 1);
      try {
        return await act();
      } finally {
        present -= 1;
        for (const network of [near, wide]) change(network, -1);
      }
    },
    run: async (address, work) => {
      const { near, wide } = networksOf(address);
      const done = await line(wide ?? near);
      try {
        return await work();
      } finally {
        setImmediate(done);
      }
    },
  };
}

/**
 * Queues waiting requests by network. The returned promise resolves when a request may start, with a function that ends
 * its turn.
 */
function createLine(concurrency: number): (who: string) => Promise<() => void> {
  const waiting = new Map<string, (() => void)[]>();
  let working = 0;

  function callNext(): void {
    const [first] = waiting;
    if (!first || working >= concurrency) return;
    const [who, [call, ...others]] = first;
    waiting.delete(who);
    // the network's other requests go to the end of the queue
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

/** Runs `act` after all earlier calls with the same key, and settles with its result. */
export type KeyedQueue = <T>(key: string, act: () => Promise<T>) => Promise<T>;

/**
 * Calls with one key run one after the other in this process, so that repeats that arrive together do not count as
 * several attempts. Guarantees between processes come from the database.
 */
export function createKeyedQueue(): KeyedQueue {
  const latest = new Map<string, Promise<unknown>>();
  return async (key, act) => {
    const before = latest.get(key);
    const own = before ? before.then(act, act) : act();
    latest.set(key, own);
    try {
      return await own;
    } finally {
      if (latest.get(key) === own) latest.delete(key);
    }
  };
}
