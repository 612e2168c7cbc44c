import { isKnownCurrency } from '#contract/currencies.ts';
import type { Money } from '#contract/money.ts';

/**
 * UseePay names currencies by ISO 4217 (useepay.gitbook.io, "checkout", `currency`) and publishes no list of those it takes:
 * that is part of each merchant's contract, so a brand lists them for its method. Nor does it publish a smallest charge.
 */
export const isAcceptedByUseepay = isKnownCurrency;

/** The most digits of an amount there (`amount`). */
const mostDigits = 12;
/** In minor units. */
export const mostAtUseepay = 10 ** mostDigits - 1;

/**
 * An amount as UseePay counts it: in the smallest unit that ISO 4217 gives its currency, as the shop does (`amount`, same
 * page). Undefined for a currency without known digits, and for more than UseePay can read.
 */
export function toUseepay({ amount, currency }: Money): string | undefined {
  if (!isAcceptedByUseepay(currency) || !Number.isSafeInteger(amount) || amount <= 0) return undefined;
  const counted = String(amount);
  return counted.length > mostDigits ? undefined : counted;
}
