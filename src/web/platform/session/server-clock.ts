import { clockOffsetKey, type ClockOffset } from './storage/keys.ts';

/**
 * The server's time, from the `Date` header of its answers. That header has whole seconds, so each answer gives bounds
 * of the offset (Cristian's algorithm), and bounds of many answers narrow each other down. When they contradict, the
 * phone's clock was changed, and the newest count. A page that has not heard of the server yet goes by what the one
 * before has found: what was saved is shown at once, and a session must not end because the phone is a month ahead.
 */
let low = -Infinity;
let high = Infinity;
/** of the page before; undefined until the store has been read */
let kept: ClockOffset | undefined;
const none: ClockOffset = { offset: 0, at: 0 };

/** What is nearer than this changes nothing that is said, in milliseconds: most phones write nothing. */
const worthKeepingMs = 5000;
const dayMs = 86_400_000;

/** Notes an answer. `sentAt` and `receivedAt` are epoch milliseconds of this device. Nonsense is ignored. */
export function updateServerClock(header: string | null, sentAt: number, receivedAt: number): void {
  const date = header === null ? NaN : Date.parse(header);
  if (Number.isNaN(date)) return;
  const nextLow = date - receivedAt;
  const nextHigh = date + 1000 - sentAt;
  const disjoint = nextLow > high || nextHigh < low;
  low = disjoint ? nextLow : Math.max(low, nextLow);
  high = disjoint ? nextHigh : Math.min(high, nextHigh);
  keep(Math.round(offset()));
}

function keep(offset: number): void {
  if (Math.abs(offset - keptBefore().offset) < worthKeepingMs) return;
  kept = { offset, at: Date.now() + offset };
  if (offset === 0) clockOffsetKey.remove();
  else clockOffsetKey.set(kept);
}

function keptBefore(): ClockOffset {
  kept ??= clockOffsetKey.get() ?? none;
  return kept;
}

/** What was found before, unless the clock has been put right since, as a TV does that starts in 1970. */
function keptOffset(): number {
  const { offset, at } = keptBefore();
  const device = Date.now();
  // it is certainly behind, and by no less than this
  if (device < at) return Math.max(offset, at - device);
  const hasBeenAhead = device + offset < at;
  const hasBeenFarBehind = offset > dayMs;
  return hasBeenAhead || hasBeenFarBehind ? 0 : offset;
}

/** Epoch milliseconds by the server's clock; this device's own while nothing contradicts it. */
export function serverNow(): number {
  return Date.now() + Math.round(offset());
}

function offset(): number {
  if (low === -Infinity) return keptOffset();
  return low <= 0 && high >= 0 ? 0 : (low + high) / 2;
}

/** For tests: a page that has heard nothing. */
export function resetServerClock(): void {
  low = -Infinity;
  high = Infinity;
  kept = undefined;
}
