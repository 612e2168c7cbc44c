import * as v from 'valibot';
import { orderIdSchema, text, textSchema } from './fields.ts';

/**
 * [Note: Periods] Access is made of periods, one after the other. Each paid order owns one: its days, its plan and its
 * devices, which nothing that is bought later changes. Days that no order gave (a trial, days that an account came with) are
 * a period, too. What runs now follows from the time alone.
 *
 * A purchase begins where the last period ends. Money that goes back ends its order's period at once, and those behind it
 * begin that much earlier.
 */
export const periodSchema = v.object({
  /** `given`: no order gave these days. `grace`: a renewal is not paid yet, and access goes on ([Note: Grace]) */
  kind: v.picklist(['paid', 'given', 'grace']),
  /** the order that paid for it */
  orderId: v.nullable(orderIdSchema),
  /** null for days without a plan, such as a trial's */
  planId: v.nullable(textSchema),
  planName: v.nullable(text(80)),
  devices: v.number(),
  /** epoch milliseconds; null where it runs and nobody has noted since when */
  from: v.nullable(v.number()),
  until: v.number(),
});
export type Period = v.InferOutput<typeof periodSchema>;

/** What runs at that instant, and what follows: also of a list that was read a while ago. */
export function periodsAt(periods: readonly Period[], now: number): { running?: Period; following: Period[] } {
  const left = periods.filter(({ until }) => until > now);
  const [first, ...more] = left;
  if (!first || (first.from ?? 0) > now) return { following: left };
  return { running: first, following: more };
}

/** What the refund or the lost dispute of an order did to a period. */
export const periodChangeSchema = v.object({
  at: v.number(),
  /** `moved`: it runs that much earlier. `shortened`: it is the order whose money went back, and lost the days that were left */
  kind: v.picklist(['moved', 'shortened']),
  because: v.picklist(['refund', 'chargeback']),
  /** the order whose money went back */
  orderId: orderIdSchema,
  /** by so many milliseconds */
  ms: v.number(),
});
export type PeriodChange = v.InferOutput<typeof periodChangeSchema>;
