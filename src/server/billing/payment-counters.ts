import { createHmac } from 'node:crypto';
import type { AttemptRow } from '#server/db/purchase-rows.ts';
import type { Deps } from '#server/deps.ts';
import type { Window } from '#server/runtime/limits/throttle.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import { networksOf } from '#server/runtime/request/network.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';
import type { PayBody } from './request-hash.ts';

export const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** A counter with what it calls for: from so many tries before this one on, a captcha, work of the device, or a wait. */
export interface Bound extends Window {
  readonly captcha?: number;
  readonly work?: number;
  readonly wait: number;
  /** beyond this many tries the operator is alerted of card testing */
  readonly alert?: number;
}

/**
 * [Note: Payment limits] Whoever has a list of stolen cards tries each with a small payment, and whoever has a saved card
 * without its code tries codes. So attempts and declines are counted by customer, card and network, and open orders by
 * customer. Too many call for a captcha as at the login, and far too many for a wait. While the provider is asked, a payment
 * counts at its customer and card as if it were declined, because a hundred that are sent at once would otherwise all be
 * let through before the first decline is known. A payment that succeeds clears the
 * declines of its customer and card, and does not count as an attempt. Carriers share one IPv4 address among thousands of
 * customers, so a network is never bound as narrowly as a customer.
 */
export const bounds = {
  attempts: { windowMs: hourMs, captcha: 10, wait: 30 },
  attemptsOfNetwork: { windowMs: hourMs, captcha: 300, work: 1000, wait: 3000 },
  /** in a row, because a success clears them */
  declines: { windowMs: dayMs, captcha: 3, wait: 20, alert: 20 },
  declinesOfHour: { windowMs: hourMs, wait: 10, alert: 10 },
  declinesOfCard: { windowMs: dayMs, captcha: 3, wait: 10, alert: 10 },
  declinesOfNetwork: { windowMs: hourMs, captcha: 100, work: 300, wait: 1000, alert: 100 },
} as const satisfies Record<string, Omit<Bound, 'key'>>;

/** A /48 is shared by several customers of one provider ([Note: Networks]). */
const wider = 10;

export type Owner = Pick<AttemptRow, 'brand' | 'uid'>;
export type Card = Pick<PayBody, 'card' | 'cardId'>;

export const keysOf = {
  declines: ({ brand, uid }: Owner) => `declines ${brand} ${uid}`,
  declinesOfHour: ({ brand, uid }: Owner) => `declines of an hour ${brand} ${uid}`,
  savedCard: (brand: string, cardId: string) => `declines of card ${brand} saved ${cardId}`,
};

/**
 * A typed card counts as an HMAC under a key of its own, so that nothing stored leads back to its number. The test cards of
 * a sandbox are everyone's, so there each customer has a count of their own.
 */
function cardKey({ env }: Pick<Deps, 'env'>, { brand, uid }: Owner, { card, cardId }: Card): string | undefined {
  if (cardId !== undefined) return keysOf.savedCard(brand, cardId);
  if (!card) return undefined;
  const mark = createHmac('sha256', derivedKey(env, 'declines of a card')).update(card.number).digest('base64url');
  return `declines of card ${brand} ${mark}${env.SANDBOX ? ` ${uid}` : ''}`;
}

function ofNetwork(what: string, ip: string, bound: Omit<Bound, 'key'>): Bound[] {
  const { near, wide } = networksOf(ip);
  const times = (count: number | undefined) => (count === undefined ? {} : { count: count * wider });
  const own = { ...bound, key: `${what} ${near}` };
  if (wide === undefined) return [own];
  const { count: captcha } = times(bound.captcha);
  const { count: work } = times(bound.work);
  const { count: alert } = times(bound.alert);
  const around = {
    key: `${what} ${wide}`,
    windowMs: bound.windowMs,
    wait: bound.wait * wider,
    ...(captcha !== undefined && { captcha }),
    ...(work !== undefined && { work }),
    ...(alert !== undefined && { alert }),
  };
  return [own, around];
}

export const attemptsOf = ({ brand, user, ip }: CustomerContext): Bound[] => [
  { ...bounds.attempts, key: `payments ${brand.code} ${user.uid}` },
  ...ofNetwork(`payments from ${brand.code}`, ip, bounds.attemptsOfNetwork),
];

/** What a decline of this payment is counted at: its customer, and the card. */
export function declinesOf({ deps, user }: CustomerContext, card: Card): Bound[] {
  const key = cardKey(deps, user, card);
  return key === undefined ? [] : [...declinesOfCustomer(user), { ...bounds.declinesOfCard, key }];
}

/** Its network is shared with others, so it counts there when it was declined, and not before. */
export const declinesFrom = ({ brand, ip }: CustomerContext): Bound[] =>
  ofNetwork(`declines from ${brand.code}`, ip, bounds.declinesOfNetwork);

export const declinesOfCustomer = (owner: Owner): Bound[] => [
  { ...bounds.declines, key: keysOf.declines(owner) },
  { ...bounds.declinesOfHour, key: keysOf.declinesOfHour(owner) },
];
