import type { PaymentFailure } from '#contract/error-codes.ts';
import type { NextStep } from '#contract/next-step.ts';
import { parseBoleto, bankDay } from '../boleto.ts';
import type { GatewayAnswer, GatewayCard } from '../gateway.ts';
import { fromStripe } from './currencies.ts';
import { failureOf } from './decline-codes.ts';
import { idOf, type Intent, type PaymentMethodOf, type Session } from './schemas.ts';
import { and, desc, eq } from 'drizzle-orm';
import type { Language } from '#contract/fields.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { users } from '#server/db/schema/users.ts';

export const unknown: GatewayAnswer = { state: 'unknown' };
export const failed = (failure: PaymentFailure): GatewayAnswer => ({ state: 'failed', failure });

/** How long a bank may take to settle a payment that its payer has made, in milliseconds. */
const settlingMs = 10 * 24 * 60 * 60_000;

/** The state of a payment by its Checkout page; `now` in epoch milliseconds. */
export function sessionAnswer(session: Session, now: number): GatewayAnswer {
  const { id, mode, status, url } = session;
  if (status === 'expired') return { state: 'expired', providerRef: id };
  if (status === 'open') {
    const expiresAt = session.expires_at * 1000;
    const next: NextStep | undefined = url ? { type: 'redirect', url, expiresAt, finish: 'stripe' } : undefined;
    // "open": no payment has been started on the page
    return { state: 'pending', providerRef: id, next, expiresAt, unpaid: true };
  }
  if (mode === 'setup') return { state: 'succeeded', providerRef: id, savedCard: cardOfSetup(session) };
  const { payment_intent: intent } = session;
  return typeof intent === 'object' && intent !== null ? intentAnswer(intent, now) : unknown;
}

/** The card that was saved on a setup page. */
export function cardOfSetup({ customer, setup_intent: setup }: Session): GatewayCard | undefined {
  return typeof setup === 'object' && setup !== null ? keptCard(idOf(customer), setup.payment_method) : undefined;
}

/**
 * Cancellations by the customer, or by this server on the customer's behalf; all others are Stripe's or an operator's.
 */
const cancelReasons: ReadonlySet<string> = new Set(['abandoned', 'requested_by_customer']);

/** The state of a payment that was requested, or whose payer has left the page. */
export function intentAnswer(intent: Intent, now: number): GatewayAnswer {
  const known = { providerRef: intent.id, ...fromStripe(intent) };
  switch (intent.status) {
    case 'succeeded': {
      const isKept = intent.setup_future_usage === 'off_session';
      return { state: 'succeeded', ...known, savedCard: isKept ? cardOf(intent) : undefined };
    }
    case 'processing':
      return { state: 'pending', ...known, next: { type: 'none' }, expiresAt: now + settlingMs };
    case 'requires_action':
      return { state: 'pending', ...known, ...stepOf(intent) };
    case 'canceled':
      return {
        ...failed(cancelReasons.has(intent.cancellation_reason ?? '') ? 'paymentCancelled' : 'paymentFailed'),
        providerRef: intent.id,
      };
    case 'requires_payment_method':
      return unpaid(intent);
    // for manually captured payments, which this server does not make
    case 'requires_capture':
    case 'requires_confirmation':
      return unknown;
  }
}

/** A code or a slip that was not paid in time ends in this status too; for a card it is a decline. */
function unpaid({ id, allowed_payment_method_types: types, last_payment_error: problem }: Intent): GatewayAnswer {
  const [type] = types ?? [];
  if (type === 'pix' || type === 'boleto') return { state: 'expired', providerRef: id };
  const words = [problem?.decline_code, problem?.code];
  return { ...failed(failureOf(words, { isDecline: problem?.type === 'card_error' })), providerRef: id };
}

/** The card that has paid, with its current details: networks replace cards, and Stripe updates them. */
export function cardOf({ customer, payment_method: method }: Intent): GatewayCard | undefined {
  return keptCard(idOf(customer), method);
}

