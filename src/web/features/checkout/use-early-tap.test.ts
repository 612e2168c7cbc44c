import { expect, test } from 'vitest';
import type { SavedCard } from '#contract/cards.ts';
import { choiceOf, isTapStillValid } from './action-bar.tsx';

const brl = (amount: number) => ({ amount, currency: 'BRL' });
const pix = { choice: 'pix', price: brl(1990), chargesAtOnce: false };
const card = { choice: 'card', price: brl(1990), chargesAtOnce: true };

test('creates the order after an early tap on "Pay with Pix", whatever the price is', () => {
  expect(isTapStillValid({ ...pix, price: undefined }, pix)).toBe(true);
  expect(isTapStillValid(pix, { ...pix, price: brl(1790) })).toBe(true);
});

test('replays a tap that charges a card only for the amount that was on the screen', () => {
  expect(isTapStillValid(card, card)).toBe(true);
  expect(isTapStillValid(card, { ...card, price: brl(2090) })).toBe(false);
  expect(isTapStillValid({ ...card, price: undefined }, card)).toBe(false);
});

test('never replays a tap for another method', () => {
  expect(isTapStillValid(pix, { ...card, choice: 'card' })).toBe(false);
});

test('never replays a tap after a saved card, renewal, a coupon or installments came that were not on the screen', () => {
  const input = { planId: 'p1', methodCode: 'card-page', currency: 'BRL' };
  const purchase = { input, installments: 1, renewal: { offer: null, chosen: false, goesOn: false } };
  const saved = { cardId: 'c1', methodCode: 'card-page' } as SavedCard; // as: only the ID is compared
  const tapped = choiceOf(purchase, { saved: undefined });
  expect(choiceOf({ ...purchase }, { saved: undefined })).toBe(tapped);
  const changed = [
    choiceOf(purchase, { saved }),
    choiceOf({ ...purchase, renewal: { ...purchase.renewal, chosen: true } }, { saved: undefined }),
    choiceOf({ ...purchase, input: { ...input, discountCode: 'WELCOME' } }, { saved: undefined }),
    choiceOf({ ...purchase, installments: 3 }, { saved: undefined }),
  ];
  for (const choice of changed) expect(isTapStillValid({ ...pix, choice: tapped }, { ...pix, choice })).toBe(false);
});
