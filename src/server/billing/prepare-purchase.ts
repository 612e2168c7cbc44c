import type { Buyer } from '#contract/receipts.ts';
import { refuseInput } from '#server/runtime/request/api-error.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';
import { periodsOf, assertCanBuy } from '#server/site/periods.ts';
import { isWithinLimits } from '#server/payments/chargeable.ts';
import { requirePlanForSale } from '#server/site/plan.ts';
import { savedCardOf, type ChosenSavedCard } from './cards/own-cards.ts';
import { checkPayer, sealBuyer } from './check-payer.ts';
import { payerNameRows } from './payer-names.ts';
import type { RepayTerms } from './place-order.ts';
import { totalForInstallments, termsOf } from './pricing.ts';
import { attemptTerms, type AttemptRow, type OrderRow } from '#server/db/purchase-rows.ts';
import { deriveId } from '#server/runtime/random.ts';
import { isQuote } from './quote.ts';
import type { PayBody, RepayBody } from './request-hash.ts';
import { quotePurchase, type Valuation, type ValuationErrors } from './valuation.ts';
import { renewalOffer } from './subscriptions/renewal-rules.ts';

export interface PreparedPurchase {
  readonly valuation: Valuation;
  readonly terms: RepayTerms;
  /** the saved card that the customer pays with */
  readonly savedCard: ChosenSavedCard | undefined;
  /** price of each further period, in minor units; null without automatic renewal */
  readonly renewPrice: number | null;
}

/** The errors of `preparePurchase`. */
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
 * Checks everything that can be refused before a write: a plan that is not sold (`planUnavailable`), or not to this
 * customer (`cannotBuyPlan`), the payer's fields, a total outside the provider's limits (`methodUnsupported`), a saved
 * card (`savedCardNotFound`, `cardExpired`), a transfer without a receiving account (`noReceivingAccount`).
 * `placePaymentFailed` carries the new price when the quote does not match.
 */
export async function preparePurchase(
  context: CustomerContext<PreparePurchaseErrors>,
  body: PayBody | RepayBody,
): Promise<PreparedPurchase> {
  const { deps, brand, user } = context;
  const now = deps.clock();
  // a customer who deletes the account would lose the purchase
  if (user.leavesAt !== null) context.refuse('accountLeaves');
  requirePlanForSale(context.refuse, brand, body.planId);
  const valuation = await quotePurchase(context, body);
  const { plan, method, price } = valuation;
  if (!isWithinLimits(method, price.total)) context.refuse('methodUnsupported');
  // a plan for several devices is never refused, so its periods are not needed
  assertCanBuy(context.refuse, user, plan, plan.devices === 1 ? await periodsOf(deps.db, user, now) : []);
  checkPayer(body, { method, now, brandCode: brand.config.login.areaCode, refuse: context.refuse });
  if (method.gateway === 'transfer' && !method.details.receiver) context.refuse('noReceivingAccount');
  const savedCard = await savedCardOf(context, body, method);
  const parts = termsOf(method, brand.config, body.currency);
  const total = totalForInstallments(price.total, body.installments, parts) ?? refuseInput('installments');
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

/**
 * `operationUnsupported` if automatic renewal is not offered (any more): the customer agreed to something that would
 * not be done.
 */
function renewPriceOf(
  context: CustomerContext<'operationUnsupported'>,
  { renew }: PayBody,
  { plan, method, facts }: Valuation,
): number | null {
  if (renew !== true) return null;
  if (method.savesAccount !== undefined && facts.total === 0) context.refuse('operationUnsupported');
  const offer = renewalOffer(context, plan, method, facts.currency) ?? context.refuse('operationUnsupported');
  // a TV may buy, but not decide on later charges
  if (context.user.sessionKind === 'box') context.refuse('operationUnsupported');
  return offer.price;
}

/** The row of a new order. Its `total` is what will be charged, including interest. */
export function newOrder(context: CustomerContext, { valuation, terms }: PreparedPurchase): OrderRow {
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

/** The name and tax number of the payment, for its receipt; null without either. */
function namedBuyer({ card, payer }: Pick<PayBody, 'card' | 'payer'>): Buyer | null {
  const { firstName = card?.holderFirstName, lastName = card?.holderLastName, document } = payer;
  const name = [firstName, lastName].filter(Boolean).join(' ') || null;
  return name === null && !document ? null : { name, document: document || null };
}

/** The rows by which support finds the customer by the name of this payment. */
export const namesOfPayment = ({ deps, user }: CustomerContext, body: Pick<PayBody, 'card' | 'payer'>) =>
  payerNameRows(deps.env, user, namedBuyer(body)?.name ?? null);

/** The row of an attempt to pay this order; it consumes the idempotency key. */
export function newAttempt(
  context: CustomerContext,
  order: { readonly orderId: string },
  { valuation, terms, savedCard, renewPrice }: PreparedPurchase,
  body: Pick<PayBody, 'card' | 'payer'>,
  key: { readonly idempotencyKey: string; readonly requestHash: string },
): AttemptRow {
  const { deps, brand, user } = context;
  const now = deps.clock();
  return {
    ...key,
    // derived from the key: after a restore from a backup, the same key leads to the same attempt at the provider
    // ([Note: Restore])
    id: deriveId('attempt', brand.code, user.uid, key.idempotencyKey),
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
    slipMails: 0,
    askedAt: null,
    createdAt: now,
    updatedAt: now,
    expiresAt: null,
  };
}
