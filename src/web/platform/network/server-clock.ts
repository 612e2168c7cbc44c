/**
 * The server's time, from the `Date` header of its answers. That header has whole seconds, so each answer gives bounds
 * of the offset (Cristian's algorithm), and bounds of many answers narrow each other down. When they contradict, the
 * phone's clock was changed, and the newest count.
 */
let low = -Infinity;
let high = Infinity;

/** Notes an answer. `sentAt` and `receivedAt` are epoch milliseconds of this device. Nonsense is ignored. */
export function noteServerDate(header: string | null, sentAt: number, receivedAt: number): void {
  const date = header === null ? NaN : Date.parse(header);
  if (Number.isNaN(date)) return;
  const nextLow = date - receivedAt;
  const nextHigh = date + 1000 - sentAt;
  const disjoint = nextLow > high || nextHigh < low;
  low = disjoint ? nextLow : Math.max(low, nextLow);
  high = disjoint ? nextHigh : Math.min(high, nextHigh);
}

/**
 * Notes when the page was made (epoch milliseconds of the server). A page may come out of a cache, so it only proves
 * that the server's clock is at least that far.
 */
export function notePageTime(serverTime: number): void {
  low = Math.max(low, serverTime - Date.now());
  if (low > high) high = Infinity;
}

/** Epoch milliseconds by the server's clock; this device's own while nothing contradicts it. */
export function serverNow(): number {
  return Date.now() + Math.round(offset());
}

function offset(): number {
  if (low <= 0 && high >= 0) return 0;
  return high === Infinity ? low : (low + high) / 2;
}

/** For tests: forgets every answer. */
export function resetServerClock(): void {
  low = -Infinity;
  high = Infinity;
}
