import { and, desc, eq } from 'drizzle-orm';
import type { Language } from '#contract/fields.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { users } from '#server/db/schema/users.ts';

/**
 * A try to pay, as far as Stripe has to do with it. Stripe finds nothing by a name of ours at once (its search lags behind),
 * so what it called the payment is kept in `attempts.provider_ref`: `cs_...` for a page of Checkout that waits, `pi_...`
 * for a payment.
 */
export interface StripeAttempt {
  readonly key: string;
  readonly brand: string;
  readonly uid: string;
  readonly methodCode: string;
  /** minor units */
  readonly amount: number;
  readonly currency: string;
  /** the saved card that is charged, where it is one */
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
 * A saved card's token names whose it is at Stripe, too, because Stripe charges a card of a customer only together with
 * them: `cus_...:pm_...`.
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

/** Who a shop's customer is at Stripe, as their newest saved card tells; undefined before they have saved one. */
export async function customerOf(db: Database, brand: string, uid: string): Promise<string | undefined> {
  const [card] = await db
    .select({ token: savedCards.token })
    .from(savedCards)
    .where(and(eq(savedCards.brand, brand), eq(savedCards.uid, uid), eq(savedCards.gateway, 'stripe')))
    .orderBy(desc(savedCards.createdAt))
    .limit(1);
  return card && readToken(card.token)?.customer;
}
