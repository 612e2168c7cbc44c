import { expect, test } from 'vitest';
import { stillMeans } from './action-bar.tsx';

const brl = (amount: number) => ({ amount, currency: 'BRL' });
const pix = { choice: 'pix', price: brl(1990), chargesAtOnce: false };
const card = { choice: 'card', price: brl(1990), chargesAtOnce: true };

test('creates the order after an early tap on "Pay with Pix", whatever the price is', () => {
  expect(stillMeans({ ...pix, price: undefined }, pix)).toBe(true);
  expect(stillMeans(pix, { ...pix, price: brl(1790) })).toBe(true);
});

test('replays a tap that charges a card only for the amount that was on the screen', () => {
  expect(stillMeans(card, card)).toBe(true);
  expect(stillMeans(card, { ...card, price: brl(2090) })).toBe(false);
  expect(stillMeans({ ...card, price: undefined }, card)).toBe(false);
});

test('never replays a tap for another method', () => {
  expect(stillMeans(pix, { ...card, choice: 'card' })).toBe(false);
});
