import type { MethodRow } from '../brand/catalog.ts';
import type { RequestContext } from '../request-context.ts';
import type { Gateways, PaymentGateway } from './gateway.ts';

/** The adapter that a row names, if this installation has it. */
export function gatewayOf(gateways: Gateways, name: string): PaymentGateway | undefined {
  return Object.hasOwn(gateways, name) ? gateways[name] : undefined;
}

type Shop = Pick<RequestContext, 'brand' | 'deps'>;

/** Whether a method of the brand can be charged in a currency: the row says so, and a gateway is there that does it. */
function canCharge({ deps }: Shop, { gateway, code, currencies }: MethodRow, currency: string): boolean {
  return currencies.includes(currency) && (gatewayOf(deps.gateways, gateway)?.takes(code, currency) ?? false);
}

/**
 * The methods by which customers of this brand can really pay in a currency, in the brand's order. A row in the database
 * promises nothing: whatever is offered, valued or taken for a payment comes from here.
 */
export function methodsIn(shop: Shop, currency: string): MethodRow[] {
  if (!shop.brand.currencies.includes(currency)) return [];
  return shop.brand.methods.filter((method) => canCharge(shop, method, currency));
}

/** The currencies in which this brand can be paid at all, in its order. */
export function payableCurrencies(shop: Shop): string[] {
  return shop.brand.currencies.filter((currency) => methodsIn(shop, currency).length > 0);
}

/** Those of a method's currencies in which it can be charged. */
export function currenciesOf(shop: Shop, method: MethodRow): string[] {
  return method.currencies.filter((currency) => canCharge(shop, method, currency));
}
