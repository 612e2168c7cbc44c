import { isKnownCurrency } from '#contract/currencies.ts';
import type { Money } from '#contract/money.ts';
import { toDecimal } from '../decimal-money.ts';

/**
 * Payssion names currencies by ISO 4217 (payssion.com/en/docs, `currency`). Which of them a method takes, and from which
 * amount to which, is set by the bank or wallet behind it and shown in the merchant's account only: a brand lists the
 * currencies of its method, and Payssion refuses an amount when the payment is made.
 */
export const isAcceptedByPayssion = isKnownCurrency;

/** An amount as Payssion writes it, in major units: `980` of JPY, `9.80` of USD. Undefined for a currency without known digits. */
export function toPayssion(money: Money): string | undefined {
  return isAcceptedByPayssion(money.currency) && money.amount > 0 ? toDecimal(money) : undefined;
}
