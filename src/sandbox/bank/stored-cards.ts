import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import * as v from 'valibot';
import { isCardExpired, parseCardExpiry, isCardNumber } from '#contract/card.ts';
import { paymentFailureOf, errorCode, type PaymentFailure } from '#contract/error-codes.ts';
import { sandboxCards } from '#sandbox/schema.ts';
import type { CardDetails, GatewayCard } from '#server/payments/gateway.ts';
import type { ChargeRequest } from '#sandbox/gateway/protocol.ts';
import type { Bank } from './bank.ts';

/** The behaviour of a stored card. The vault never stores its number, not even as a hash that could be brute-forced. */
const behaviourSchema = v.object({
  BRL: v.string(),
  other: v.string(),
  /** off-session, if different */
  away: v.optional(v.string()),
});

/** The owner of a stored card. One card of two customers has two tokens, so that each can be deleted separately. */
type Owner = Pick<ChargeRequest, 'brand' | 'customer'>;

/** Stores a card for a customer of a brand; the same card again gets the same token. */
export async function storeCard(bank: Bank, owner: Owner, card: CardDetails): Promise<GatewayCard | undefined> {
  const expiry = parseCardExpiry(card.expiry);
  if (!expiry) return undefined;
  const now = bank.clock();
  const away = offSessionAnswer(card);
  const row = {
    token: `tok_${bank.random.token(16)}`,
    mark: bank.random.token(16),
    cardBrand: cardBrandOf(card.number),
    last4: card.number.slice(-4),
    expiryMonth: expiry.month,
    expiryYear: expiry.year,
    codeDigits: card.code.length,
    does: {
      BRL: serializeAnswer(cardAnswer(card, 'BRL', now)),
      other: serializeAnswer(cardAnswer(card, 'USD', now)),
      ...(away && { away: serializeAnswer(away) }),
    },
  };
  const mark = fingerprintOf(owner, card);
  const [stored] = await bank.db
    .insert(sandboxCards)
    .values({ ...row, mark })
    // updates the expiry; the token stays, because the server has stored it
    .onConflictDoUpdate({
      target: sandboxCards.mark,
      set: { expiryMonth: row.expiryMonth, expiryYear: row.expiryYear, does: row.does },
    })
    .returning();
  return stored && toGatewayCard(stored);
}

/** What the server gets to know of a card. */
function toGatewayCard(stored: typeof sandboxCards.$inferSelect): GatewayCard {
  const { token, cardBrand: brand, last4, expiryMonth, expiryYear, codeDigits } = stored;
  return { token, brand, last4, expiryMonth, expiryYear, codeDigits };
}

/** The answer to a stored card, with a code (on-session) or without (off-session). */
export async function openGatewayCard(
  { db, clock }: Bank,
  { token, code }: NonNullable<ChargeRequest['savedCard']>,
  currency: string,
): Promise<OffSessionAnswer> {
  const [stored] = await db.select().from(sandboxCards).where(eq(sandboxCards.token, token)).limit(1);
  if (!stored) return { does: 'decline', error: 'invalidCard' };
  if (isCardExpired({ month: stored.expiryMonth, year: stored.expiryYear }, clock()))
    return { does: 'decline', error: 'cardExpired' };
  if (code !== undefined && code.length !== stored.codeDigits) return { does: 'decline', error: 'wrongCardCode' };
  const does = v.parse(behaviourSchema, stored.does);
  if (code === undefined && does.away !== undefined) return parseAnswer(does.away);
  return parseAnswer(currency === 'BRL' ? does.BRL : does.other);
}

/** Replaces a card as a card network does: other digits, another token; the old one is deleted. */
export async function replaceGatewayCard({ db, random }: Bank, token: string): Promise<GatewayCard | undefined> {
  const [old] = await db.delete(sandboxCards).where(eq(sandboxCards.token, token)).returning();
  if (!old) return undefined;
  const { BRL, other } = v.parse(behaviourSchema, old.does);
  const [replacement] = await db
    .insert(sandboxCards)
    .values({
      ...old,
      token: `tok_${random.token(16)}`,
      mark: random.token(16),
      last4: String((Number(old.last4) + 1) % 10_000).padStart(4, '0'),
      expiryYear: old.expiryYear + 3,
      does: { BRL, other },
    })
    .returning();
  return replacement && toGatewayCard(replacement);
}

/** Deletes a card. True if it is no longer stored. */
export async function removeStoredCard({ db }: Bank, token: string): Promise<boolean> {
  await db.delete(sandboxCards).where(eq(sandboxCards.token, token));
  return true;
}

/**
 * A key of this process only: card numbers cannot be brute-forced with it, and a restart only makes one card look like
 * two.
 */
const vaultKey = crypto.getRandomValues(new Uint8Array(32));

function fingerprintOf(
  { brand, customer = '' }: Owner,
  { number, holderFirstName, holderLastName }: CardDetails,
): string {
  return createHmac('sha256', vaultKey)
    .update(JSON.stringify([brand, customer, number, holderFirstName, holderLastName]))
    .digest('hex');
}

function serializeAnswer(answer: OffSessionAnswer): string {
  return answer.does === 'decline' ? `decline ${errorCode(answer.error)}` : answer.does;
}

const answerNames = [
  ...(['pay', 'challenge', 'payThenChargeBack', 'payThenLose', 'payThenWin'] as const),
  ...(['later', 'loseAnswer', 'outage', 'replace'] as const),
];

function parseAnswer(text: string): OffSessionAnswer {
  const name = answerNames.find((one) => one === text);
  if (name !== undefined) return { does: name };
  return { does: 'decline', error: paymentFailureOf(Number(text.slice('decline '.length))) };
}

/**
 * The bank's answer to a card. `challenge` first requires a confirmation on its page. The dispute of `payThenChargeBack`
 * stays open; the others are decided.
 */
type CardAnswer =
  | { readonly does: 'pay' }
  | { readonly does: 'payThenChargeBack' | 'payThenLose' | 'payThenWin' }
  | { readonly does: 'challenge' }
  | { readonly does: 'decline'; readonly error: PaymentFailure };

/**
 * The answer to a stored card that is charged off-session. `later` pays after a while and sends a notice, `loseAnswer`
 * pays without an answer, `outage` fails, `replace` pays with the card that the network issued instead.
 */
export type OffSessionAnswer =
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
  '4000000000000267': { does: 'payThenLose' },
  '4000000000000275': { does: 'payThenWin' },
};

/** Cards that pay on-session, and have another result for a renewal. */
const awayAnswers: Readonly<Record<string, OffSessionAnswer>> = {
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
function offSessionAnswer({ number }: Pick<CardDetails, 'number'>): OffSessionAnswer | undefined {
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
function cardBrandOf(number: string): string {
  return brands.find(([start]) => start.test(number))?.[1] ?? 'card';
}
