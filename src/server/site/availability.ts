import { expiryAfter } from '../../contract/account.ts';
import { refuse } from '../api-error.ts';
import type { PlanRow } from '../brand/catalog.ts';

interface Subscriber {
  readonly limitCount: number;
  readonly expiredTime: number | null;
}

interface Buyer extends Subscriber {
  /** null before the first plan: days that remain are a trial's */
  readonly planId: string | null;
  readonly passwordResetDue: boolean;
}

/**
 * Refuses with 2500 a customer whom an upgrade asks for a new password first (spec 8), and with 6000 a plan for one
 * device while one for several is running (spec 4); `availableFrom` tells when that ends. A trial binds nobody: whoever
 * tries several devices may buy a plan for one, and keeps the days that are left. `now` is epoch milliseconds.
 */
export function assertMayBuy(user: Buyer, plan: PlanRow, now: number): void {
  if (user.passwordResetDue) refuse(2500);
  const runsUntil = user.expiredTime ?? 0;
  const isSubscriber = user.planId !== null && runsUntil > now;
  if (isSubscriber && plan.devices === 1 && user.limitCount > 1) refuse(6000, { availableFrom: runsUntil });
}

/** When the service would end if this plan were paid now. */
export function endIfPaid(user: Subscriber, plan: PlanRow, now: number): number {
  return expiryAfter(user.expiredTime, plan.days, now);
}
