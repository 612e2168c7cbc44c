import type { SavedCard } from '../../../../contract/cards.ts';

/** The choice of a card that is not saved. No id looks like this. */
export const newCard = 'new';

export function savedCardsOf(cards: readonly SavedCard[], methodCode: string): SavedCard[] {
  return cards.filter((card) => card.methodCode === methodCode);
}

/**
 * The card that is paid by: the chosen one while it is there and works, before any choice the one used last; undefined
 * for a new card.
 */
export function cardToUse(cards: readonly SavedCard[], choice: string | undefined): SavedCard | undefined {
  if (choice === newCard) return undefined;
  const usable = cards.filter((card) => !card.expired);
  return usable.find((card) => card.cardId === choice) ?? usable[0];
}
