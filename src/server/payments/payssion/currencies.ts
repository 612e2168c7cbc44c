import { isKnownCurrency } from '#contract/currencies.ts';
import type { Money } from '#contract/money.ts';
import { toDecimal } from '../decimal-money.ts';

/**
 * Payssion names currencies by ISO 4217 (payssion.com/en/docs, `currency`). The currencies and limits of a method are
 * set by the bank or wallet behind it and shown only in the merchant's account: a brand lists the currencies of its
 * method, and Payssion refuses an amount at the payment.
 */
export const isAcceptedByPayssion = isKnownCurrency;

/**
 * An amount in Payssion's format, in major units: `980` of JPY, `9.80` of USD. Undefined for a currency with an
 * unknown number of digits.
 */
export function toPayssion(money: Money): string | undefined {
  return isAcceptedByPayssion(money.currency) && money.amount > 0 ? toDecimal(money) : undefined;
}
