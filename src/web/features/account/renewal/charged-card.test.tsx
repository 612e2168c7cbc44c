import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { SavedCard } from '#contract/cards.ts';
import type { RenewalInfo } from '#contract/renewal.ts';
import { MessagesProvider } from '#web/platform/i18n/messages-provider.tsx';
import { createI18n } from '#web/platform/i18n/active.ts';
import { cardChangeMessage, UseCardLabel } from './change-card.tsx';

const i18n = createI18n('en', {});
/** Amounts and card names contain no-break spaces. */
const spaced = (text: string) => text.replaceAll(/[\u00A0\u202F]/g, ' ');

const visa: SavedCard = {
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

function infoOf(status: RenewalInfo['status'], amount = 1990): RenewalInfo {
  return {
    status,
    terms: { planId: '101', planName: 'Monthly', price: { amount, currency: 'BRL' }, days: 30, nextChargeAt: 0 },
    asks: null,
    card: visa,
    cardLeft: false,
    cardEndsBefore: false,
    endsAt: null,
    graceUntil: null,
    offered: true,
    history: [],
  };
}

const button = (info: RenewalInfo) =>
  renderToStaticMarkup(
    <MessagesProvider i18n={i18n}>
      <UseCardLabel info={info} />
    </MessagesProvider>,
  ).replaceAll(/<[^>]+>/g, '');

const said = (before: RenewalInfo, after: RenewalInfo) => {
  const { tone, words } = cardChangeMessage(before, after);
  return { tone, text: spaced(words(i18n)) };
};

test('names the amount on the button only if the card is charged at once', () => {
  expect(button(infoOf('pastDue'))).toBe('Pay R$19.90 with this card');
  for (const status of ['on', 'off', 'renewing', 'ended'] as const)
    expect(button(infoOf(status))).toBe('Use this card');
});

test('shows the charged amount and card', () => {
  expect(said(infoOf('pastDue'), infoOf('on'))).toEqual({
    tone: 'success',
    text: 'We charged R$19.90 to Visa •••• 4242, and your plan continues.',
  });
});

test('does not call an amount paid while it is being charged', () => {
  const { tone, text } = said(infoOf('pastDue'), infoOf('renewing'));
  expect(tone).toBe('success');
  expect(text).toBe('We’re charging R$19.90 to Visa •••• 4242. Your renewal continues once it’s paid.');
});

test('shows that the new card was refused, too, until the renewal changes', () => {
  const refused = cardChangeMessage(infoOf('pastDue'), infoOf('pastDue'));
  expect(refused).toMatchObject({ tone: 'danger', whileStatus: 'pastDue' });
  expect(spaced(refused.words(i18n))).toBe(
    'The payment with Visa •••• 4242 was declined, too. Choose another payment method.',
  );
});

test('does not call a PayPal account a card', () => {
  const byAccount = { ...infoOf('pastDue'), card: { ...visa, brand: 'paypal', account: 'ana@example.com' } };
  for (const status of ['pastDue', 'renewing', 'on', 'off'] as const) {
    const { text } = said(byAccount, { ...byAccount, status });
    expect(text).toContain('PayPal ana@example.com');
    expect(text).not.toMatch(/card/i);
  }
});

test('shows the next payment with its date if nothing is charged', () => {
  expect(said(infoOf('on'), infoOf('on'))).toEqual({
    tone: 'success',
    text:
      'From now on we charge your renewal to Visa •••• 4242: R$19.90 on January 1, 1970. ' +
      'You can turn it off here at any time.',
  });
  expect(said(infoOf('off'), infoOf('off')).text).toBe('From now on we charge your renewal to Visa •••• 4242.');
});
