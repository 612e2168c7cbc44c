import type { deleteCard } from '../../contract/cards.ts';
import { refuse } from '../api-error.ts';
import { savedCards } from '../db/schema.ts';
import type { Handler } from '../mount.ts';
import { ownedCard } from './own-cards.ts';

/**
 * Forgets a card at its gateway first: a token that nobody here knows any more could not be forgotten later. 1022 when
 * the gateway cannot be reached; then the card is still in the list, and deleting it again works.
 */
export const handleDeleteCard: Handler<typeof deleteCard> = async ({ body }, context) => {
  const { db, gateways } = context.deps;
  const [row] = await db.select().from(savedCards).where(ownedCard(context, body.cardId)).limit(1);
  if (!row) refuse(-2511);
  if (!(await gateways[row.gateway]?.forgetCard(row.token))) refuse(1022);
  await db.delete(savedCards).where(ownedCard(context, body.cardId));
  return {};
};
