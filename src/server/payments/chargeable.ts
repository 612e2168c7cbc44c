import type { Wallet } from '#contract/billing.ts';
import { isKnownCurrency } from '#contract/money.ts';
import type { MethodRow } from '#server/brand/catalog.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import type { Gateways, PaymentGateway } from './gateway.ts';

/** The gateway that a row names, if this installation has it. */
export function gatewayOf(gateways: Gateways, name: string): PaymentGateway | undefined {
  return Object.hasOwn(gateways, name) ? gateways[name] : undefined;
}

interface Shop {
  readonly brand: RequestContext['brand'];
  readonly deps: Pick<RequestContext['deps'], 'gateways'>;
}

/**
 * Whether a method of the brand can be charged in a currency: the row lists it and a configured gateway supports it.
 */
function canCharge({ deps }: Shop, { gateway, code, currencies, details }: MethodRow, currency: string): boolean {
  const asked = gatewayOf(deps.gateways, gateway);
  // in a currency with an unknown number of digits an amount could be charged a hundredfold
  if (!isKnownCurrency(currency)) return false;
  return currencies.includes(currency) && (asked?.takes(code, currency, details.pmId) ?? false);
}

/** A method as it is charged in a currency. */
export interface ChargedMethod extends MethodRow {
  /** amounts must be multiples of this many minor units */
  readonly unit?: number | undefined;
  /** the provider's smallest charge, in minor units */
  readonly minimum?: number | undefined;
  /** the provider's largest charge, in minor units */
  readonly maximum?: number | undefined;
  /** as in `MethodTerms` */
  readonly savesAccount?: boolean | undefined;
  /** as in `MethodTerms` */
  readonly accountPage?: boolean | undefined;
  /** as in `MethodTerms` */
  readonly wallet?: Wallet | undefined;
}

/**
 * The methods that customers of this brand can really pay with in a currency, in the brand's order. Every offered,
 * valued or accepted payment uses it: a row in the database alone guarantees nothing.
 */
export function methodsIn(shop: Shop, currency: string): ChargedMethod[] {
  if (!shop.brand.currencies.includes(currency)) return [];
  return shop.brand.methods
    .filter((method) => canCharge(shop, method, currency))
    .map((method) => asCharged(shop, method, currency));
}

/** A method as its gateway charges it: the required fields and the next step may depend on the provider. */
function asCharged({ deps }: Shop, method: MethodRow, currency: string): ChargedMethod {
  const gateway = gatewayOf(deps.gateways, method.gateway);
  const terms = gateway?.terms?.(method.code, currency);
  if (!terms) return method;
  const { cardPage, flow = method.flow, maxInstallments = method.maxInstallments, ...limits } = terms;
  return {
    ...method,
    ...limits,
    flow,
    savesCard: method.savesCard && gateway?.chargeSaved !== undefined,
    fields: cardPage ? method.fields.map((field) => (field === 'card' ? 'cardPage' : field)) : method.fields,
    maxInstallments: Math.min(method.maxInstallments, maxInstallments),
  };
}

/**
 * Whether a card saved for a method can be charged. Cards of a previous provider cannot be charged after a brand moves
 * to another one.
 */
export function servesCard({ brand, deps }: Shop, card: Pick<MethodRow, 'gateway'> & { methodCode: string }): boolean {
  const isServed = brand.methods.some(({ code, gateway }) => code === card.methodCode && gateway === card.gateway);
  return isServed && gatewayOf(deps.gateways, card.gateway) !== undefined;
}

/** Whether the provider charges this total, in minor units. A total of zero is not charged at all. */
export const isWithinLimits = (
  { minimum = 0, maximum = Infinity }: Pick<ChargedMethod, 'minimum' | 'maximum'>,
  total: number,
): boolean => total === 0 || (total >= minimum && total <= maximum);

/** The currencies in which customers can pay this brand, in its order. */
export function payableCurrencies(shop: Shop): string[] {
  return shop.brand.currencies.filter((currency) => methodsIn(shop, currency).length > 0);
}

/** The currencies in which a method can be charged. */
export function currenciesOf(shop: Shop, method: MethodRow): string[] {
  return method.currencies.filter((currency) => canCharge(shop, method, currency));
}

/** Whether a brand offers a wallet in one of its currencies. */
export function offersWallet({ brand, deps }: Shop, wallet: Wallet): boolean {
  return brand.methods.some(({ gateway, code, currencies }) => {
    const asked = gatewayOf(deps.gateways, gateway);
    return currencies.some((currency) => asked?.terms?.(code, currency)?.wallet === wallet);
  });
}
