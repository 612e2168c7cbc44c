import * as contract from '#contract/cards.ts';
import * as payer from '#contract/payer.ts';
import type { deleteCard } from '#contract/cards.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import { bind, type Handler } from '#server/runtime/request/bind.ts';
import { isCharged } from '../subscriptions/lock-renewal.ts';
import { forgetPayer, ownPayer } from './payer.ts';
import { scheduleCardRemoval } from './save-card.ts';
import { ownCards, ownedCard } from './own-cards.ts';

/**
 * Forgets a card at its gateway first: a token that nobody here knows any more could not be forgotten later.
 * `deleteCardFailed` when the gateway cannot be reached; then the card is still in the list, and deleting it again works. A
 * gateway that this shop has no longer cannot be asked at all: the token is left to be forgotten there, and the card goes.
 */
const handleDeleteCard: Handler<typeof deleteCard> = async ({ body }, context) => {
  const { db, gateways, clock } = context.deps;
  const [row] = await db.select().from(savedCards).where(ownedCard(context, body.cardId)).limit(1);
  if (!row) return context.refuse('savedCardNotFound');
  if (await isCharged(db, context.user, row.cardId)) return context.refuse('cardRenews');
  const gateway = gatewayOf(gateways, row.gateway);
  if (gateway && !(await gateway.removeStoredCard?.(row.token))) return context.refuse('deleteCardFailed');
  await db.transaction(async (tx) => {
    if (!gateway) await scheduleCardRemoval(tx, [{ gateway: row.gateway, token: row.token }], clock());
    await tx.delete(savedCards).where(ownedCard(context, body.cardId));
  });
  return {};
};

export const cardHandlers = {
  listCard: bind(contract.listCard, (_, context) => ownCards(context)),
  deleteCard: bind(contract.deleteCard, handleDeleteCard),
  ownPayer: bind(payer.ownPayer, ownPayer),
  forgetPayer: bind(payer.forgetPayer, forgetPayer),
};
