import type { Buyer } from '#contract/receipts.ts';
import { refuseInput } from '#server/runtime/request/api-error.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';
import { assertMayBuy } from '#server/site/availability.ts';
import { periodsOf } from '#server/site/periods.ts';
import { isWithinLimits } from '#server/payments/chargeable.ts';
import { planForSale } from '#server/site/plans.ts';
import { savedCardOf, type KnownCard } from './cards/own-cards.ts';
import { sealBuyer } from './buyer.ts';
import { checkPayer } from './check-payer.ts';
import type { RepayTerms } from './place-order.ts';
import { chargedIn, termsOf } from './pricing.ts';
import { attemptTerms, type AttemptRow, type OrderRow } from '#server/db/purchase-rows.ts';
import { idNamed } from '#server/runtime/random.ts';
import { isQuote } from './quote.ts';
import type { PayBody, RepayBody } from './request-hash.ts';
import { valuate, type Valuation, type ValuationErrors } from './valuation.ts';
import { renewalOffer } from './subscriptions/offer.ts';

export interface Prepared {
  readonly valuation: Valuation;
  readonly terms: RepayTerms;
  /** the card that the gateway keeps, when the customer pays by one */
  readonly savedCard: KnownCard | undefined;
  /** what each period costs once this is paid; null where the customer does not let it renew */
  readonly renewPrice: number | null;
}

/** What `preparePurchase` refuses with. */
type PreparePurchaseErrors =
  | ValuationErrors
  | 'accountLeaves'
  | 'cannotBuyPlan'
  | 'cardExpired'
  | 'noReceivingAccount'
  | 'operationUnsupported'
  | 'placePaymentFailed'
  | 'planUnavailable'
  | 'resetPasswordFirst'
  | 'savedCardNotFound'
  | 'wrongCardCode'
  | 'wrongCardNumber';

/**
 * Everything that can be refused before anything is written: a plan that is sold no longer (`planUnavailable`), or not to
 * this customer (`cannotBuyPlan`), the payer's fields, the price, a total outside what the provider charges
 * (`methodUnsupported`), a saved card (`savedCardNotFound`, `cardExpired`), a transfer that nobody would receive
 * (`noReceivingAccount`). A price that is no longer the one that was shown is `placePaymentFailed` with the new one.
 */
export async function preparePurchase(
  context: CustomerContext<PreparePurchaseErrors>,
  body: PayBody | RepayBody,
): Promise<Prepared> {
  const { deps, brand, user } = context;
  const now = deps.clock();
  // who leaves would lose what they buy ([Note: Deletion])
  if (user.leavesAt !== null) context.refuse('accountLeaves');
  planForSale(context.refuse, brand, body.planId);
  const valuation = await valuate(context, body);
  const { plan, method, price } = valuation;
  if (!isWithinLimits(method, price.total)) context.refuse('methodUnsupported');
  // a plan for several devices is never refused, so nobody asks what runs
  assertMayBuy(context.refuse, user, plan, plan.devices === 1 ? await periodsOf(deps.db, user, now) : []);
  checkPayer(body, { method, now, brandCode: brand.config.login.areaCode, refuse: context.refuse });
  if (method.gateway === 'transfer' && !method.details.receiver) context.refuse('noReceivingAccount');
  const savedCard = await savedCardOf(context, body, method);
  const parts = termsOf(method, brand.config, body.currency);
  const total = chargedIn(price.total, body.installments, parts) ?? refuseInput('installments');
  if (!isQuote(deps.env.SIGNING_SECRET, body.quoteId, valuation.facts, now)) {
    context.refuse('placePaymentFailed', { newTotal: { amount: price.total, currency: body.currency } });
  }
  const terms = {
    methodCode: method.code,
    methodNames: method.names,
    flow: method.flow,
    currency: body.currency,
    original: price.original,
    discount: price.discount,
    total,
    installments: body.installments,
    discountCode: body.discountCode ?? null,
  };
  return { valuation, terms, savedCard, renewPrice: renewPriceOf(context, body, valuation) };
}

/** `operationUnsupported` where it is not offered (any more): what was agreed to would not be done. */
function renewPriceOf(
  context: CustomerContext<'operationUnsupported'>,
  { renew }: PayBody,
  { plan, method, facts }: Valuation,
): number | null {
  if (renew !== true) return null;
  const offer = renewalOffer(context, plan, method, facts.currency) ?? context.refuse('operationUnsupported');
  // who only watches and buys decides nothing that goes on
  if (context.user.sessionKind === 'box') context.refuse('operationUnsupported');
  return offer.price;
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
    refunded: 0,
    failureCode: null,
    createdAt: deps.clock(),
    expiresAt: null,
    paidAt: null,
    serviceStart: null,
    serviceEnd: null,
    serviceChanges: [],
    underReview: false,
    rejection: null,
    seller: null,
    buyerSealed: null,
    buyer: null,
    cardLast4: null,
    subscriptionId: null,
    period: null,
    withdrawal: null,
  };
}

/** The name and the tax number that were given with the payment, for its receipt; null where neither was. */
function namedBuyer({ card, payer }: Pick<PayBody, 'card' | 'payer'>): Buyer | null {
  const { firstName = card?.holderFirstName, lastName = card?.holderLastName, document } = payer;
  const name = [firstName, lastName].filter(Boolean).join(' ') || null;
  return name === null && !document ? null : { name, document: document || null };
}

/** The row of a try to pay this order, which spends the key. */
export function newAttempt(
  context: CustomerContext,
  order: { readonly orderId: string },
  { valuation, terms, savedCard, renewPrice }: Prepared,
  body: Pick<PayBody, 'card' | 'payer'>,
  spent: { readonly idempotencyKey: string; readonly requestHash: string },
): AttemptRow {
  const { deps, brand, user } = context;
  const now = deps.clock();
  return {
    ...spent,
    // a shop that was restored has forgotten the key, and asks its provider by the same name again ([Note: Restore])
    id: idNamed('attempt', brand.code, user.uid, spent.idempotencyKey),
    orderId: order.orderId,
    brand: brand.code,
    uid: user.uid,
    gateway: valuation.method.gateway,
    methodCode: terms.methodCode,
    amount: terms.total,
    currency: terms.currency,
    installments: terms.installments,
    terms: attemptTerms(terms),
    cardId: savedCard?.cardId ?? null,
    cardLast4: savedCard?.last4 ?? body.card?.number.slice(-4) ?? null,
    buyerSealed: sealBuyer(deps, user, namedBuyer(body)),
    buyer: null,
    renewPrice,
    state: 'INTENT',
    providerRef: null,
    next: null,
    failureCode: null,
    askedAt: null,
    createdAt: now,
    updatedAt: now,
    expiresAt: null,
  };
}
