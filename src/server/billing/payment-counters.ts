import { createHmac } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import type { AttemptRow } from '#server/db/purchase-rows.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import type { Deps } from '#server/deps.ts';
import { clearAllTries, type CounterWindow } from '#server/runtime/limits/throttle.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import { networksOf } from '#server/runtime/request/network.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';
import type { PayBody } from './request-hash.ts';

export const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** A counter and its limits: from this many attempts on, a captcha, proof of work, or a wait is required. */
export interface CounterLimits extends CounterWindow {
  readonly captcha?: number;
  readonly work?: number;
  readonly wait: number;
  /** beyond this many tries the operator is alerted of card testing */
  readonly alert?: number;
}

/**
 * Limits against card testing: attackers try lists of stolen cards with small payments, or security codes of a saved
 * card. Attempts and declines are counted by customer, card and network, and open orders by customer. Too many require
 * a captcha, far more a wait.
 * Until the provider answers, a payment counts as declined for its customer and card; otherwise a hundred parallel
 * payments would all pass before the first decline. A successful payment clears the declines of its customer and card,
 * and does not count as an attempt. Carriers share one IPv4 address among thousands of customers, so limits of a
 * network are much higher.
 */
export const counterLimits = {
  attempts: { windowMs: hourMs, captcha: 10, wait: 30 },
  attemptsOfNetwork: { windowMs: hourMs, captcha: 300, work: 1000, wait: 3000 },
  /** consecutive: a success clears them */
  declines: { windowMs: dayMs, captcha: 3, wait: 20, alert: 20 },
  declinesOfHour: { windowMs: hourMs, wait: 10, alert: 10 },
  declinesOfCard: { windowMs: dayMs, captcha: 3, wait: 10, alert: 10 },
  declinesOfNetwork: { windowMs: hourMs, captcha: 100, work: 300, wait: 1000, alert: 100 },
} as const satisfies Record<string, Omit<CounterLimits, 'key'>>;

/** A /48 is shared by several customers of one provider ([Note: Networks]). */
const widerFactor = 10;

export type Owner = Pick<AttemptRow, 'brand' | 'uid'>;
export type Card = Pick<PayBody, 'card' | 'cardId'>;

export const keysOf = {
  attempts: ({ brand, uid }: Owner) => `payments ${brand} ${uid}`,
  /** cards that are saved without a payment */
  cards: ({ brand, uid }: Owner) => `cards ${brand} ${uid}`,
  cardVisits: ({ brand, uid }: Owner) => `refused card visits ${brand} ${uid}`,
  declines: ({ brand, uid }: Owner) => `declines ${brand} ${uid}`,
  declinesOfHour: ({ brand, uid }: Owner) => `declines of an hour ${brand} ${uid}`,
  savedCard: (brand: string, cardId: string) => `declines of card ${brand} saved ${cardId}`,
};

/**
 * A typed card is counted by an HMAC with its own key, so that nothing stored leads back to its number. In a sandbox
 * all customers use the same test cards, so the key includes the customer.
 */
function cardKey({ env }: Pick<Deps, 'env'>, { brand, uid }: Owner, { card, cardId }: Card): string | undefined {
  if (cardId !== undefined) return keysOf.savedCard(brand, cardId);
  if (!card) return undefined;
  const cardHash = createHmac('sha256', derivedKey(env, 'declines of a card')).update(card.number).digest('base64url');
  return `declines of card ${brand} ${cardHash}${env.SANDBOX ? ` ${uid}` : ''}`;
}

function ofNetwork(what: string, ip: string, bound: Omit<CounterLimits, 'key'>): CounterLimits[] {
  const { near, wide } = networksOf(ip);
  const times = (count: number | undefined) => (count === undefined ? {} : { count: count * widerFactor });
  const own = { ...bound, key: `${what} ${near}` };
  if (wide === undefined) return [own];
  const { count: captcha } = times(bound.captcha);
  const { count: work } = times(bound.work);
  const { count: alert } = times(bound.alert);
  const around = {
    key: `${what} ${wide}`,
    windowMs: bound.windowMs,
    wait: bound.wait * widerFactor,
    ...(captcha !== undefined && { captcha }),
    ...(work !== undefined && { work }),
    ...(alert !== undefined && { alert }),
  };
  return [own, around];
}

export const attemptsOf = ({ brand, user, ip }: CustomerContext): CounterLimits[] => [
  { ...counterLimits.attempts, key: keysOf.attempts(user) },
  ...ofNetwork(`payments from ${brand.code}`, ip, counterLimits.attemptsOfNetwork),
];

/** The counters that a decline of this payment increments: its customer and the card. */
export function declinesOf({ deps, user }: CustomerContext, card: Card): CounterLimits[] {
  const key = cardKey(deps, user, card);
  return key === undefined ? [] : [...declinesOfCustomer(user), { ...counterLimits.declinesOfCard, key }];
}

/** A network is shared by several customers, so a payment counts there only once it is declined. */
export const declinesFrom = ({ brand, ip }: CustomerContext): CounterLimits[] =>
  ofNetwork(`declines from ${brand.code}`, ip, counterLimits.declinesOfNetwork);

export const declinesOfCustomer = (owner: Owner): CounterLimits[] => [
  { ...counterLimits.declines, key: keysOf.declines(owner) },
  { ...counterLimits.declinesOfHour, key: keysOf.declinesOfHour(owner) },
];

/**
 * Ends the captchas and waits of a customer, and those of their saved cards. Returns whether there were any. A typed
 * card keeps its count: nothing stored leads back to it.
 */
export async function endPaymentWaits(db: Database, owner: Owner): Promise<boolean> {
  const saved = await db
    .select({ cardId: savedCards.cardId })
    .from(savedCards)
    .where(and(eq(savedCards.brand, owner.brand), eq(savedCards.uid, owner.uid)));
  const own = [keysOf.attempts, keysOf.cards, keysOf.cardVisits, keysOf.declines, keysOf.declinesOfHour];
  const ended = [
    ...own.map((keyOf) => keyOf(owner)),
    ...saved.map(({ cardId }) => keysOf.savedCard(owner.brand, cardId)),
  ];
  return (await clearAllTries(db, ended)) > 0;
}
