import { expect, test } from 'vitest';
import type { SavedCard } from '#contract/cards.ts';
import { cardToUse, newCard, savedCardsOf } from './use-cards.ts';

const card = (cardId: string, some: Partial<SavedCard> = {}): SavedCard => ({
  cardId,
  methodCode: 'card',
  brand: 'visa',
  last4: '4242',
  expiryMonth: 12,
  expiryYear: 2039,
  expired: false,
  usable: true,
  codeDigits: 3,
  ...some,
});

test('preselects the card used last, unless it has expired', () => {
  expect(cardToUse([card('a'), card('b')], undefined)?.cardId).toBe('a');
  expect(cardToUse([card('a', { expired: true }), card('b')], undefined)?.cardId).toBe('b');
  expect(cardToUse([card('a', { expired: true })], undefined)).toBeUndefined();
});

test('lets the customer type another card, and selects the next if the chosen one is deleted', () => {
  expect(cardToUse([card('a')], newCard)).toBeUndefined();
  expect(cardToUse([card('a'), card('b')], 'b')?.cardId).toBe('b');
  expect(cardToUse([card('a')], 'b')?.cardId).toBe('a');
  expect(cardToUse([], 'b')).toBeUndefined();
});

test('does not offer cards of another method, nor of a provider that the shop no longer uses', () => {
  const cards = [card('a'), card('b', { methodCode: 'card-abroad' }), card('c', { usable: false })];
  expect(savedCardsOf(cards, 'card').map((one) => one.cardId)).toEqual(['a']);
});
