import * as v from 'valibot';
import { isKnownCurrency } from '#contract/currencies.ts';
import { transferFlavourSchema } from '#contract/next-step.ts';

/**
 * Transfers that the brand's staff compare with an account: PayNow moves Singapore dollars, caishen any currency of its receiver.
 */
export function isAcceptedByTransfer(methodCode: string, currency: string): boolean {
  if (!v.is(transferFlavourSchema, methodCode)) return false;
  return methodCode === 'paynow' ? currency === 'SGD' : isKnownCurrency(currency);
}
