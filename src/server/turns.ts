import { busy } from './api-error.ts';

export interface TurnsOptions {
  /** how many work at the same time */
  readonly atOnce: number;
  /** how many may be inside, those included who work; whoever comes then is refused with -24040 */
  readonly room: number;
  /** how many of them may come from one address */
  readonly share: number;
}

/** Dear work, done by few at a time, while a bounded number waits. */
export interface Turns {
  /** Does all of `act` inside the room. Rejects with -24040, before anything is done, when there is none. */
  within<T>(who: string, act: () => Promise<T>): Promise<T>;
  /** Does the dear part when it is its turn. Only from inside. */
  take<T>(who: string, work: () => Promise<T>): Promise<T>;
}

/**
 * [Note: Turns] What one request can make us compute, many can make us compute at once, and then nobody is served. So dear
 * work waits in a room of limited size, of which no address gets more than its share, and those who wait are called in
 * turns, one of each address, so that a crowd from one place delays a single visitor by one turn. Between two turns the
 * event loop does everything else.
 */
export function createTurns({ atOnce, room, share }: TurnsOptions): Turns {
  const line = createLine(atOnce);
  const inside = new Map<string, number>();
  let present = 0;

  function change(who: string, by: 1 | -1): void {
    const count = (inside.get(who) ?? 0) + by;
    if (count > 0) inside.set(who, count);
    else inside.delete(who);
    present += by;
  }

  return {
    within: async (who, act) => {
      if (present >= room || (inside.get(who) ?? 0) >= share) throw busy();
      change(who, 1);
      try {
        return await act();
      } finally {
        change(who, -1);
      }
    },
    take: async (who, work) => {
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
function createLine(atOnce: number): (who: string) => Promise<() => void> {
  const waiting = new Map<string, (() => void)[]>();
  let working = 0;

  function callNext(): void {
    const [first] = waiting;
    if (!first || working >= atOnce) return;
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
