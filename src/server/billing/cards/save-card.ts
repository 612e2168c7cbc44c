import { and, eq, inArray, ne } from 'drizzle-orm';
import { nextRenewalStatus } from '#contract/renewal.ts';
import type { AttemptRow, Purchase } from '#server/db/purchase-rows.ts';
import { deletedUserType } from '#server/auth/users.ts';
import { cardsToForget, savedCards } from '#server/db/schema/cards.ts';
import { users } from '#server/db/schema/users.ts';
import type { Database } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { CardNotice, GatewayCard } from '#server/payments/gateway.ts';
import {
  confirmChoice,
  lockRenewal,
  updateSubscription,
  type RenewalDeps,
} from '#server/billing/subscriptions/lock-renewal.ts';
import { turnOnAfterPurchase } from '#server/billing/subscriptions/record-purchase.ts';
import { turnOff } from '#server/billing/subscriptions/record-refusal.ts';

/**
 * Saves what a customer recognises a card by, and returns its ID. A card that is saved already is only marked as used.
 */
export async function saveCard(
  { db, clock, random }: Pick<Deps, 'db' | 'clock' | 'random'>,
  { brand, uid, gateway, methodCode }: Pick<AttemptRow, 'brand' | 'uid' | 'gateway' | 'methodCode'>,
  { brand: cardBrand, ...card }: GatewayCard,
): Promise<string | null> {
  const now = clock();
  const { expiryMonth, expiryYear, last4, account } = card;
  const cardId = random.id();
  return db.transaction(async (tx) => {
    // locks the owner, so that the account is not deleted at the same time
    const [owner] = await tx.select({ userType: users.userType }).from(users).where(eq(users.uid, uid)).for('share');
    if (owner?.userType === deletedUserType) {
      // the account was deleted before this answer came, so the gateway removes the card, too
      await scheduleCardRemoval(tx, [{ gateway, token: card.token }], now);
      return null;
    }
    const [saved] = await tx
      .insert(savedCards)
      .values({ cardId, brand, uid, gateway, methodCode, cardBrand, ...card, createdAt: now, usedAt: now })
      .onConflictDoUpdate({
        target: [savedCards.brand, savedCards.uid, savedCards.gateway, savedCards.token],
        set: { usedAt: now, expiryMonth, expiryYear, last4, account },
      })
      .returning({ cardId: savedCards.cardId });
    return saved?.cardId ?? cardId;
  });
}

type Charged = Pick<AttemptRow, 'brand' | 'uid' | 'gateway' | 'methodCode'> & { readonly cardId: string };

/**
 * Replaces a card by the one that its network issued for it. Renewals that charge the card continue with the new one.
 */
export async function replaceCard(
  deps: Pick<Deps, 'db' | 'clock' | 'random'>,
  charged: Charged,
  { brand: cardBrand, ...card }: GatewayCard,
): Promise<string | null> {
  const { brand, uid, gateway, cardId } = charged;
  const ownedByCustomer = and(eq(savedCards.brand, brand), eq(savedCards.uid, uid), eq(savedCards.gateway, gateway));
  const [other] = await deps.db
    .select({ cardId: savedCards.cardId })
    .from(savedCards)
    .where(and(ownedByCustomer, eq(savedCards.token, card.token), ne(savedCards.cardId, cardId)));
  // the customer has already saved the new card
  if (other) return saveCard(deps, charged, { brand: cardBrand, ...card });
  const now = deps.clock();
  const replaced = await deps.db
    .update(savedCards)
    .set({ ...card, cardBrand, usedAt: now })
    .where(and(ownedByCustomer, eq(savedCards.cardId, cardId)))
    .returning({ cardId: savedCards.cardId });
  if (replaced.length > 0) return cardId;
  // the customer deleted the card, or the account, while it was charged
  await scheduleCardRemoval(deps.db, [{ gateway, token: card.token }], now);
  return null;
}

/** Records the use of a card: the card used last is offered first. */
export async function recordCardUse(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { brand, uid, gateway }: Pick<AttemptRow, 'brand' | 'uid' | 'gateway'>,
  token: string,
): Promise<void> {
  const ownedByCustomer = and(eq(savedCards.brand, brand), eq(savedCards.uid, uid), eq(savedCards.gateway, gateway));
  await db
    .update(savedCards)
    .set({ usedAt: clock() })
    .where(and(ownedByCustomer, eq(savedCards.token, token)));
}

/** Schedules the removal of cards at their gateways (jobs/delete-accounts.ts). `now` is epoch milliseconds. */
export async function scheduleCardRemoval(
  db: Database,
  cards: readonly { readonly gateway: string; readonly token: string }[],
  now: number,
): Promise<void> {
  if (cards.length === 0) return;
  const rows = cards.map((card) => ({ id: `${card.gateway} ${card.token}`, ...card, nextTryAt: now, createdAt: now }));
  await db.insert(cardsToForget).values(rows).onConflictDoNothing();
}

/**
 * Applies what a provider reports about a saved card besides a payment. A card that was saved after its payment also
 * turns on the renewal that the payment agreed to. A card that its owner removed at the provider is removed here, and
 * the renewal that charges it is turned off. Safe to repeat.
 */
export async function applyCardNotice(
  deps: RenewalDeps,
  gateway: string,
  purchase: Purchase | undefined,
  card: CardNotice,
): Promise<void> {
  if ('saved' in card) {
    if (purchase) await saveLateCard(deps, purchase, card.saved);
    return;
  }
  const removed = and(eq(savedCards.gateway, gateway), inArray(savedCards.token, [...card.removed]));
  for (const row of await deps.db.select().from(savedCards).where(removed)) await dropCard(deps, row);
}

async function saveLateCard(deps: RenewalDeps, purchase: Purchase, card: GatewayCard): Promise<void> {
  const { attempt } = purchase;
  const { renewPrice: price, gateway } = attempt;
  const now = deps.clock();
  if (attempt.state !== 'SUCCEEDED' || price === null)
    return scheduleCardRemoval(deps.db, [{ gateway, token: card.token }], now);
  const cardId = await saveCard(deps, attempt, card);
  if (cardId === null) return;
  const chosen = { subscriptionId: deps.random.id(), cardId, price };
  await deps.db.transaction(async (tx) => {
    if (await turnOnAfterPurchase(tx, purchase, chosen, now)) await confirmChoice(tx, attempt, deps, 'on');
  });
}

async function dropCard(deps: RenewalDeps, row: typeof savedCards.$inferSelect): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const held = await lockRenewal(tx, row, deps);
    await tx.delete(savedCards).where(eq(savedCards.cardId, row.cardId));
    if (held?.card?.cardId !== row.cardId) return;
    if (nextRenewalStatus(held.row.status, 'withdrawn')) await turnOff(tx, deps, held, { by: 'provider' });
    await updateSubscription(tx, held, deps.clock(), { cardId: null });
  });
}
