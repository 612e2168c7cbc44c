import * as v from 'valibot';
import type { paymentMethods } from '#contract/billing.ts';
import type { currencyList } from '#contract/plan.ts';
import { currencySymbol } from '#contract/money.ts';
import type { PlanRow } from '#server/brand/catalog.ts';
import { transferFlavourSchema } from '#contract/next-step.ts';
import type { CustomerContext, Handler } from '#server/runtime/request/request-context.ts';
import { installmentOptions, priceOf as reducedPriceOf, termsOf } from './pricing.ts';
import {
  type ChargedMethod,
  currenciesOf,
  isWithinLimits,
  methodsIn,
  payableCurrencies,
} from '#server/payments/chargeable.ts';
import { methodName, requirePlan, priceOf } from '#server/site/plan.ts';
import { offerWithPurchase } from './subscriptions/renewal-rules.ts';
import { usableCoupon } from './valuation.ts';

/**
 * The methods for a plan in a currency that a provider can charge at this price, in the brand's order. Empty without a
 * price.
 */
export const handlePaymentMethods: Handler<typeof paymentMethods> = async ({ body }, context) => {
  const { brand, language, user } = context;
  const plan = requirePlan(context.refuse, brand, body.planId);
  if (!brand.currencies.includes(body.currency)) return context.refuse('currencyUnsupported');
  const price = priceOf(brand, plan, body.currency);
  if (!price) return [];
  const coupon = await usableCoupon(context, body);
  const offered = methodsIn(context, body.currency).filter((method) =>
    isWithinLimits(method, reducedPriceOf(price.amount, method.discount, coupon, method.unit).total),
  );
  return offered.map((method) => {
    const { total } = reducedPriceOf(price.amount, method.discount, coupon, method.unit);
    const priced = { total, currency: body.currency };
    const { code, icon, discount, fields, settles, flow, savesCard } = method;
    const diallingCode = method.details.diallingCodes?.[body.currency];
    return {
      code,
      name: methodName(brand, method, language),
      icon,
      discount,
      currencies: currenciesOf(context, method),
      fields,
      settles,
      flow,
      ...(flow === 'upload' && v.is(transferFlavourSchema, code) && { flavour: code }),
      maxInstallments: mostInstallments(context, plan, method, body.currency),
      savesCard: savesCard && method.savesAccount === undefined,
      renews: user.sessionKind !== 'box' && offerWithPurchase(context, plan, method, priced) !== undefined,
      accountPage: method.savesCard && method.accountPage === true && user.sessionKind !== 'box',
      ...(diallingCode !== undefined && { diallingCode }),
      ...(method.wallet && { wallet: method.wallet }),
    };
  });
};

/** For the price without a coupon, which is the highest. A plan without a price in this currency is refused later. */
function mostInstallments({ brand }: CustomerContext, plan: PlanRow, method: ChargedMethod, currency: string): number {
  const { total } = reducedPriceOf(plan.prices[currency] ?? 0, method.discount, undefined, method.unit);
  return installmentOptions(total, currency, termsOf(method, brand.config, currency)).at(-1)?.count ?? 1;
}

export const handleCurrencyList: Handler<typeof currencyList> = (_input, context) =>
  payableCurrencies(context).map((code) => ({ code, symbol: currencySymbol(code) }));
