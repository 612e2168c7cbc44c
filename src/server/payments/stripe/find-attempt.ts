import { and, desc, eq } from 'drizzle-orm';
import type { Language } from '#contract/fields.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { users } from '#server/db/schema/users.ts';

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

export const tokenOf = ({ customer, paymentMethod }: CardToken) => `${customer}:${paymentMethod}`;

export function readToken(token: string): CardToken | undefined {
  const [, customer, paymentMethod] = /^(cus_\w+):(pm_\w+|card_\w+)$/.exec(token) ?? [];
  return customer !== undefined && paymentMethod !== undefined ? { customer, paymentMethod } : undefined;
}

/** The ID of a customer at Stripe, from the newest saved card; undefined before the first one. */
export async function customerOf(db: Database, brand: string, uid: string): Promise<string | undefined> {
  const [card] = await db
    .select({ token: savedCards.token })
    .from(savedCards)
    .where(and(eq(savedCards.brand, brand), eq(savedCards.uid, uid), eq(savedCards.gateway, 'stripe')))
    .orderBy(desc(savedCards.createdAt))
    .limit(1);
  return card && readToken(card.token)?.customer;
}
