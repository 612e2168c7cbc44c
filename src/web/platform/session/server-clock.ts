import { clockOffsetKey, type ClockOffset } from './storage/keys.ts';

/**
 * The server's time, from the `Date` header of its answers. The header has whole seconds, so each answer gives bounds
 * of the offset (Cristian's algorithm), and many answers narrow the bounds. When bounds contradict, the device's clock
 * was changed, and the newest count. Before the first answer a page uses the stored offset of a previous page: saved
 * content is shown at once, and a session must not end because the phone is a month ahead.
 */
let low = -Infinity;
let high = Infinity;
/** offset of a previous page; undefined until the store has been read */
let saved: ClockOffset | undefined;
const none: ClockOffset = { offset: 0, at: 0 };

/** A smaller change of the offset, in milliseconds, is not stored: most phones never write. */
const minChangeMs = 5000;
const dayMs = 86_400_000;

/**
 * Updates the offset from an answer. `sentAt` and `receivedAt` are epoch milliseconds of this device. An invalid date
 * is ignored.
 */
export function updateServerClock(header: string | null, sentAt: number, receivedAt: number): void {
  const date = header === null ? NaN : Date.parse(header);
  if (Number.isNaN(date)) return;
  const nextLow = date - receivedAt;
  const nextHigh = date + 1000 - sentAt;
  const disjoint = nextLow > high || nextHigh < low;
  low = disjoint ? nextLow : Math.max(low, nextLow);
  high = disjoint ? nextHigh : Math.min(high, nextHigh);
  store(Math.round(offset()));
}

function store(offset: number): void {
  if (Math.abs(offset - storedBefore().offset) < minChangeMs) return;
  saved = { offset, at: Date.now() + offset };
  if (offset === 0) clockOffsetKey.remove();
  else clockOffsetKey.set(saved);
}

function storedBefore(): ClockOffset {
  saved ??= clockOffsetKey.get() ?? none;
  return saved;
}

/** The stored offset, unless the clock was corrected since, as on a TV that starts in 1970. */
function storedOffset(): number {
  const { offset, at } = storedBefore();
  const device = Date.now();
  // the clock is behind by at least this much
  if (device < at) return Math.max(offset, at - device);
  const hasBeenAhead = device + offset < at;
  const hasBeenFarBehind = offset > dayMs;
  return hasBeenAhead || hasBeenFarBehind ? 0 : offset;
}

/** Epoch milliseconds of the server's clock; of this device's clock until an answer contradicts it. */
export function serverNow(): number {
  return Date.now() + Math.round(offset());
}

function offset(): number {
  if (low === -Infinity) return storedOffset();
  return low <= 0 && high >= 0 ? 0 : (low + high) / 2;
}

/** For tests: a page before its first answer. */
export function resetServerClock(): void {
  low = -Infinity;
  high = Infinity;
  saved = undefined;
}
