import type { InstallmentOption } from '../../contract/billing.ts';
import { installmentWithInterest, percentOf, splitInstallments } from '../../contract/money.ts';
import type { MethodRow } from '../brand/catalog.ts';

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
}

/** The method's discount on the price first, then the coupon on what is left; never below zero (contract, `quoteSchema`). */
export function priceOf(original: number, methodPercent: number, coupon?: Reduction): Price {
  const rest = original - percentOf(original, methodPercent);
  const total = coupon ? rest - couponOff(rest, coupon) : rest;
  return { original, discount: original - total, total };
}

function couponOff(amount: number, coupon: Reduction): number {
  return coupon.kind === 'percent' ? percentOf(amount, coupon.value) : Math.min(amount, coupon.value);
}

type Terms = Pick<MethodRow, 'maxInstallments' | 'interestFreeUpTo' | 'interestBasisPoints'>;

/** How a total can be paid. Up to `interestFreeUpTo` its parts add up to it exactly; beyond, the price formula holds. */
export function installmentOptions(total: number, currency: string, terms: Terms): InstallmentOption[] {
  return Array.from({ length: terms.maxInstallments }, (_, index) => option(total, currency, terms, index + 1));
}

/** What is charged in all for this number of installments, in minor units; undefined when the method has no such. */
export function chargedIn(total: number, count: number, terms: Terms): number | undefined {
  // only the amount is asked for, so the currency is ISO 4217's code for none
  return count <= terms.maxInstallments ? option(total, 'XXX', terms, count).total.amount : undefined;
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
