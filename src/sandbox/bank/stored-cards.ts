import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import * as v from 'valibot';
import { isCardExpired, parseCardExpiry } from '#contract/card.ts';
import { paymentFailureOf, errorCode } from '#contract/error-codes.ts';
import { sandboxCards } from '../schema.ts';
import type { CardDetails, GatewayCard } from '#server/payments/gateway.ts';
import type { ChargeRequest } from '../gateway/protocol.ts';
import type { Bank } from './bank.ts';
import { awayAnswer, cardAnswer, cardBrandOf, type AwayAnswer } from './card-answers.ts';

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
  const away = awayAnswer(card);
  const row = {
    token: `tok_${bank.random.token(16)}`,
    mark: bank.random.token(16),
    cardBrand: cardBrandOf(card.number),
    last4: card.number.slice(-4),
    expiryMonth: expiry.month,
    expiryYear: expiry.year,
    codeDigits: card.code.length,
    does: {
      BRL: spell(cardAnswer(card, 'BRL', now)),
      other: spell(cardAnswer(card, 'USD', now)),
      ...(away && { away: spell(away) }),
    },
  };
  const mark = markOf(owner, card);
  const [kept] = await bank.db
    .insert(sandboxCards)
    .values({ ...row, mark })
    // updates the expiry; the token stays, because the server has stored it
    .onConflictDoUpdate({
      target: sandboxCards.mark,
      set: { expiryMonth: row.expiryMonth, expiryYear: row.expiryYear, does: row.does },
    })
    .returning();
  return kept && { ...kept, brand: kept.cardBrand };
}

/** The answer to a stored card, with a code (on-session) or without (off-session). */
export async function openGatewayCard(
  { db, clock }: Bank,
  { token, code }: NonNullable<ChargeRequest['savedCard']>,
  currency: string,
): Promise<AwayAnswer> {
  const [kept] = await db.select().from(sandboxCards).where(eq(sandboxCards.token, token)).limit(1);
  if (!kept) return { does: 'decline', error: 'invalidCard' };
  if (isCardExpired({ month: kept.expiryMonth, year: kept.expiryYear }, clock()))
    return { does: 'decline', error: 'cardExpired' };
  if (code !== undefined && code.length !== kept.codeDigits) return { does: 'decline', error: 'wrongCardCode' };
  const does = v.parse(behaviourSchema, kept.does);
  if (code === undefined && does.away !== undefined) return read(does.away);
  return read(currency === 'BRL' ? does.BRL : does.other);
}

/** Replaces a card as a card network does: other digits, another token; the old one is deleted. */
export async function replaceGatewayCard({ db, random }: Bank, token: string): Promise<GatewayCard | undefined> {
  const [old] = await db.delete(sandboxCards).where(eq(sandboxCards.token, token)).returning();
  if (!old) return undefined;
  const { BRL, other } = v.parse(behaviourSchema, old.does);
  const [made] = await db
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
  return made && { ...made, brand: made.cardBrand };
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

function markOf({ brand, customer = '' }: Owner, { number, holderFirstName, holderLastName }: CardDetails): string {
  return createHmac('sha256', vaultKey)
    .update(JSON.stringify([brand, customer, number, holderFirstName, holderLastName]))
    .digest('hex');
}

function spell(answer: AwayAnswer): string {
  return answer.does === 'decline' ? `decline ${errorCode(answer.error)}` : answer.does;
}

const words = ['pay', 'challenge', 'payThenChargeBack', 'later', 'loseAnswer', 'outage', 'replace'] as const;

function read(text: string): AwayAnswer {
  const word = words.find((one) => one === text);
  if (word !== undefined) return { does: word };
  return { does: 'decline', error: paymentFailureOf(Number(text.slice('decline '.length))) };
}
