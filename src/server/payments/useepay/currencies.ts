import { isKnownCurrency } from '#contract/currencies.ts';
import type { Money } from '#contract/money.ts';

/**
 * UseePay names currencies by ISO 4217 (useepay.gitbook.io, "checkout", `currency`) and publishes no list of supported
 * ones: they are part of each merchant's contract, so a brand lists them for its method. It publishes no smallest
 * charge either.
 */
export const isAcceptedByUseepay = isKnownCurrency;

/** The maximum number of digits of an amount (`amount`). */
const mostDigits = 12;
/** In minor units. */
export const mostAtUseepay = 10 ** mostDigits - 1;

/**
 * An amount in the smallest unit of its currency by ISO 4217, which the shop uses too (`amount`, same page). Undefined
 * for a currency with an unknown number of digits, and for more than UseePay accepts.
 */
export function toUseepay({ amount, currency }: Money): string | undefined {
  if (!isAcceptedByUseepay(currency) || !Number.isSafeInteger(amount) || amount <= 0) return undefined;
  const counted = String(amount);
  return counted.length > mostDigits ? undefined : counted;
}
