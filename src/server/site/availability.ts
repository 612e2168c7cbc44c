import { expiryAfter } from '#contract/account.ts';
import { errorCode } from '#contract/error-codes.ts';
import type { Plan, PlanRefusal } from '#contract/plan.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import type { PlanRow } from '#server/brand/catalog.ts';
import type { PeriodRow } from './periods.ts';

interface Access {
  readonly expiredTime: number | null;
  readonly graceUntil: number | null;
}

/**
 * Refuses with `resetPasswordFirst` a customer who must first set a new password after an upgrade, and with
 * `cannotBuyPlan` a plan for one device while one for several runs or follows; `availableFrom` is when the last of
 * those ends. A trial restricts nothing: a customer with a trial for several devices may buy a plan for one, and
 * retains the remaining days. `periods` are the current and later ones (`periodsOf`), read once for all plans.
 */
export function assertMayBuy(
  refuse: Refuse<'cannotBuyPlan' | 'resetPasswordFirst'>,
  user: { readonly passwordResetDue: boolean },
  plan: Pick<PlanRow, 'id' | 'devices'>,
  periods: readonly Days[],
): void {
  if (user.passwordResetDue) refuse('resetPasswordFirst');
  const availableFrom = waitsUntil(plan, periods);
  if (availableFrom !== undefined) refuse('cannotBuyPlan', { availableFrom, planId: plan.id });
}

type Days = Pick<PeriodRow, 'kind' | 'planId' | 'devices' | 'until'>;

/** When the days for several devices end that defer this plan; undefined if there are none. */
export function waitsUntil({ devices }: Pick<PlanRow, 'devices'>, periods: readonly Days[]): number | undefined {
  if (devices > 1) return undefined;
  return periods.findLast((period) => period.kind !== 'grace' && period.planId !== null && period.devices > 1)?.until;
}

/** How a plan is presented to a customer with these periods: the current one, or one that cannot be bought now. */
export function marksFor(plan: PlanRow, periods: readonly PeriodRow[]): Pick<Plan, 'refusal' | 'yours'> {
  const runs = periods[0]?.planId === plan.id;
  const refusal = refusalOf(plan, periods);
  return { ...(runs && { yours: true }), ...(refusal && { refusal }) };
}

/** A due new password (`resetPasswordFirst`) concerns the account and not the plan. */
function refusalOf(plan: PlanRow, periods: readonly PeriodRow[]): PlanRefusal | undefined {
  const availableFrom = waitsUntil(plan, periods);
  return availableFrom === undefined ? undefined : { errCode: errorCode('cannotBuyPlan'), availableFrom };
}

/** When access ends: the end of the paid time, or of the grace of an unpaid renewal ([Note: Grace]). */
export function accessUntil({ expiredTime, graceUntil }: Access): number | null {
  if (graceUntil === null || expiredTime === null) return expiredTime;
  return Math.max(expiredTime, graceUntil);
}

/** The start and end of the days of a plan if it is paid now. In grace they start where the paid time ended. */
export function periodIfPaid({ expiredTime, graceUntil }: Access, { days }: Pick<PlanRow, 'days'>, now: number) {
  const onCredit = expiredTime !== null && graceUntil !== null && graceUntil > now;
  const from = expiryAfter(expiredTime, 0, onCredit ? expiredTime : now);
  return { from, until: expiryAfter(from, days, from) };
}
