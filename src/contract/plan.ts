import * as v from 'valibot';
import { planIdSchema, text } from './fields.ts';
import { moneySchema, type Money } from './money.ts';
import { periodDays } from './limits.ts';

/** A percentage off for paying by one method. */
export const methodDiscountSchema = v.object({
  methodCode: v.string(),
  name: text(60),
  /** percent, 0 to 100 */
  discount: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
});
export type MethodDiscount = v.InferOutput<typeof methodDiscountSchema>;

/** A plan as the pricing table shows it. Names and features are in the language of the request. */
export const planSchema = v.object({
  id: planIdSchema,
  name: text(80),
  /** length of the service in days */
  days: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** how many devices may play at once */
  devices: v.pipe(v.number(), v.integer(), v.minValue(1)),
  price: moneySchema,
  /** price before a permanent reduction, when there is one */
  listPrice: v.optional(moneySchema),
  recommended: v.boolean(),
  discounts: v.array(methodDiscountSchema),
});
export type Plan = v.InferOutput<typeof planSchema>;

export const planDetailSchema = v.object({
  ...planSchema.entries,
  description: text(400),
  features: v.array(text(160)),
});
export type PlanDetail = v.InferOutput<typeof planDetailSchema>;

export type Period = keyof typeof periodDays;

/** Discount labels count in 30-day months, 180-day periods and 365-day years (spec 9). */
export function periodOf(days: number): Period | undefined {
  // the keys of a constant table
  return (Object.keys(periodDays) as Period[]).find((period) => periodDays[period] === days);
}

/** What a plan costs for 30 days, for comparing at a glance; rounded, shown only, never charged. */
export function pricePerMonth(plan: Pick<Plan, 'days' | 'price'>): Money {
  return { amount: Math.round((plan.price.amount * periodDays.month) / plan.days), currency: plan.price.currency };
}

/** Whole percent saved against paying by the month for the same number of devices; 0 when there is nothing to compare. */
export function savedPercent(plan: Plan, all: readonly Plan[]): number {
  const monthly = all.find((other) => other.days === periodDays.month && other.devices === plan.devices);
  if (!monthly || monthly.price.currency !== plan.price.currency) return 0;
  const full = (monthly.price.amount * plan.days) / monthly.days;
  return Math.max(0, Math.floor((1 - plan.price.amount / full) * 100));
}
