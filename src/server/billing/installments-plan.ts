import type { installmentsPlan } from '../../contract/billing.ts';
import type { Handler } from '../mount.ts';
import { installmentOptions } from './pricing.ts';
import { valuate } from './valuation.ts';

export const handleInstallmentsPlan: Handler<typeof installmentsPlan> = async ({ body }, context) => {
  const { price, method } = await valuate(context, body);
  return installmentOptions(price.total, body.currency, method);
};
