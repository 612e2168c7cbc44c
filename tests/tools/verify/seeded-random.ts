/** Repeatable random values: the same seed gives the same sequence. */
export interface SeededRandom {
  /** 0 <= n < 1 */
  next(): number;
  /** true with a probability */
  is(probability: number): boolean;
  pick<T>(all: readonly T[]): T;
  /** a number of decimal digits */
  digits(count: number): string;
}

/** Mulberry32 by Tommy Ettinger: 32 bits of state, sufficient to distribute faults. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    is: (probability) => next() < probability,
    pick: (all) => {
      const chosen = all[Math.floor(next() * all.length)];
      if (chosen === undefined) throw new RangeError('nothing to choose from');
      return chosen;
    },
    digits: (count) => Array.from({ length: count }, () => Math.floor(next() * 10)).join(''),
  };
}
