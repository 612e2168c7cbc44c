import type { Money } from '#contract/money.ts';

/** Minor units of a shilling: M-Pesa moves whole Kenyan shillings ("M-Pesa Express Simulate", `Amount`). */
export const shillingUnit = 100;

/** The largest payment, in shillings (M-Pesa Express Simulate, FAQ 5). */
const mostShillings = 250_000;

/** The limits in minor units: whole shillings, at least one (M-Pesa Express Simulate, `Amount`). */
export const mpesaLimits = {
  unit: shillingUnit,
  minimum: shillingUnit,
  maximum: mostShillings * shillingUnit,
} as const;

export const isAcceptedByMpesa = (currency: string): boolean => currency === 'KES';

/** An amount in whole shillings. Undefined if it would have to be rounded or exceeds the largest payment. */
export function toMpesa({ amount, currency }: Money): number | undefined {
  if (!isAcceptedByMpesa(currency) || amount <= 0 || amount % shillingUnit !== 0) return undefined;
  const shillings = amount / shillingUnit;
  return shillings > mostShillings ? undefined : shillings;
}

/** An amount of M-Pesa in cents; it is a decimal number, such as 1290.00. */
export const fromMpesa = (shillings: number): number => Math.round(shillings * shillingUnit);
