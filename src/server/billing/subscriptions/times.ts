import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How long before the end of the paid days a charge is made, in milliseconds: a day. */
export const chargeLeadMs = dayMs;
/** Days between the notice and the charge: 7, and 30 for a plan of a year. */
const noticeDays = { usual: 7, year: 30 } as const;
const yearDays = 365;
/** Days that access continues after the paid ones, while the charge is retried. */
const graceDays = 7;
/** Minimum time between a late notice and the charge, after an outage of the shop, in milliseconds: a day. */
export const latestNoticeMs = dayMs;
/**
 * When automatic renewal is turned on in the last hours, the charge is after an hour at the earliest, or when the paid
 * days end.
 */
const soonestChargeMs = hourMs;
/** From each refusal to the next retry, in milliseconds: 1, 3 and 5 days after the first refusal. */
const retryPausesMs = [dayMs, 2 * dayMs, 2 * dayMs] as const;

/** Number of retries of a refused charge: 3. */
export const retries = retryPausesMs.length;

/** The notice of a short plan is sent in its second half, and its grace is half its days. */
const halfDays = (days: number) => days / 2;

/** Time between the notice of a renewal and its charge, in milliseconds. */
export function noticeLeadMs(days: number): number {
  return (days >= yearDays ? noticeDays.year : Math.min(noticeDays.usual, halfDays(days))) * dayMs;
}

/** The same as an SQL expression, where `days` is a column. */
export function noticeLeadOf(days: SQLWrapper): SQL {
  const [year, usual] = [noticeDays.year * dayMs, noticeDays.usual * dayMs];
  return sql`(case when ${days} >= ${yearDays} then ${year}::bigint
    else least(${usual}::bigint, ${days}::bigint * ${halfDays(dayMs)}::bigint) end)`;
}

/** When the next charge is made, in epoch milliseconds as `paidUntil`. */
export function chargeTime(paidUntil: number): number {
  return paidUntil - chargeLeadMs;
}

/** The first charge of a renewal that is turned on at `now`. */
export function firstChargeTime(paidUntil: number, now: number): number {
  return Math.max(chargeTime(paidUntil), Math.min(now + soonestChargeMs, paidUntil));
}

/** The latest end of access without a payment for the next period. */
export function graceEnd(paidUntil: number, days: number): number {
  return paidUntil + Math.min(graceDays, halfDays(days)) * dayMs;
}

/** When a charge with this many refusals is retried; null if it is not. */
export function retryTime(refusals: number, now: number): number | null {
  const pause = retryPausesMs[refusals - 1];
  return pause === undefined ? null : now + pause;
}
