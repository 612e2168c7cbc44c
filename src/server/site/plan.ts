import { errorCode } from '#contract/error-codes.ts';
import type { Language } from '#contract/fields.ts';
import type { Money } from '#contract/money.ts';
import type { MethodDiscount, Plan, PlanDetail } from '#contract/plan.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import type { Brand, MethodRow, PlanRow } from '#server/brand/catalog.ts';
import { currenciesOf, methodsIn } from '#server/payments/chargeable.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import { localize } from './documents.ts';

type Shop = Pick<RequestContext, 'brand' | 'deps'>;

/** The plan of this brand that is for sale, or refuses with `pageNotFound`. */
export function requirePlan(refuse: Refuse<'pageNotFound'>, brand: Brand, id: string): PlanRow {
  return brand.plans.find((plan) => plan.id === id) ?? refuse('pageNotFound');
}

/** The plan of this brand, for sale or retired, or refuses with `pageNotFound`. */
export function requireKnownPlan(refuse: Refuse<'pageNotFound'>, brand: Brand, id: string): PlanRow {
  return brand.retiredPlans.find((plan) => plan.id === id) ?? requirePlan(refuse, brand, id);
}

/**
 * The plan for a purchase; refuses with `planUnavailable` if it is retired, and with `pageNotFound` if it never
 * existed.
 */
export function requirePlanForSale(
  refuse: Refuse<'pageNotFound' | 'planUnavailable'>,
  brand: Brand,
  id: string,
): PlanRow {
  if (brand.retiredPlans.some((plan) => plan.id === id)) refuse('planUnavailable');
  return requirePlan(refuse, brand, id);
}

/** The plan's name in the requested language, also of a retired one; null if it is unknown. */
export function planName(brand: Brand, id: string, language: Language): string | null {
  const plan = [...brand.plans, ...brand.retiredPlans].find((one) => one.id === id);
  return (plan && localize(plan.texts, language, brand)?.name) ?? null;
}

/** The plan's price, in minor units, in a currency that the brand sells in; undefined if the plan has no such price. */
export function priceOf(brand: Brand, plan: PlanRow, currency: string): Money | undefined {
  const amount = plan.prices[currency];
  return amount === undefined || !brand.currencies.includes(currency) ? undefined : { amount, currency };
}

/** The discounts for paying by one method, for the methods that are available in this currency. */
export function discountsOf(shop: Shop, currency: string, language: Language): MethodDiscount[] {
  return methodsIn(shop, currency)
    .filter((method) => method.discount > 0)
    .map((method) => ({
      methodCode: method.code,
      name: methodName(shop.brand, method, language),
      discount: method.discount,
    }));
}

/** Every method that can be charged in any currency of the brand, for the home page. */
export function listPaymentMethods(shop: Shop, language: Language) {
  const { brand } = shop;
  return brand.methods.flatMap((method) => {
    const currencies = currenciesOf(shop, method).filter((currency) => brand.currencies.includes(currency));
    if (currencies.length === 0) return [];
    return [{ code: method.code, name: methodName(brand, method, language), icon: method.icon, currencies }];
  });
}

/** The method's name in the requested language. */
export function methodName(brand: Brand, method: MethodRow, language: Language): string {
  return localize(method.names, language, brand) ?? method.code;
}

/** The plan for the pricing table; undefined if it has no price in this currency. */
export function shownPlan(shop: Shop, plan: PlanRow, currency: string, language: Language): Plan | undefined {
  const { brand } = shop;
  const price = priceOf(brand, plan, currency);
  const list = plan.listPrices[currency];
  return (
    price && {
      id: plan.id,
      name: localize(plan.texts, language, brand)?.name ?? plan.id,
      days: plan.days,
      devices: plan.devices,
      price,
      ...(list !== undefined && list > price.amount && { listPrice: { amount: list, currency } }),
      recommended: plan.recommended,
      discounts: discountsOf(shop, currency, language),
    }
  );
}

/** The plan with its description; refuses with `rateUnsupported` if it has no price in this currency. */
export function detailedPlan(
  refuse: Refuse<'rateUnsupported'>,
  shop: Shop,
  plan: PlanRow,
  currency: string,
  language: Language,
): PlanDetail {
  const shown = shownPlan(shop, plan, currency, language) ?? refuse('rateUnsupported');
  const words = localize(plan.texts, language, shop.brand);
  const refusal = shop.brand.retiredPlans.includes(plan) ? { refusal: { errCode: errorCode('planUnavailable') } } : {};
  return { ...shown, ...refusal, description: words?.description ?? '', features: words?.features ?? [] };
}
