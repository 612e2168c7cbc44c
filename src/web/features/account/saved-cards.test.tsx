import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { SavedCard } from '#contract/cards.ts';
import type { RenewalInfo } from '#contract/renewal.ts';
import { MessagesProvider } from '#web/platform/i18n/messages-provider.tsx';
import { createI18n } from '#web/platform/i18n/active.ts';
import { renewalOf, UsedByRenewal } from './saved-cards.tsx';

const card: SavedCard = {
  cardId: 'card-1',
  methodCode: 'card',
  brand: 'visa',
  last4: '4242',
  expiryMonth: 12,
  expiryYear: 2030,
  expired: false,
  usable: true,
  codeDigits: 3,
};
const at = Date.UTC(2026, 11, 25, 12);

const infoOf = (status: RenewalInfo['status'], graceUntil: number | null = null): RenewalInfo => ({
  status,
  terms: {
    planId: '101',
    planName: 'Monthly',
    price: { amount: 1990, currency: 'BRL' },
    days: 30,
    nextChargeAt: at,
  },
  asks: null,
  card,
  cardLeft: false,
  cardEndsBefore: false,
  endsAt: null,
  graceUntil,
  offered: true,
  history: [],
});

const text = (info: RenewalInfo) =>
  renderToStaticMarkup(
    <MessagesProvider i18n={createI18n('en', {})}>
      <UsedByRenewal {...info} />
    </MessagesProvider>,
  ).replaceAll(/<[^>]+>/g, '');

test('finds the renewal of its card only while it charges the card', () => {
  for (const status of ['on', 'pastDue', 'renewing'] as const) expect(renewalOf(card, infoOf(status))).toBeDefined();
  for (const status of ['off', 'ended'] as const) expect(renewalOf(card, infoOf(status))).toBeUndefined();
  expect(renewalOf({ ...card, cardId: 'card-2' }, infoOf('on'))).toBeUndefined();
  expect(renewalOf(card, undefined)).toBeUndefined();
});

test('shows the plan and the next payment of the card', () => {
  expect(text(infoOf('on'))).toMatch(/^Renews Monthly\. Next payment: .*25.*2026/);
  expect(text(infoOf('pastDue'))).toMatch(/^Renews Monthly\. Next try: .*25/);
  expect(text(infoOf('pastDue', at))).toBe('Renews Monthly');
  expect(text(infoOf('renewing'))).toBe('Renews Monthly');
});
