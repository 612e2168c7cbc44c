import type { InstallmentOption } from '#contract/billing.ts';
import type { SiteConfig } from '#contract/brand.ts';
import { installmentWithInterest, percentOf, splitInstallments } from '#contract/money.ts';
import type { MethodRow } from '#server/brand/catalog.ts';

/** The reduction by a coupon: percent, or minor units. */
export interface Reduction {
  readonly kind: 'percent' | 'amount';
  readonly value: number;
}

/** Minor units of one currency; `total` is `original` minus `discount`. */
export interface Price {
  readonly original: number;
  readonly discount: number;
  readonly total: number;
  /** the part of `discount` by method and by coupon */
  readonly byMethod: number;
  readonly byCoupon: number;
}

/**
 * Applies the method's discount first, then the coupon to the rest; never below zero (contract, `quoteSchema`). `unit`
 * is the smallest amount that the method charges, in minor units: the total is rounded down to it, and the difference
 * belongs to the last reduction.
 */
export function priceOf(original: number, methodPercent: number, coupon?: Reduction, unit = 1): Price {
  const afterMethod = original - percentOf(original, methodPercent);
  const exact = coupon ? afterMethod - couponOff(afterMethod, coupon) : afterMethod;
  const total = Math.floor(exact / unit) * unit;
  const rest = coupon ? afterMethod : total;
  return { original, discount: original - total, total, byMethod: original - rest, byCoupon: rest - total };
}

function couponOff(amount: number, coupon: Reduction): number {
  return coupon.kind === 'percent' ? percentOf(amount, coupon.value) : Math.min(amount, coupon.value);
}

type Terms = Pick<MethodRow, 'maxInstallments' | 'interestFreeUpTo' | 'interestBasisPoints'> & {
  /** smallest installment, in minor units */
  readonly smallest: number;
};

/** The default, in minor units; other currencies have no smallest installment. */
const usualSmallest: Readonly<Record<string, number>> = { BRL: 3000 };

/** The installment terms of a method at this brand. */
export function termsOf(method: MethodRow, { payment }: Pick<SiteConfig, 'payment'>, currency: string): Terms {
  const { maxInstallments, interestFreeUpTo, interestBasisPoints } = method;
  const smallest = payment.smallestInstallment?.[currency] ?? usualSmallest[currency] ?? 0;
  return { maxInstallments, interestFreeUpTo, interestBasisPoints, smallest };
}

/**
 * How a total can be paid: in full, or in installments of at least the smallest amount. Up to `interestFreeUpTo` they
 * add up to the total exactly; beyond, the annuity formula applies.
 */
export function installmentOptions(total: number, currency: string, terms: Terms): InstallmentOption[] {
  const all = Array.from({ length: terms.maxInstallments }, (_, index) => option(total, currency, terms, index + 1));
  // the last installment is the smallest one
  return all.filter(({ count, total: { amount } }) => count === 1 || Math.floor(amount / count) >= terms.smallest);
}

/** The total charged for this number of installments, in minor units; undefined when it is not offered. */
export function totalForInstallments(total: number, count: number, terms: Terms): number | undefined {
  // only the amount is used, so the currency is ISO 4217's code for none
  return installmentOptions(total, 'XXX', terms).find((offered) => offered.count === count)?.total.amount;
}

function option(total: number, currency: string, terms: Terms, count: number): InstallmentOption {
  const interestFree = count <= terms.interestFreeUpTo || terms.interestBasisPoints === 0;
  const rate = interestFree ? 0 : terms.interestBasisPoints / 10_000;
  const amount = interestFree
    ? (splitInstallments(total, count)[0] ?? total)
    : installmentWithInterest(total, count, rate);
  const whole = interestFree ? total : amount * count;
  return { count, amount: { amount, currency }, total: { amount: whole, currency }, rate, interestFree };
}
