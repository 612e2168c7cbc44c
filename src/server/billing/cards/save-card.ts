import { and, eq, ne } from 'drizzle-orm';
import type { AttemptRow } from '#server/db/purchase-rows.ts';
import { goneType } from '#server/auth/find-user.ts';
import { cardsToForget, savedCards } from '#server/db/schema/cards.ts';
import { users } from '#server/db/schema/users.ts';
import type { Database } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { GatewayCard } from '#server/payments/gateway.ts';

/** Keeps what its owner recognises a card by, and answers its id. Telling it again only notes that the card was used. */
export async function saveCard(
  { db, clock, random }: Pick<Deps, 'db' | 'clock' | 'random'>,
  { brand, uid, gateway, methodCode }: Pick<AttemptRow, 'brand' | 'uid' | 'gateway' | 'methodCode'>,
  { brand: cardBrand, ...card }: GatewayCard,
): Promise<string | null> {
  const now = clock();
  const { expiryMonth, expiryYear, last4 } = card;
  const cardId = random.id();
  return db.transaction(async (tx) => {
    // held, so that the account is not deleted beside it
    const [owner] = await tx.select({ userType: users.userType }).from(users).where(eq(users.uid, uid)).for('share');
    if (owner?.userType === goneType) {
      // an answer that came after the account was deleted: its gateway forgets the card, too
      await scheduleCardRemoval(tx, [{ gateway, token: card.token }], now);
      return null;
    }
    const [kept] = await tx
      .insert(savedCards)
      .values({ cardId, brand, uid, gateway, methodCode, cardBrand, ...card, createdAt: now, usedAt: now })
      .onConflictDoUpdate({
        target: [savedCards.brand, savedCards.uid, savedCards.gateway, savedCards.token],
        set: { usedAt: now, expiryMonth, expiryYear, last4 },
      })
      .returning({ cardId: savedCards.cardId });
    return kept?.cardId ?? cardId;
  });
}

type Charged = Pick<AttemptRow, 'brand' | 'uid' | 'gateway' | 'methodCode'> & { readonly cardId: string };

/** The network has given its holder another card for this one: it takes its place, and who is charged by it stays so. */
export async function replaceCard(
  deps: Pick<Deps, 'db' | 'clock' | 'random'>,
  charged: Charged,
  { brand: cardBrand, ...card }: GatewayCard,
): Promise<string | null> {
  const { brand, uid, gateway, cardId } = charged;
  const theirs = and(eq(savedCards.brand, brand), eq(savedCards.uid, uid), eq(savedCards.gateway, gateway));
  const [other] = await deps.db
    .select({ cardId: savedCards.cardId })
    .from(savedCards)
    .where(and(theirs, eq(savedCards.token, card.token), ne(savedCards.cardId, cardId)));
  // they have saved the new one themselves already
  if (other) return saveCard(deps, charged, { brand: cardBrand, ...card });
  const now = deps.clock();
  const replaced = await deps.db
    .update(savedCards)
    .set({ ...card, cardBrand, usedAt: now })
    .where(and(theirs, eq(savedCards.cardId, cardId)))
    .returning({ cardId: savedCards.cardId });
  if (replaced.length > 0) return cardId;
  // its owner has deleted the card, or the account, while it was charged
  await scheduleCardRemoval(deps.db, [{ gateway, token: card.token }], now);
  return null;
}

/** The card used last is the first that is offered. */
export async function recordCardUse(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { brand, uid, gateway }: Pick<AttemptRow, 'brand' | 'uid' | 'gateway'>,
  token: string,
): Promise<void> {
  const theirs = and(eq(savedCards.brand, brand), eq(savedCards.uid, uid), eq(savedCards.gateway, gateway));
  await db
    .update(savedCards)
    .set({ usedAt: clock() })
    .where(and(theirs, eq(savedCards.token, token)));
}

/** Leaves cards whose owner is gone to be forgotten by their gateways (jobs/delete-accounts.ts). `now` is epoch ms. */
export async function scheduleCardRemoval(
  db: Database,
  cards: readonly { readonly gateway: string; readonly token: string }[],
  now: number,
): Promise<void> {
  if (cards.length === 0) return;
  const rows = cards.map((card) => ({ id: `${card.gateway} ${card.token}`, ...card, nextTryAt: now, createdAt: now }));
  await db.insert(cardsToForget).values(rows).onConflictDoNothing();
}
