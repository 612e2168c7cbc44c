const secondMs = 1000;
const minuteMs = 60 * secondMs;

/** How long after its expiry a payment is still asked for: money may have been on its way. */
export const graceMs = minuteMs;

const longestMs = minuteMs;

export interface PollMoment {
  /** milliseconds since the customer began to wait */
  readonly elapsed: number;
  /** epoch milliseconds, by the server's clock */
  readonly now: number;
  /** when the payment must have arrived, epoch milliseconds; null when it has no end */
  readonly expiresAt: number | null;
  /** asks that failed in a row */
  readonly errors: number;
  /** 0 to 1, so that a thousand phones do not ask in the same second */
  readonly chance: number;
}

/**
 * Milliseconds until the next ask, or undefined when asking is over: every 2 s for 30 s, 5 s to 3 min, then 15 s with
 * jitter, until a minute after expiry; failures double the wait up to a minute.
 */
export function nextPollDelay(moment: PollMoment): number | undefined {
  const end = moment.expiresAt === null ? Infinity : moment.expiresAt + graceMs;
  if (moment.now >= end) return undefined;
  const delay = Math.min(longestMs, steady(moment) * 2 ** Math.min(moment.errors, 5));
  return Math.max(secondMs, Math.min(delay, end - moment.now));
}

function steady({ elapsed, chance }: PollMoment): number {
  if (elapsed < 30 * secondMs) return 2 * secondMs;
  if (elapsed < 3 * minuteMs) return 5 * secondMs;
  return Math.round(15 * secondMs * (0.8 + 0.4 * chance));
}
