import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { languages } from '#contract/fields.ts';

/**
 * Why a message may state that nothing was, is or will be charged. A message without such a reason must not claim it: a
 * payment whose provider has not reported the outcome may have been paid.
 */
type Known =
  /** the provider's answer: nothing was paid on its page, or this attempt has failed and cannot be charged any more */
  | 'providerStated'
  /** the request was refused, or never sent, before any provider was called */
  | 'notSent'
  /** this screen sends nothing to a provider, or only on the next screen */
  | 'beforePaying'
  /** no renewal is active, or none is charged without the customer's consent */
  | 'noRenewal'
  /** a deletion is pending, which refuses purchases and charges */
  | 'deletionPending'
  /** it states that the outcome is unknown, or only a condition */
  | 'claimsNothing';

const claims: Readonly<Record<string, Known>> = {
  'The payment did not go through': 'providerStated',
  'Nothing was charged, and your order is kept.': 'providerStated',
  'You have not paid yet': 'providerStated',
  'You left the payment page without paying, and nothing was charged.': 'providerStated',
  'The payment has not been confirmed, and nothing was charged. Continue there, or choose another way.':
    'providerStated',
  'Your PayPal has not paid this yet. Continue there, and choose another card or account if the first one could not pay.':
    'providerStated',
  'mail.renewalRefused.intro': 'providerStated',
  'sms.renewal.refused': 'providerStated',
  'It was <0/> and is now <1><2/></1>. Nothing was charged. To accept it, pay again.': 'notSent',
  'The payment was not accepted. Nothing was charged.': 'notSent',
  'This can no longer be paid in so many installments. Nothing was charged. Please choose again.': 'notSent',
  'Nothing was charged. These are the plans that you can buy today.': 'notSent',
  'Nothing was ordered and nothing was charged. Please come back later; Help says how to reach us.': 'notSent',
  'Nothing was ordered and nothing was charged. Without the coupon you can pay the regular price.': 'notSent',
  'We have checked: this payment did not go through. You can pay again.': 'notSent',
  'There were too many attempts to pay. Nothing was charged. {0, plural, one {You can try again in # hour.} other {You can try again in # hours.}}':
    'notSent',
  'There were too many attempts to pay. Nothing was charged. {minutes, plural, one {You can try again in # minute.} other {You can try again in # minutes.}}':
    'notSent',
  'You pay on the next step. Nothing is charged yet.': 'beforePaying',
  'You type your card at our payment provider and come back here. Nothing is charged for that.': 'beforePaying',
  'Nothing is charged today. The first payment is on <0/>, by the card that you choose.': 'beforePaying',
  'Your card is not charged again.': 'noRenewal',
  'Turning it off costs nothing, and your card is not charged again.': 'noRenewal',
  'Automatic renewal is off. Your card is not charged again.': 'noRenewal',
  'Nothing is charged any more. To come back, choose a plan.': 'noRenewal',
  'Nothing is charged any more. To come back, buy the plan again.': 'noRenewal',
  'If you stop it, nothing more is charged, and you keep your access until <0/>.': 'noRenewal',
  'Nothing is charged by itself.': 'noRenewal',
  'Nothing is charged by itself. Automatic renewal is not offered for this plan.': 'noRenewal',
  'Always on: nothing is charged to your card without a word to you before.': 'noRenewal',
  'Without your yes nothing is charged, and your access ends with what you have paid for.': 'noRenewal',
  'mail.renewalEnded.intro': 'noRenewal',
  'mail.renewalOff.nothing': 'noRenewal',
  'mail.withdrawal.renewal': 'noRenewal',
  'mail.renewalPrice.intro': 'noRenewal',
  'sms.renewal.asks': 'noRenewal',
  'sms.renewal.ended': 'noRenewal',
  'Until then you can log in and watch, and keep your account by one tap. Nothing is charged, and nothing can be bought. A renewal stays off, also when you stay.':
    'deletionPending',
  'Until then you can watch. Nothing is charged, and nothing can be bought.': 'deletionPending',
  'In a week. Until then you can log in, watch, and keep your account by one tap. You cannot buy anything, and nothing is charged.':
    'deletionPending',
  'One payment of your renewal is at your bank now and cannot be stopped. If it comes through, its days are yours for as long as you keep the account; after it nothing is charged.':
    'deletionPending',
  'mail.deletion.charging': 'deletionPending',
  'mail.deletion.meanwhile': 'deletionPending',
  'We can no longer ask the provider of this payment, so we do not know whether you were charged. If you were, we credit it or refund it. You can pay this order in another way.':
    'claimsNothing',
  'If you left the payment page without paying, you can go back to it.': 'claimsNothing',
  'We cannot cancel it at the moment, because we do not know yet whether it has been paid. Please try again in a few minutes.':
    'claimsNothing',
  '{openOrders, plural, one {# order that is not paid yet; money that comes after the week is refunded} other {# orders that are not paid yet; money that comes after the week is refunded}}':
    'claimsNothing',
};

const states = [
  /\b(?:nothing|no money|never|not|without)\b[^.]{0,40}\b(?:charged?|paid|paying|taken from|debited)\b/i,
  /\b(?:did|does|has|was|were|is) ?n[o']t\b[^.]{0,30}\b(?:go through|gone through|paid|charged?)\b/i,
];
/** Requests or forbids something and states nothing about money: "Please do not pay again". */
const requests =
  /\b(?:do(?:es)? not|cannot|can no longer|not) (?:have to )?(?:pay|be paid|use)\b|there is nothing (?:more )?to pay|is not used up|Nothing can be paid/i;

const catalogues = ['', '/private', '/server'];

/** The English messages of a catalogue by their id. */
function sentencesOf(catalogue: string): [id: string, sentence: string][] {
  const file = catalogue === '' ? 'locales/en.po' : `locales${catalogue}/en.po`;
  const entries = readFileSync(file, 'utf8').matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm);
  return [...entries].map(([, id = '', sentence = '']) => [id, sentence]);
}

const all = catalogues.flatMap(sentencesOf);
const isClaim = (sentence: string) => states.some((state) => state.test(sentence)) && !requests.test(sentence);

test('every message that something was not paid is shown in a state in which that is known', () => {
  const found = all.filter(([id, sentence]) => isClaim(sentence) || id in claims).map(([id]) => id);
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(claims).toSorted());
});

test('messages of pending, expired and cancelled payments claim nothing about money', () => {
  const open = all
    .map(([, sentence]) => sentence)
    .filter((sentence) =>
      /checking your payment|asking how|time to pay|has expired|order is closed|provider confirms/i.test(sentence),
    );
  expect(open.length).toBeGreaterThan(5);
  expect(open.filter(isClaim)).toEqual([]);
});

test('every language has these messages', () => {
  const files = languages.flatMap((language) =>
    catalogues.map((part) =>
      readFileSync(part === '' ? `locales/${language}.po` : `locales${part}/${language}.po`, 'utf8'),
    ),
  );
  for (const id of Object.keys(claims)) {
    expect(
      files.filter((text) => text.includes(`msgid "${id}"\n`)),
      id,
    ).toHaveLength(languages.length);
  }
});
