/** An attack on a running shop that takes minutes. It throws when the attack succeeds. */
export interface Attack {
  /** the property that the attack verifies, as a sentence */
  readonly holds: string;
  /** `say` prints a line with results: counts, times, sizes */
  run(say: (line: string) => void): Promise<void>;
}
