import * as v from 'valibot';
import { orderIdSchema, text, textSchema } from './fields.ts';

/**
 * [Note: Periods] Access consists of consecutive periods. Each paid order owns one: its days, plan and devices, which
 * later purchases never change. Days without an order (a trial, an imported account) are a period too. The current
 * period follows from the time alone. A purchase begins at the end of the last period. A refund ends its order's period
 * at once, and the following ones begin that much earlier.
 */
export const periodSchema = v.object({
  /** `given`: days without an order. `grace`: a renewal is unpaid, and access continues ([Note: Grace]) */
  kind: v.picklist(['paid', 'given', 'grace']),
  /** the order that paid for it */
  orderId: v.nullable(orderIdSchema),
  /** null for days without a plan, such as a trial */
  planId: v.nullable(textSchema),
  planName: v.nullable(text(80)),
  devices: v.number(),
  /** epoch milliseconds; null for a current period whose start is unknown */
  from: v.nullable(v.number()),
  until: v.number(),
});
export type Period = v.InferOutput<typeof periodSchema>;

/** The current and following periods at a time; the list may be older. */
export function periodsAt(periods: readonly Period[], now: number): { running?: Period; following: Period[] } {
  const left = periods.filter(({ until }) => until > now);
  const [first, ...more] = left;
  if (!first || (first.from ?? 0) > now) return { following: left };
  return { running: first, following: more };
}

/** The effect of an order's refund or lost dispute on a period. */
export const periodChangeSchema = v.object({
  at: v.number(),
  /** `moved`: it begins earlier. `shortened`: it belongs to the refunded order and lost its remaining days */
  kind: v.picklist(['moved', 'shortened']),
  because: v.picklist(['refund', 'chargeback']),
  /** the refunded or disputed order */
  orderId: orderIdSchema,
  /** size of the change in milliseconds */
  ms: v.number(),
});
export type PeriodChange = v.InferOutput<typeof periodChangeSchema>;
