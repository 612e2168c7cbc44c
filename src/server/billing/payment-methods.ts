import type { currencyList, paymentMethods } from '../../contract/billing.ts';
import { currencySymbols } from '../../contract/limits.ts';
import { refuse } from '../api-error.ts';
import type { Handler } from '../mount.ts';
import { methodName, planOf } from '../site/plans.ts';

/** The ways to pay for a plan in a currency, in the brand's order. */
export const handlePaymentMethods: Handler<typeof paymentMethods> = ({ body }, context) => {
  const { brand, language } = context;
  planOf(brand, body.planId);
  if (!brand.currencies.includes(body.currency)) refuse(-2408);
  return brand.methods
    .filter((method) => method.currencies.includes(body.currency))
    .map((method) => {
      const { code, icon, discount, currencies, fields, settles, maxInstallments, savesCard } = method;
      const diallingCode = method.details.diallingCodes?.[body.currency];
      return {
        code,
        name: methodName(brand, method, language),
        icon,
        discount,
        currencies,
        fields,
        settles,
        maxInstallments,
        savesCard,
        ...(diallingCode !== undefined && { diallingCode }),
      };
    });
};

const symbols: Readonly<Record<string, string>> = currencySymbols;

export const handleCurrencyList: Handler<typeof currencyList> = (_input, { brand }) =>
  brand.currencies.map((code) => ({ code, symbol: symbols[code] ?? code }));
