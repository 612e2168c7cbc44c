import { percentOf } from '#contract/money.ts';
import type { MethodRow, PlanRow } from '#server/brand/catalog.ts';
import { gatewayOf, methodsIn, type ChargedMethod } from '#server/payments/chargeable.ts';
import type { SubscriptionRow } from './moves.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';

/**
 * What a period costs, in minor units: what was agreed to, today's price, or what its notice has said, whichever is least.
 * A price that was low on the day of the notice may have gone up again before the charge.
 */
export function periodPrice(
  { price, toldPrice, noticed, period }: Pick<SubscriptionRow, 'price' | 'toldPrice' | 'noticed' | 'period'>,
  offered: number = price,
): number {
  const told = noticed === period && toldPrice !== null ? toldPrice : price;
  return Math.min(price, offered, told);
}

interface Shop {
  readonly brand: RequestContext['brand'];
  readonly deps: Pick<RequestContext['deps'], 'gateways'>;
}

/** How a plan can renew: by which method, and what each period costs. */
export interface Offer {
  readonly plan: PlanRow;
  readonly method: MethodRow;
  /** minor units: the plan's price with the method's discount; a coupon is for one purchase */
  readonly price: number;
}

/**
 * How a plan renews by a method, where brand, plan and method all offer it: the method keeps cards, and its gateway can
 * charge one while its holder is away. A plan that is sold no longer is not in `brand.plans`, and renews no longer.
 */
export function renewalOffer(shop: Shop, plan: PlanRow, method: ChargedMethod, currency: string): Offer | undefined {
  const price = plan.prices[currency];
  const isOffered = shop.brand.config.payment.renewal !== 'no' && plan.renews && method.savesCard;
  const canCharge = gatewayOf(shop.deps.gateways, method.gateway)?.chargeSaved !== undefined;
  if (!isOffered || !canCharge || price === undefined) return undefined;
  const { discount, unit = 1 } = method;
  return { plan, method, price: Math.floor((price - percentOf(price, discount)) / unit) * unit };
}

/** The same for a renewal that is kept by its names. */
export function offerOf(
  shop: Shop,
  { planId, methodCode, currency }: { planId: string; methodCode: string; currency: string },
): Offer | undefined {
  const plan = shop.brand.plans.find(({ id }) => id === planId);
  const method = methodsIn(shop, currency).find(({ code }) => code === methodCode);
  return plan && method && renewalOffer(shop, plan, method, currency);
}