function keptCard(customer: string | undefined, method: PaymentMethodOf): GatewayCard | undefined {
  if (customer === undefined || typeof method !== 'object' || !method?.card) return undefined;
  const { brand, last4, exp_month: expiryMonth, exp_year: expiryYear } = method.card;
  const token = tokenOf({ customer, paymentMethod: method.id });
  return { token, brand, last4, expiryMonth, expiryYear, codeDigits: brand === 'amex' ? 4 : 3 };
}

/** The next step of the payer and its deadline. */
function stepOf(intent: Intent): Pick<GatewayAnswer, 'next' | 'expiresAt'> {
  const { next_action: action } = intent;
  const amount = fromStripe(intent);
  if (action?.pix_display_qr_code) {
    const { data: payload, expires_at: at, hosted_instructions_url: bankUrl } = action.pix_display_qr_code;
    const expiresAt = at * 1000;
    return { next: { type: 'qr', payload, amount, expiresAt, bankUrl }, expiresAt };
  }
  if (action?.boleto_display_details) {
    const { number, expires_at: at, hosted_voucher_url: page } = action.boleto_display_details;
    const slip = parseBoleto(number.replaceAll(/[^\d]/g, ''));
    const expiresAt = at * 1000;
    if (!slip) return { expiresAt };
    const { barcode, line } = slip;
    const dueDate = bankDay(expiresAt);
    return {
      next: { type: 'ticket', barcode, line, amount, dueDate, expiresAt, bankUrl: page ?? undefined },
      expiresAt,
    };
  }
  const url = action?.redirect_to_url?.url;
  return url ? { next: { type: 'redirect', url, finish: 'stripe' } } : {};
}

/**
 * The part of an attempt that concerns Stripe. Stripe's search by our IDs lags behind, so its own ID is stored in
 * `attempts.provider_ref`: `cs_...` for a waiting Checkout page, `pi_...` for a payment.
 */
export interface StripeAttempt {
  readonly key: string;
  readonly brand: string;
  readonly uid: string;
  readonly methodCode: string;
  /** minor units */
  readonly amount: number;
  readonly currency: string;
  /** the saved card that is charged, if any */
  readonly cardId: string | null;
  readonly providerRef: string | null;
  /** epoch milliseconds */
  readonly createdAt: number;
  readonly language: Language;
  readonly email: string | null;
}

export async function findAttempt(db: Database, key: string): Promise<StripeAttempt | undefined> {
  const { brand, uid, methodCode, amount, currency, cardId, providerRef, createdAt } = attempts;
  const [row] = await db
    .select({
      brand,
      uid,
      methodCode,
      amount,
      currency,
      cardId,
      providerRef,
      createdAt,
      language: users.language,
      email: users.email,
    })
    .from(attempts)
    .innerJoin(users, eq(users.uid, attempts.uid))
    .where(eq(attempts.id, key))
    .limit(1);
  return row && { ...row, key };
}

/**
 * The token of a saved card, `cus_...:pm_...`: it includes Stripe's customer, because Stripe charges a saved card only
 * together with its customer.
 */
export interface CardToken {
  readonly customer: string;
  readonly paymentMethod: string;
}

const tokenOf = ({ customer, paymentMethod }: CardToken) => `${customer}:${paymentMethod}`;

export function readToken(token: string): CardToken | undefined {
  const [, customer, paymentMethod] = /^(cus_\w+):(pm_\w+|card_\w+)$/.exec(token) ?? [];
  return customer !== undefined && paymentMethod !== undefined ? { customer, paymentMethod } : undefined;
}

/** The ID of a customer at Stripe, from the newest saved card; undefined before the first one. */
export async function findStripeCustomer(db: Database, brand: string, uid: string): Promise<string | undefined> {
  const [card] = await db
    .select({ token: savedCards.token })
    .from(savedCards)
    .where(and(eq(savedCards.brand, brand), eq(savedCards.uid, uid), eq(savedCards.gateway, 'stripe')))
    .orderBy(desc(savedCards.createdAt))
    .limit(1);
  return card && readToken(card.token)?.customer;
}
