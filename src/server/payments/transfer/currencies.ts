import * as v from 'valibot';
import { isKnownCurrency } from '#contract/currencies.ts';
import { transferFlavourSchema } from '#contract/next-step.ts';

/** Transfers that people compare with an account: PayNow moves Singapore dollars, caishen whatever its receiver takes. */
export function isAcceptedByTransfer(methodCode: string, currency: string): boolean {
  if (!v.is(transferFlavourSchema, methodCode)) return false;
  return methodCode === 'paynow' ? currency === 'SGD' : isKnownCurrency(currency);
}
