import { percentOf } from '#contract/money.ts';
import type { MethodRow, PlanRow } from '#server/brand/catalog.ts';
import { gatewayOf, methodsIn, type ChargedMethod } from '#server/payments/chargeable.ts';
import type { SubscriptionRow } from './moves.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';

/**
 * The price of a period in minor units: the lowest of the agreed price, today's price and the price in its notice,
 * because a price that was low on the day of the notice may have risen again before the charge.
 */
export function periodPrice(
  { price, toldPrice, noticed, period }: Pick<SubscriptionRow, 'price' | 'toldPrice' | 'noticed' | 'period'>,
  offered: number = price,
): number {
  const announced = noticed === period && toldPrice !== null ? toldPrice : price;
  return Math.min(price, offered, announced);
}

interface Shop {
  readonly brand: RequestContext['brand'];
  readonly deps: Pick<RequestContext['deps'], 'gateways'>;
}

/** How a plan can renew: by which method, and the price of each period. */
export interface Offer {
  readonly plan: PlanRow;
  readonly method: MethodRow;
  /** minor units: the plan's price minus the method's discount; coupons apply to one purchase only */
  readonly price: number;
}

/**
 * The automatic renewal of a plan by a method, if brand, plan and method all offer it: the method saves cards, and its
 * gateway can charge them without the cardholder. Plans that are no longer sold are not in `brand.plans` and do not
 * renew.
 */
export function renewalOffer(shop: Shop, plan: PlanRow, method: ChargedMethod, currency: string): Offer | undefined {
  const price = plan.prices[currency];
  const isOffered = shop.brand.config.payment.renewal !== 'no' && plan.renews && method.savesCard;
  const canCharge = gatewayOf(shop.deps.gateways, method.gateway)?.chargeSaved !== undefined;
  if (!isOffered || !canCharge || price === undefined) return undefined;
  const { discount, unit = 1 } = method;
  return { plan, method, price: Math.floor((price - percentOf(price, discount)) / unit) * unit };
}

/** The same, by the codes that a subscription stores. */
export function offerOf(
  shop: Shop,
  { planId, methodCode, currency }: { planId: string; methodCode: string; currency: string },
): Offer | undefined {
  const plan = shop.brand.plans.find(({ id }) => id === planId);
  const method = methodsIn(shop, currency).find(({ code }) => code === methodCode);
  return plan && method && renewalOffer(shop, plan, method, currency);
}
