import { refuse, refuseInput } from '../api-error.ts';
import type { CustomerContext } from '../request-context.ts';
import type { AuthorizeRequest } from '../payments/gateway.ts';
import { assertMayBuy } from '../site/availability.ts';
import { planForSale } from '../site/plans.ts';
import { savedCardOf } from '../cards/own-cards.ts';
import { checkPayer } from './check-payer.ts';
import type { RepayTerms } from './place-order.ts';
import { chargedIn } from './pricing.ts';
import type { AttemptRow, OrderRow } from './purchase-rows.ts';
import { isQuote } from './quote.ts';
import type { PayBody, RepayBody } from './request-hash.ts';
import { valuate, type Valuation } from './valuation.ts';

export interface Prepared {
  readonly valuation: Valuation;
  readonly terms: RepayTerms;
  /** the card that the gateway keeps, when the customer pays by one */
  readonly savedCard: AuthorizeRequest['savedCard'];
}

/**
 * Everything that can be refused before anything is written: a plan that is sold no longer (2008), or not to this customer (6000), the payer's fields, the
 * price, a saved card (-2511, 309), a transfer that nobody would receive (-2602). A price that is no longer the one that
 * was shown is 1015 with the new one.
 */
export async function preparePurchase(context: CustomerContext, body: PayBody | RepayBody): Promise<Prepared> {
  const { deps, brand, user } = context;
  const now = deps.clock();
  planForSale(brand, body.planId);
  const valuation = await valuate(context, body);
  const { plan, method, price } = valuation;
  assertMayBuy(user, plan, now);
  checkPayer(body, method, now);
  if (method.gateway === 'transfer' && !method.details.receiver) refuse(-2602);
  const savedCard = await savedCardOf(context, body, method);
  const total = chargedIn(price.total, body.installments, method) ?? refuseInput('installments');
  if (!isQuote(deps.env.SIGNING_SECRET, body.quoteId, valuation.facts, now)) {
    refuse(1015, { newTotal: { amount: price.total, currency: body.currency } });
  }
  const terms = {
    methodCode: method.code,
    methodNames: method.names,
    currency: body.currency,
    original: price.original,
    discount: price.discount,
    total,
    installments: body.installments,
    discountCode: body.discountCode ?? null,
  };
  return { valuation, terms, savedCard };
}

/** The row of a new order. Its `total` is what will be charged, interest included. */
export function newOrder(context: CustomerContext, { valuation, terms }: Prepared): OrderRow {
  const { deps, brand, user } = context;
  const { plan } = valuation;
  return {
    ...terms,
    orderId: deps.random.orderId(),
    brand: brand.code,
    uid: user.uid,
    status: 'SUBMITTED',
    planId: plan.id,
    planNames: Object.fromEntries(Object.entries(plan.texts).map(([language, words]) => [language, words.name])),
    days: plan.days,
    devices: plan.devices,
    resultToken: deps.random.token(24),
    failureCode: null,
    createdAt: deps.clock(),
    expiresAt: null,
    paidAt: null,
    serviceStart: null,
    serviceEnd: null,
    underReview: false,
  };
}

/** The row of a try to pay this order, which spends the key. */
export function newAttempt(
  context: CustomerContext,
  order: { readonly orderId: string },
  { valuation, terms }: Prepared,
  spent: { readonly idempotencyKey: string; readonly requestHash: string },
): AttemptRow {
  const { deps, brand, user } = context;
  const now = deps.clock();
  return {
    ...spent,
    id: deps.random.id(),
    orderId: order.orderId,
    brand: brand.code,
    uid: user.uid,
    gateway: valuation.method.gateway,
    methodCode: terms.methodCode,
    amount: terms.total,
    currency: terms.currency,
    installments: terms.installments,
    state: 'INTENT',
    providerRef: null,
    next: null,
    failureCode: null,
    createdAt: now,
    updatedAt: now,
    expiresAt: null,
  };
}
