const firstMs = 1000;
const longestMs = 30_000;

/**
 * How long to wait before the server is asked again, in milliseconds: doubling from one second to half a minute, with
 * a quarter of jitter so that a thousand phones do not return in the same second. `chance` is from 0 up to 1.
 */
export function probeDelay(failures: number, chance: number): number {
  const plain = Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
  return Math.round(plain * (0.75 + chance * 0.5));
}
