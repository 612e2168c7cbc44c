import { isKnownCurrency } from '#contract/currencies.ts';
import type { MethodRow } from '#server/brand/catalog.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import type { Gateways, PaymentGateway } from './gateway.ts';

/** The adapter that a row names, if this installation has it. */
export function gatewayOf(gateways: Gateways, name: string): PaymentGateway | undefined {
  return Object.hasOwn(gateways, name) ? gateways[name] : undefined;
}

interface Shop {
  readonly brand: RequestContext['brand'];
  readonly deps: Pick<RequestContext['deps'], 'gateways'>;
}

/** Whether a method of the brand can be charged in a currency: the row says so, and a gateway is there that does it. */
function canCharge({ deps }: Shop, { gateway, code, currencies, details }: MethodRow, currency: string): boolean {
  const asked = gatewayOf(deps.gateways, gateway);
  // an amount in a currency of unknown digits could be charged a hundred times over
  if (!isKnownCurrency(currency)) return false;
  return currencies.includes(currency) && (asked?.takes(code, currency, details.pmId) ?? false);
}

/** A method as it is charged in a currency. */
export interface ChargedMethod extends MethodRow {
  /** amounts are whole numbers of so many minor units */
  readonly unit?: number | undefined;
  /** minor units of the smallest charge that its provider takes */
  readonly minimum?: number | undefined;
  /** and of the largest one */
  readonly maximum?: number | undefined;
}

/**
 * The methods by which customers of this brand can really pay in a currency, in the brand's order. A row in the database
 * promises nothing: whatever is offered, valued or taken for a payment comes from here.
 */
export function methodsIn(shop: Shop, currency: string): ChargedMethod[] {
  if (!shop.brand.currencies.includes(currency)) return [];
  return shop.brand.methods
    .filter((method) => canCharge(shop, method, currency))
    .map((method) => asCharged(shop, method, currency));
}

/** A method as its gateway charges it: what is asked for and what follows may depend on who takes the money. */
function asCharged({ deps }: Shop, method: MethodRow, currency: string): ChargedMethod {
  const gateway = gatewayOf(deps.gateways, method.gateway);
  const terms = gateway?.terms?.(method.code, currency);
  if (!terms) return method;
  const { cardPage, flow = method.flow, maxInstallments = method.maxInstallments, unit, minimum, maximum } = terms;
  return {
    ...method,
    flow,
    unit,
    minimum,
    maximum,
    savesCard: method.savesCard && gateway?.chargeSaved !== undefined,
    fields: cardPage ? method.fields.map((field) => (field === 'card' ? 'cardPage' : field)) : method.fields,
    maxInstallments: Math.min(method.maxInstallments, maxInstallments),
  };
}

/**
 * Whether a card can be charged that was kept for a method: a brand that has moved to another provider cannot take the cards
 * of the one before with it.
 */
export function servesCard({ brand, deps }: Shop, card: Pick<MethodRow, 'gateway'> & { methodCode: string }): boolean {
  const isServed = brand.methods.some(({ code, gateway }) => code === card.methodCode && gateway === card.gateway);
  return isServed && gatewayOf(deps.gateways, card.gateway) !== undefined;
}

/** Whether a provider charges so little, or so much, in minor units. A total of zero is not charged at all. */
export const isWithinLimits = (
  { minimum = 0, maximum = Infinity }: Pick<ChargedMethod, 'minimum' | 'maximum'>,
  total: number,
): boolean => total === 0 || (total >= minimum && total <= maximum);

/** The currencies in which this brand can be paid at all, in its order. */
export function payableCurrencies(shop: Shop): string[] {
  return shop.brand.currencies.filter((currency) => methodsIn(shop, currency).length > 0);
}

/** Those of a method's currencies in which it can be charged. */
export function currenciesOf(shop: Shop, method: MethodRow): string[] {
  return method.currencies.filter((currency) => canCharge(shop, method, currency));
}
