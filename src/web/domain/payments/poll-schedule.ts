const secondMs = 1000;
const minuteMs = 60 * secondMs;

/** How long a payment is polled after its expiry, in milliseconds: money may have been in transit. */
export const graceMs = minuteMs;

const longestMs = minuteMs;

export interface PollMoment {
  /** milliseconds since polling began */
  readonly elapsed: number;
  /** epoch milliseconds, by the server's clock */
  readonly now: number;
  /** the payment deadline, epoch milliseconds; null without a deadline */
  readonly expiresAt: number | null;
  /** consecutive failed requests */
  readonly errors: number;
  /** 0 to 1, so that many phones do not poll in the same second */
  readonly chance: number;
}

/**
 * Milliseconds until the next poll, or undefined when polling is over: every 2 s for 30 s, 5 s to 3 min, then 15 s with
 * jitter, until a minute after expiry; failures double the wait up to a minute.
 */
export function nextPollDelay(moment: PollMoment): number | undefined {
  const end = moment.expiresAt === null ? Infinity : moment.expiresAt + graceMs;
  if (moment.now >= end) return undefined;
  const delay = Math.min(longestMs, steadyDelay(moment) * 2 ** Math.min(moment.errors, 5));
  return Math.max(secondMs, Math.min(delay, end - moment.now));
}

function steadyDelay({ elapsed, chance }: PollMoment): number {
  if (elapsed < 30 * secondMs) return 2 * secondMs;
  if (elapsed < 3 * minuteMs) return 5 * secondMs;
  return Math.round(15 * secondMs * (0.8 + 0.4 * chance));
}
