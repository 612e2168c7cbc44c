import { createHmac } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { errorEntry } from '../../contract/error-codes.ts';
import { payerOfCaptcha, type GivenCaptcha } from '../captcha/captcha-owner.ts';
import { proves, refuseUnproven, type Proof } from '../captcha/ticket.ts';
import type { AttemptRow } from '../db/purchase-rows.ts';
import { isOpenOrder, orders } from '../db/schema/orders.ts';
import type { Deps } from '../deps.ts';
import {
  countTries,
  forgetAllTries,
  giveBackTries,
  secondsUntil,
  type Counted,
  type Window,
} from '../limits/throttle.ts';
import { alertOperator } from '../messages/operator-alerts.ts';
import { derivedKey } from '../process/signing-secret.ts';
import { refuse } from '../request/api-error.ts';
import { networksOf } from '../request/network.ts';
import type { CustomerContext } from '../request/request-context.ts';
import { ownedBy } from './own-orders.ts';
import type { PayBody } from './request-hash.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** A counter with what it calls for: from so many tries before this one on, a captcha, work of the device, or a wait. */
interface Bound extends Window {
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
const bounds = {
  attempts: { windowMs: hourMs, captcha: 10, wait: 30 },
  attemptsOfNetwork: { windowMs: hourMs, captcha: 300, work: 1000, wait: 3000 },
  /** in a row, because a success clears them */
  declines: { windowMs: dayMs, captcha: 3, wait: 20, alert: 20 },
  declinesOfHour: { windowMs: hourMs, wait: 10, alert: 10 },
  declinesOfCard: { windowMs: dayMs, captcha: 3, wait: 10, alert: 10 },
  declinesOfNetwork: { windowMs: hourMs, captcha: 100, work: 300, wait: 1000, alert: 100 },
} as const satisfies Record<string, Omit<Bound, 'key'>>;

const openOrders = { captcha: 6, wait: 20 };
/** Longer than a provider is waited for, and short enough for who repeats a call whose process died, in milliseconds. */
const openingMs = 60_000;
/** How long an open order without an end of its own keeps the next one waiting, in seconds. */
const usualWaitSeconds = 15 * 60;

/** A /48 is shared by several customers of one provider ([Note: Networks]). */
const wider = 10;

type Owner = Pick<AttemptRow, 'brand' | 'uid'>;
type Card = Pick<PayBody, 'card' | 'cardId'>;

const keysOf = {
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

const attemptsOf = ({ brand, user, ip }: CustomerContext): Bound[] => [
  { ...bounds.attempts, key: `payments ${brand.code} ${user.uid}` },
  ...ofNetwork(`payments from ${brand.code}`, ip, bounds.attemptsOfNetwork),
];

/** What a decline of this payment is counted at: its customer, and the card. */
function declinesOf({ deps, user }: CustomerContext, card: Card): Bound[] {
  const key = cardKey(deps, user, card);
  return key === undefined ? [] : [...declinesOfCustomer(user), { ...bounds.declinesOfCard, key }];
}

/** Its network is shared with others, so it counts there when it was declined, and not before. */
const declinesFrom = ({ brand, ip }: CustomerContext): Bound[] =>
  ofNetwork(`declines from ${brand.code}`, ip, bounds.declinesOfNetwork);

const declinesOfCustomer = (owner: Owner): Bound[] => [
  { ...bounds.declines, key: keysOf.declines(owner) },
  { ...bounds.declinesOfHour, key: keysOf.declinesOfHour(owner) },
];

interface Verdict {
  readonly due: Proof;
  /** 0 where nothing has to be waited for */
  readonly waitSeconds: number;
  readonly alert: boolean;
}

function judge(all: readonly Bound[], counts: ReadonlyMap<string, Counted>, now: number): Verdict {
  const over = (of: 'captcha' | 'work' | 'wait' | 'alert') =>
    all.flatMap((bound) => {
      const most = bound[of];
      const counted = counts.get(bound.key);
      return most !== undefined && counted && counted.count >= most ? [counted] : [];
    });
  const waits = over('wait').map(({ resetsAt }) => secondsUntil(resetsAt, now));
  const due = over('work').length > 0 ? 'work' : over('captcha').length > 0 ? 'captcha' : 'none';
  return { due, waitSeconds: Math.max(0, ...waits), alert: over('alert').length > 0 };
}

/** As what an attempt counts; `open` where the provider has not decided yet, or was not asked. */
export type AttemptOutcome = 'paid' | 'declined' | 'open';

/** One attempt that the limits have let pass. It is closed once; what is called after that does nothing. */
export interface AdmittedPayment {
  /** no longer counts it: its key had been used before, or it was refused for another reason */
  giveBack(): Promise<void>;
  close(outcome: AttemptOutcome): Promise<void>;
}

/**
 * Counts an attempt before its provider is called, by customer and network. Refuses with -3035 where a captcha or work is
 * due, and with -3031 and `waitSeconds` where there were too many attempts, declines or open orders. What is refused is
 * not counted.
 */
export async function admitPayment(
  context: CustomerContext,
  body: Card & GivenCaptcha,
  { opensOrder }: { readonly opensOrder: boolean },
): Promise<AdmittedPayment> {
  const { deps, user, ip } = context;
  const now = deps.clock();
  const opening = { key: `opens an order ${user.brand} ${user.uid}`, windowMs: openingMs };
  const declines = declinesOf(context, body);
  const network = declines.length === 0 ? [] : declinesFrom(context);
  const opened = opensOrder ? [opening] : [];
  const take = [...attemptsOf(context), ...opened, ...declines];
  const counts = await countTries(deps.db, { take, read: keys(network) }, now);
  const verdict = judge([...attemptsOf(context), ...declines, ...network], counts, now);
  const open = opensOrder
    ? await judgeOpenOrders(context, counts.get(opening.key)?.count ?? 0)
    : { due: 'none' as const, waitSeconds: 0 };
  const due = verdict.due === 'none' ? open.due : verdict.due;
  const waitSeconds = Math.max(verdict.waitSeconds, open.waitSeconds);
  const passes = waitSeconds === 0 && (await proves(deps, payerOfCaptcha(user, ip), body, due));
  if (!passes) {
    await giveBackTries(deps.db, keys(take));
    await refusePayment(context, { due, waitSeconds, alert: verdict.alert });
  }
  const tooMuch = {
    none: take,
    paid: take,
    open: [...opened, ...declines],
    // `recordDecline` has counted it at its customer
    declined: [...opened, ...declinesOfCustomer(user)],
  };
  return once(async (outcome) => {
    if (outcome === 'declined') await countTries(deps.db, { take: network }, deps.clock());
    await giveBackTries(deps.db, keys(tooMuch[outcome]));
  });
}

const keys = (bounded: readonly Pick<Bound, 'key'>[]) => bounded.map(({ key }) => key);

function once(end: (outcome: AttemptOutcome | 'none') => Promise<void>): AdmittedPayment {
  let closed: Promise<void> | undefined;
  return { giveBack: () => (closed ??= end('none')), close: (outcome) => (closed ??= end(outcome)) };
}

async function refusePayment({ deps, brand }: CustomerContext, { due, waitSeconds, alert }: Verdict): Promise<never> {
  deps.limitMetrics.refused(waitSeconds > 0 ? 'payment_wait' : 'payment_captcha', brand.code);
  if (alert) await alertOperator(deps, brand, 'card_testing');
  return waitSeconds > 0 ? refuse(-3031, { waitSeconds }) : refuseUnproven(due);
}

/** Orders that wait for their payment, those included that are being opened; the next one waits until one of them ends. */
async function judgeOpenOrders(
  context: CustomerContext,
  opening: number,
): Promise<Pick<Verdict, 'due' | 'waitSeconds'>> {
  const { db, clock } = context.deps;
  const [open] = await db
    .select({ count: sql<number>`count(*)::int`, endsAt: sql<number | null>`min(${orders.expiresAt})::float8` })
    .from(orders)
    .where(and(ownedBy(context), isOpenOrder(orders), eq(orders.status, 'PAYMENT_PENDING')));
  const count = (open?.count ?? 0) + opening;
  if (count < openOrders.captcha) return { due: 'none', waitSeconds: 0 };
  if (count < openOrders.wait) return { due: 'captcha', waitSeconds: 0 };
  const endsAt = open?.endsAt ?? null;
  return { due: 'captcha', waitSeconds: endsAt === null ? usualWaitSeconds : secondsUntil(endsAt, clock()) };
}

/** Whether a failure is the card's: not one of the shop's settings, nor a payment that its customer has called off. */
export const isDecline = (code: number) => errorEntry(code)?.declines === 'always' && code !== 2007;

/** Counts a declined card at its customer, whenever its provider says so; a renewal that the shop charges does not count. */
export async function recordDecline(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  attempt: Pick<AttemptRow, 'brand' | 'uid' | 'cardId' | 'cardLast4'>,
  failureCode: number,
): Promise<void> {
  if (attempt.cardLast4 === null || !isDecline(failureCode)) return;
  await countTries(db, { take: declinesOfCustomer(attempt) }, clock());
}

/** A success clears the declines of its customer and of their saved card. */
export async function clearDeclines(
  { db }: Pick<Deps, 'db'>,
  { brand, uid, cardId }: Pick<AttemptRow, 'brand' | 'uid' | 'cardId'>,
): Promise<void> {
  const owner = { brand, uid };
  const keys = [keysOf.declines(owner), keysOf.declinesOfHour(owner)];
  await forgetAllTries(db, cardId === null ? keys : [...keys, keysOf.savedCard(brand, cardId)]);
}

/** As `admitPayment` for a card that is to be stored without a payment: declines alone count, and there is no captcha. */
export async function assertMayTryCard(context: CustomerContext, card: Card): Promise<Pick<AdmittedPayment, 'close'>> {
  const { deps, brand, user } = context;
  const now = deps.clock();
  const tried = { key: `cards ${brand.code} ${user.uid}`, windowMs: hourMs, wait: bounds.attempts.wait };
  const declines = declinesOf(context, card);
  const network = declinesFrom(context);
  const counts = await countTries(deps.db, { take: [tried, ...declines], read: keys(network) }, now);
  const verdict = judge([tried, ...declines, ...network], counts, now);
  if (verdict.waitSeconds > 0) {
    await giveBackTries(deps.db, keys(declines));
    await refusePayment(context, verdict);
  }
  return once((outcome) =>
    outcome === 'declined'
      ? countTries(deps.db, { take: network }, deps.clock()).then(() => {})
      : giveBackTries(deps.db, keys(declines)),
  );
}
