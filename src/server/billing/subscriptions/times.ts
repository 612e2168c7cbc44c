import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A charge is made so long before what is paid ends, in milliseconds: a day. */
export const chargeLeadMs = dayMs;
/** A notice is mailed so many days before the charge: 7, and 30 for a year. */
const noticeDays = { usual: 7, year: 30 } as const;
const yearDays = 365;
/** Access goes on for so many days after what was paid, while the card is tried again. */
const graceDays = 7;
/** Who hears of a charge late, because the shop was away, has so long to stop it, in milliseconds: a day. */
export const latestNoticeMs = dayMs;
/** Who turns it on in the last hours is charged after an hour at the soonest, or when what is paid ends. */
const soonestChargeMs = hourMs;
/** From each refusal to the next try, in milliseconds: 1, 3 and 5 days after the first refusal. */
const retryPausesMs = [dayMs, 2 * dayMs, 2 * dayMs] as const;

/** How often a charge that was refused is tried again: 3 times. */
export const retries = retryPausesMs.length;

/** A short plan is told of in its second half, and has half its days of grace. */
const halfDays = (days: number) => days / 2;

/** How long before its charge a renewal is told of, in milliseconds. */
export function noticeLeadMs(days: number): number {
  return (days >= yearDays ? noticeDays.year : Math.min(noticeDays.usual, halfDays(days))) * dayMs;
}

/** The same in a statement, where `days` is a column. */
export function noticeLeadOf(days: SQLWrapper): SQL {
  const [year, usual] = [noticeDays.year * dayMs, noticeDays.usual * dayMs];
  return sql`(case when ${days} >= ${yearDays} then ${year}::bigint
    else least(${usual}::bigint, ${days}::bigint * ${halfDays(dayMs)}::bigint) end)`;
}

/** When the next charge is made, of what is paid until then. All in epoch milliseconds. */
export function chargeTime(paidUntil: number): number {
  return paidUntil - chargeLeadMs;
}

/** The first charge of a renewal that is turned on now. */
export function firstChargeTime(paidUntil: number, now: number): number {
  return Math.max(chargeTime(paidUntil), Math.min(now + soonestChargeMs, paidUntil));
}

/** Until when access goes on, at most, without the next period being paid. */
export function graceEnd(paidUntil: number, days: number): number {
  return paidUntil + Math.min(graceDays, halfDays(days)) * dayMs;
}

/** When a charge is tried again that was refused so often; null when it is not. */
export function retryTime(refusals: number, now: number): number | null {
  const pause = retryPausesMs[refusals - 1];
  return pause === undefined ? null : now + pause;
}
