import type { currencyList, paymentMethods } from '../../contract/billing.ts';
import { currencySymbols } from '../../contract/limits.ts';
import { refuse } from '../api-error.ts';
import type { Handler } from '../mount.ts';
import { currenciesOf, methodsIn, payableCurrencies } from '../payments/chargeable.ts';
import { methodName, planOf } from '../site/plans.ts';

/** The ways to pay for a plan in a currency, in the brand's order: those that somebody can charge. */
export const handlePaymentMethods: Handler<typeof paymentMethods> = ({ body }, context) => {
  const { brand, language } = context;
  planOf(brand, body.planId);
  if (!brand.currencies.includes(body.currency)) refuse(-2408);
  return methodsIn(context, body.currency).map((method) => {
    const { code, icon, discount, fields, settles, maxInstallments, savesCard } = method;
    const diallingCode = method.details.diallingCodes?.[body.currency];
    return {
      code,
      name: methodName(brand, method, language),
      icon,
      discount,
      currencies: currenciesOf(context, method),
      fields,
      settles,
      maxInstallments,
      savesCard,
      ...(diallingCode !== undefined && { diallingCode }),
    };
  });
};

const symbols: Readonly<Record<string, string>> = currencySymbols;

export const handleCurrencyList: Handler<typeof currencyList> = (_input, context) =>
  payableCurrencies(context).map((code) => ({ code, symbol: symbols[code] ?? code }));
