/** One attack on a running shop that takes minutes. It throws when the shop gives way. */
export interface Attack {
  /** what must hold afterwards, as a sentence */
  readonly holds: string;
  /** `say` prints a line of what was seen: counts, times, sizes */
  run(say: (line: string) => void): Promise<void>;
}
