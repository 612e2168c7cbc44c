import type { PaymentFailure } from '#contract/error-codes.ts';
import { isCardExpired, isCardNumber, parseCardExpiry } from '#contract/card.ts';
import type { CardDetails } from '#server/payments/gateway.ts';

/** The bank's answer to a card. `challenge` first requires a confirmation on its page. */
export type CardAnswer =
  | { readonly does: 'pay' }
  | { readonly does: 'payThenChargeBack' }
  | { readonly does: 'challenge' }
  | { readonly does: 'decline'; readonly error: PaymentFailure };

/**
 * The answer to a stored card that is charged off-session. `later` pays after a while and sends a notice, `loseAnswer`
 * pays without an answer, `outage` fails, `replace` pays with the card that the network issued instead.
 */
export type AwayAnswer =
  | CardAnswer
  | { readonly does: 'later' }
  | { readonly does: 'loseAnswer' }
  | { readonly does: 'outage' }
  | { readonly does: 'replace' };

const pay: CardAnswer = { does: 'pay' };
const decline = (error: PaymentFailure): CardAnswer => ({ does: 'decline', error });

/** Card numbers with another result (README.md of the sandbox). Any other number with a valid check digit is paid. */
const answers: Readonly<Record<string, CardAnswer>> = {
  '4000000000000002': decline('cardRejected'),
  '4000000000009995': decline('insufficientFunds'),
  '4000000000000069': decline('cardExpired'),
  '4000000000000127': decline('wrongCardCode'),
  '4000000000000119': decline('paymentFailed'),
  '4000000000000341': decline('rejectedByBank'),
  '4000002500003155': { does: 'challenge' },
  '4000000000003220': { does: 'challenge' },
  '4000000000000259': { does: 'payThenChargeBack' },
};

/** Cards that pay on-session, and have another result for a renewal. */
const awayAnswers: Readonly<Record<string, AwayAnswer>> = {
  '4000000000003014': decline('cardRejected'),
  '4000000000003022': decline('insufficientFunds'),
  '4000000000003097': decline('cardExpired'),
  '4000000000004012': { does: 'challenge' },
  '4000000000002024': { does: 'later' },
  '4000000000005043': { does: 'loseAnswer' },
  '4000000000005035': { does: 'outage' },
  '4000000000002057': { does: 'replace' },
};

/** Undefined for a card with the same result on- and off-session. */
export function awayAnswer({ number }: Pick<CardDetails, 'number'>): AwayAnswer | undefined {
  return awayAnswers[number];
}

/** Hipercard and Elo are Brazilian cards and pay in BRL only. */
const onlyBrl = /^(606282|506723)/;
const amex = /^3[47]/;

/** `now` is epoch milliseconds. */
export function cardAnswer(card: CardDetails, currency: string, now: number): CardAnswer {
  const expiry = parseCardExpiry(card.expiry);
  if (!isCardNumber(card.number)) return decline('wrongCardNumber');
  if (!expiry || isCardExpired(expiry, now)) return decline('cardExpired');
  if (card.code.length !== (amex.test(card.number) ? 4 : 3)) return decline('wrongCardCode');
  if (onlyBrl.test(card.number) && currency !== 'BRL') return decline('cardRejected');
  return answers[card.number] ?? pay;
}

const brands: readonly (readonly [RegExp, string])[] = [
  [/^(606282|3841)/, 'hipercard'],
  [/^(506723|4011|4389|4514|4576|5041|5067|509|6277|6362|6363|650|6516|6550)/, 'elo'],
  [/^3[47]/, 'amex'],
  [/^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/, 'mastercard'],
  [/^4/, 'visa'],
];

/** The scheme of a card, by its first digits; `card` if unknown. */
export function cardBrandOf(number: string): string {
  return brands.find(([start]) => start.test(number))?.[1] ?? 'card';
}
