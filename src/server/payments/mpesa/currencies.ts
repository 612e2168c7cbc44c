import type { Money } from '#contract/money.ts';

/** M-Pesa moves Kenyan shillings, whole ones ("M-Pesa Express Simulate", `Amount`). */
export const shillingUnit = 100;

/** What may be paid at once, in shillings (M-Pesa Express Simulate, FAQ 5). */
const mostShillings = 250_000;

/** Whole shillings, of which one is the least (M-Pesa Express Simulate, `Amount`). */
export const mpesaLimits = {
  unit: shillingUnit,
  minimum: shillingUnit,
  maximum: mostShillings * shillingUnit,
} as const;

export const isAcceptedByMpesa = (currency: string): boolean => currency === 'KES';

/** Whole shillings; undefined for what M-Pesa could only take rounded, or not at once. */
export function toMpesa({ amount, currency }: Money): number | undefined {
  if (!isAcceptedByMpesa(currency) || amount <= 0 || amount % shillingUnit !== 0) return undefined;
  const shillings = amount / shillingUnit;
  return shillings > mostShillings ? undefined : shillings;
}

/** An amount of M-Pesa's in cents; it comes as a decimal number, such as 1290.00. */
export const fromMpesa = (shillings: number): number => Math.round(shillings * shillingUnit);
