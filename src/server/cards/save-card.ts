import type { AttemptRow } from '../billing/purchase-rows.ts';
import { savedCards } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import type { KeptCard } from '../payments/gateway.ts';

/** Keeps what its owner recognises a card by. Telling it again only notes that the card was used. */
export async function saveCard(
  { db, clock, random }: Pick<Deps, 'db' | 'clock' | 'random'>,
  { brand, uid, gateway, methodCode }: Pick<AttemptRow, 'brand' | 'uid' | 'gateway' | 'methodCode'>,
  { brand: cardBrand, ...card }: KeptCard,
): Promise<void> {
  const now = clock();
  const { expiryMonth, expiryYear } = card;
  await db
    .insert(savedCards)
    .values({ cardId: random.id(), brand, uid, gateway, methodCode, cardBrand, ...card, createdAt: now, usedAt: now })
    .onConflictDoUpdate({
      target: [savedCards.brand, savedCards.uid, savedCards.gateway, savedCards.token],
      set: { usedAt: now, expiryMonth, expiryYear },
    });
}
