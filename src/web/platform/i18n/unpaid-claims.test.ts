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
  'The payment didn’t go through': 'providerStated',
  'Nothing was charged, and we’ve kept your order.': 'providerStated',
  'You haven’t paid yet': 'providerStated',
  'You left the payment page without paying, and nothing was charged.': 'providerStated',
  'The payment wasn’t confirmed, and nothing was charged. Continue there or choose another method.': 'providerStated',
  'PayPal hasn’t made this payment yet. Continue there and choose another card or account if the first one didn’t work.':
    'providerStated',
  'mail.renewalRefused.intro': 'providerStated',
  'mail.renewalRefused.paypal': 'providerStated',
  'sms.renewal.refused': 'providerStated',
  'sms.renewal.refusedPaypal': 'providerStated',
  'mail.alert.refund.refused.intro': 'providerStated',
  'It was <0/>; now it’s <1><2/></1>. Nothing was charged. To accept, pay again.': 'notSent',
  'The payment was not accepted. Nothing was charged.': 'notSent',
  'You can no longer pay in this many installments. Nothing was charged. Please choose again.': 'notSent',
  'Nothing was charged. Here are the plans you can buy today.': 'notSent',
  'Nothing was ordered or charged. Please come back later, or see Help to contact us.': 'notSent',
  'Nothing was ordered or charged. You can pay the regular price without the coupon.': 'notSent',
  'We checked: this payment didn’t go through. You can pay again.': 'notSent',
  'Too many payment attempts. Nothing was charged. {0, plural, one {Try again in # hour.} other {Try again in # hours.}}':
    'notSent',
  'Too many payment attempts. Nothing was charged. {minutes, plural, one {Try again in # minute.} other {Try again in # minutes.}}':
    'notSent',
  'You pay in the next step. Nothing is charged yet.': 'beforePaying',
  'Enter your card on our payment provider’s page, then come back here. You won’t be charged for this.': 'beforePaying',
  'Log in to {name} and allow renewals there, then come back here. You won’t be charged for this.': 'beforePaying',
  'You pay nothing today. The first payment is on <0/>, with the card you choose.': 'beforePaying',
  'You won’t be charged again.': 'noRenewal',
  'Turning it off is free, and you won’t be charged again.': 'noRenewal',
  'Automatic renewal is off. You won’t be charged again.': 'noRenewal',
  'You won’t be charged again. To come back, choose a plan.': 'noRenewal',
  'You won’t be charged again. To come back, buy the plan again.': 'noRenewal',
  'If you stop it, you won’t be charged again, and you keep access until <0/>.': 'noRenewal',
  'No automatic charges.': 'noRenewal',
  'No automatic charges. This plan doesn’t offer automatic renewal.': 'noRenewal',
  'Always on: we always tell you before we charge your card.': 'noRenewal',
  'If you don’t accept, we won’t charge you, and your access ends with the time you’ve paid for.': 'noRenewal',
  'mail.renewalEnded.intro': 'noRenewal',
  'mail.renewalOff.nothing': 'noRenewal',
  'mail.withdrawal.renewal': 'noRenewal',
  'mail.renewalPrice.intro': 'noRenewal',
  'sms.renewal.asks': 'noRenewal',
  'sms.renewal.ended': 'noRenewal',
  'Until then you can log in, watch and keep your account with one tap. You won’t be charged, and you can’t buy anything. Automatic renewal stays off, even if you stay.':
    'deletionPending',
  'You can watch until then. We won’t charge you, and you can’t buy anything.': 'deletionPending',
  'In a week. Until then you can log in, watch and keep your account with one tap. You can’t buy anything, and you won’t be charged.':
    'deletionPending',
  'A renewal payment is with your bank and can’t be stopped. If it goes through, you can use the days it pays for as long as you keep the account. After that, nothing is charged.':
    'deletionPending',
  'mail.deletion.charging': 'deletionPending',
  'mail.deletion.meanwhile': 'deletionPending',
  'We can no longer check this payment with the provider, so we don’t know whether you were charged. If you were, we’ll credit it or refund it. You can pay for this order another way.':
    'claimsNothing',
  'If you left the payment page without paying, you can go back to it.': 'claimsNothing',
  'If you do nothing, the next payment won’t be made and your access will end.': 'claimsNothing',
  'We can’t cancel it right now, because we don’t know yet whether it’s been paid. Try again in a few minutes.':
    'claimsNothing',
  '{openOrders, plural, one {# unpaid order; money that arrives after the week is refunded} other {# unpaid orders; money that arrives after the week is refunded}}':
    'claimsNothing',
};

const states = [
  /\b(?:nothing|no money|never|not|without)\b[^.]{0,40}\b(?:charged?|paid|paying|taken from|debited)\b/i,
  /\b(?:did|does|has|have|was|were|is|will|wo) ?n(?:o|’)t\b[^.]{0,30}\b(?:go through|gone through|paid|made|charged?)\b/i,
];
/** Requests or forbids something and states nothing about money: "Please do not pay again". */
const requests =
  /\b(?:do(?:es)?(?: not|n’t)|can(?:not|’t)|can no longer|not) (?:have to )?(?:pay|be paid|use)\b|there’s nothing (?:more )?to pay|is not used up/i;

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
