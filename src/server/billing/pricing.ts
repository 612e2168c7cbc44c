import type { InstallmentOption } from '#contract/billing.ts';
import type { SiteConfig } from '#contract/brand.ts';
import { installmentWithInterest, percentOf, splitInstallments } from '#contract/money.ts';
import type { MethodRow } from '#server/brand/catalog.ts';

/** What a coupon takes off: percent, or minor units. */
export interface Reduction {
  readonly kind: 'percent' | 'amount';
  readonly value: number;
}

/** Minor units of one currency; `total` is `original` less `discount`. */
export interface Price {
  readonly original: number;
  readonly discount: number;
  readonly total: number;
  /** what each reduction takes off; together they are `discount` */
  readonly byMethod: number;
  readonly byCoupon: number;
}

/**
 * The method's discount on the price first, then the coupon on what is left; never below zero (contract, `quoteSchema`). What
 * is over the whole `unit`s of a method that takes nothing finer is the customer's, and counts with the last reduction.
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
  /** no part is smaller, in minor units */
  readonly smallest: number;
};

/** Where the brand says nothing; other currencies have no smallest installment then. */
const usualSmallest: Readonly<Record<string, number>> = { BRL: 3000 };

/** How a method is paid in parts at this brand. */
export function termsOf(method: MethodRow, { payment }: Pick<SiteConfig, 'payment'>, currency: string): Terms {
  const { maxInstallments, interestFreeUpTo, interestBasisPoints } = method;
  const smallest = payment.smallestInstallment?.[currency] ?? usualSmallest[currency] ?? 0;
  return { maxInstallments, interestFreeUpTo, interestBasisPoints, smallest };
}

/**
 * How a total can be paid: in full, or in parts none of which is too small. Up to `interestFreeUpTo` they add up to it
 * exactly; beyond, the price formula holds.
 */
export function installmentOptions(total: number, currency: string, terms: Terms): InstallmentOption[] {
  const all = Array.from({ length: terms.maxInstallments }, (_, index) => option(total, currency, terms, index + 1));
  // the last part is the smallest one
  return all.filter(({ count, total: { amount } }) => count === 1 || Math.floor(amount / count) >= terms.smallest);
}

/** What is charged in all for this number of installments, in minor units; undefined when it is not offered. */
export function chargedIn(total: number, count: number, terms: Terms): number | undefined {
  // only the amount is asked for, so the currency is ISO 4217's code for none
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
