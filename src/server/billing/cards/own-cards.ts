import { and, desc, eq } from 'drizzle-orm';
import type { InferOutput } from 'valibot';
import type { pay } from '#contract/billing.ts';
import type { SavedCard } from '#contract/cards.ts';
import { isCardExpired } from '#contract/card.ts';
import type { MethodRow } from '#server/brand/catalog.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { servesCard } from '#server/payments/chargeable.ts';
import type { AuthoriseRequest } from '#server/payments/gateway.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';

/** A saved card that a purchase pays with. */
export interface ChosenSavedCard extends NonNullable<AuthoriseRequest['savedCard']> {
  readonly cardId: string;
  readonly last4: string;
}

export type SavedCardRow = typeof savedCards.$inferSelect;

/** Ownership is part of the query, as for orders: a card of another customer is not found. */
export function ownedCard({ brand, user }: Pick<CustomerContext, 'brand' | 'user'>, cardId?: string) {
  const mine = and(eq(savedCards.brand, brand.code), eq(savedCards.uid, user.uid));
  return cardId === undefined ? mine : and(mine, eq(savedCards.cardId, cardId));
}

/** All saved cards, including those of a provider that the brand does not use any more, which can only be deleted. */
export async function ownCards(context: CustomerContext): Promise<SavedCard[]> {
  const { db, clock } = context.deps;
  const rows = await db.select().from(savedCards).where(ownedCard(context)).orderBy(desc(savedCards.usedAt));
  return rows.map((row) => cardView(row, clock(), servesCard(context, row)));
}

export function cardView(row: SavedCardRow, now: number, usable: boolean): SavedCard {
  const { cardId, methodCode, cardBrand: brand, last4, account, expiryMonth, expiryYear, codeDigits } = row;
  return {
    cardId,
    methodCode,
    brand,
    last4,
    ...(account !== null && { account }),
    expiryMonth,
    expiryYear,
    codeDigits,
    expired: isExpired(row, now),
    usable,
  };
}

function isExpired({ expiryMonth: month, expiryYear: year }: SavedCardRow, now: number): boolean {
  return isCardExpired({ month, year }, now);
}

/**
 * The saved card of a purchase, for its gateway. `savedCardNotFound`: the customer has no such card for this method.
 */
export async function savedCardOf(
  context: CustomerContext<'cardExpired' | 'savedCardNotFound'>,
  { cardId, cardCode }: Pick<InferOutput<typeof pay.body>, 'cardId' | 'cardCode'>,
  method: MethodRow,
): Promise<ChosenSavedCard | undefined> {
  if (cardId === undefined) return undefined;
  const { db, clock } = context.deps;
  const atMethod = and(eq(savedCards.gateway, method.gateway), eq(savedCards.methodCode, method.code));
  const [row] = await db
    .select()
    .from(savedCards)
    .where(and(ownedCard(context, cardId), atMethod))
    .limit(1);
  if (!row) context.refuse('savedCardNotFound');
  if (isExpired(row, clock())) context.refuse('cardExpired', { field: 'cardExpiry' });
  return { cardId: row.cardId, last4: row.last4, token: row.token, code: cardCode };
}
