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
 * Refuses with 2500 a customer whom an upgrade asks for a new password first, and with 6000 a plan for one
 * device while one for several runs or follows; `availableFrom` tells when the last of those ends. A trial binds nobody:
 * whoever tries several devices may buy a plan for one, and keeps the days that are left. `periods` are what runs and
 * follows (`periodsOf`), read once for all plans that are asked about.
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

/** When days for several devices end that keep this plan waiting; undefined where none do. */
export function waitsUntil({ devices }: Pick<PlanRow, 'devices'>, periods: readonly Days[]): number | undefined {
  if (devices > 1) return undefined;
  return periods.findLast((period) => period.kind !== 'grace' && period.planId !== null && period.devices > 1)?.until;
}

/** What a plan is to a customer whose days are these: the one that runs, or one that they cannot buy now. */
export function marksFor(plan: PlanRow, periods: readonly PeriodRow[]): Pick<Plan, 'refusal' | 'yours'> {
  const runs = periods[0]?.planId === plan.id;
  const refusal = refusalOf(plan, periods);
  return { ...(runs && { yours: true }), ...(refusal && { refusal }) };
}

/** A new password that is due (`resetPasswordFirst`) is a matter of the account and of no plan. */
function refusalOf(plan: PlanRow, periods: readonly PeriodRow[]): PlanRefusal | undefined {
  const availableFrom = waitsUntil(plan, periods);
  return availableFrom === undefined ? undefined : { errCode: errorCode('cannotBuyPlan'), availableFrom };
}

/** Until when access goes on: what is paid, and the grace of a renewal that is not ([Note: Grace]). */
export function accessUntil({ expiredTime, graceUntil }: Access): number | null {
  if (graceUntil === null || expiredTime === null) return expiredTime;
  return Math.max(expiredTime, graceUntil);
}

/** From when and until when so many days run if they are paid now. In grace they begin where what was paid has ended. */
export function periodIfPaid({ expiredTime, graceUntil }: Access, { days }: Pick<PlanRow, 'days'>, now: number) {
  const onCredit = expiredTime !== null && graceUntil !== null && graceUntil > now;
  const from = expiryAfter(expiredTime, 0, onCredit ? expiredTime : now);
  return { from, until: expiryAfter(from, days, from) };
}
