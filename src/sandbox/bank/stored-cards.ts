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
  return stored && { ...stored, brand: stored.cardBrand };
}

/** The answer to a stored card, with a code (on-session) or without (off-session). */
export async function openGatewayCard(
  { db, clock }: Bank,
  { token, code }: NonNullable<ChargeRequest['savedCard']>,
  currency: string,
): Promise<AwayAnswer> {
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
  return replacement && { ...replacement, brand: replacement.cardBrand };
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

function serializeAnswer(answer: AwayAnswer): string {
  return answer.does === 'decline' ? `decline ${errorCode(answer.error)}` : answer.does;
}

const answerNames = ['pay', 'challenge', 'payThenChargeBack', 'later', 'loseAnswer', 'outage', 'replace'] as const;

function parseAnswer(text: string): AwayAnswer {
  const name = answerNames.find((one) => one === text);
  if (name !== undefined) return { does: name };
  return { does: 'decline', error: paymentFailureOf(Number(text.slice('decline '.length))) };
}
