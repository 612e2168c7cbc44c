import * as contract from '#contract/cards.ts';
import * as payer from '#contract/payer.ts';
import type { deleteCard } from '#contract/cards.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import { bind, type Handler } from '#server/runtime/request/request-context.ts';
import { isRenewalCard } from '../subscriptions/lock-renewal.ts';
import { forgetPayer, ownPayer } from './payer.ts';
import { scheduleCardRemoval } from './save-card.ts';
import { ownCards, ownedCard } from './own-cards.ts';

/**
 * Removes a card at its gateway first, because a token that is deleted here could not be removed there later.
 * `deleteCardFailed`: the gateway cannot be reached; the card stays in the list, and the customer can delete it again.
 * If the gateway is not installed any more, its removal is scheduled, and the card is deleted.
 */
const handleDeleteCard: Handler<typeof deleteCard> = async ({ body }, context) => {
  const { db, gateways, clock } = context.deps;
  const [row] = await db.select().from(savedCards).where(ownedCard(context, body.cardId)).limit(1);
  if (!row) return context.refuse('savedCardNotFound');
  if (await isRenewalCard(db, context.user, row.cardId)) return context.refuse('cardRenews');
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
