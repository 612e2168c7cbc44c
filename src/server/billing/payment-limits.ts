import { and, eq, sql } from 'drizzle-orm';
import { errorEntry, type PaymentFailure } from '#contract/error-codes.ts';
import { paymentCaptchaOwner, type CaptchaInput } from '#server/auth/captcha/captcha-owner.ts';
import { verifyCaptchaTicket, refuseWrongCaptcha, type CaptchaRequirement } from '#server/auth/captcha/ticket.ts';
import type { AttemptRow } from '#server/db/purchase-rows.ts';
import { isOpenOrder, orders } from '#server/db/schema/orders.ts';
import type { Deps } from '#server/deps.ts';
import {
  countTries,
  clearAllTries,
  uncountTries,
  uncountTry,
  secondsUntil,
  countTry,
  type Counted,
} from '#server/runtime/limits/throttle.ts';
import { alertOperator } from '#server/messages/operator-alerts.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';
import { ownedBy } from './orders.ts';
import {
  attemptsOf,
  counterLimits,
  declinesFrom,
  declinesOf,
  declinesOfCustomer,
  hourMs,
  keysOf,
  type CounterLimits,
  type Card,
} from './payment-counters.ts';

const openOrders = { captcha: 6, wait: 20 };
/**
 * How long a call counts as opening an order, in milliseconds: longer than a provider's time limit, and short for a
 * customer who repeats a call whose process died.
 */
const openingMs = 60_000;
/** How long an open order without an expiry delays the next one, in seconds. */
const usualWaitSeconds = 15 * 60;

interface Verdict {
  readonly due: CaptchaRequirement;
  /** 0 when no wait is required */
  readonly waitSeconds: number;
  readonly alert: boolean;
}

function assess(all: readonly CounterLimits[], counts: ReadonlyMap<string, Counted>, now: number): Verdict {
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

/** How an attempt is counted; `open` when the provider has not decided yet, or was not called. */
export type AttemptOutcome = 'paid' | 'declined' | 'open';

/** An attempt that the limits admitted. It is closed once; later calls do nothing. */
export interface AdmittedPayment {
  /** removes it from the counts: its key was consumed before, or it was refused for another reason */
  uncount(): Promise<void>;
  close(outcome: AttemptOutcome): Promise<void>;
}

/**
 * Counts an attempt by customer and network before its provider is called. `wrongCaptcha`: a captcha or proof of work
 * is required. `tooFrequent` with `waitSeconds`: too many attempts, declines or open orders. Refused attempts are not
 * counted.
 */
export async function admitPayment(
  context: CustomerContext<'tooFrequent' | 'wrongCaptcha'>,
  body: Card & CaptchaInput,
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
  const verdict = assess([...attemptsOf(context), ...declines, ...network], counts, now);
  const open = opensOrder
    ? await assessOpenOrders(context, counts.get(opening.key)?.count ?? 0)
    : { due: 'none' as const, waitSeconds: 0 };
  const due = verdict.due === 'none' ? open.due : verdict.due;
  const waitSeconds = Math.max(verdict.waitSeconds, open.waitSeconds);
  const passes = waitSeconds === 0 && (await verifyCaptchaTicket(deps, paymentCaptchaOwner(user, ip), body, due));
  if (!passes) {
    await uncountTries(deps.db, keys(take));
    await refusePayment(context, { due, waitSeconds, alert: verdict.alert });
  }
  const toUncount = {
    none: take,
    paid: take,
    open: [...opened, ...declines],
    // `recordDecline` has already counted it for the customer
    declined: [...opened, ...declinesOfCustomer(user)],
  };
  return once(async (outcome) => {
    if (outcome === 'declined') await countTries(deps.db, { take: network }, deps.clock());
    await uncountTries(deps.db, keys(toUncount[outcome]));
  });
}

const keys = (bounded: readonly Pick<CounterLimits, 'key'>[]) => bounded.map(({ key }) => key);

function once(end: (outcome: AttemptOutcome | 'none') => Promise<void>): AdmittedPayment {
  let closed: Promise<void> | undefined;
  return { uncount: () => (closed ??= end('none')), close: (outcome) => (closed ??= end(outcome)) };
}

async function refusePayment(
  context: CustomerContext<'tooFrequent' | 'wrongCaptcha'>,
  { due, ...verdict }: Verdict,
): Promise<never> {
  if (verdict.waitSeconds > 0) return refuseForNow(context, verdict);
  await recordRefusal(context, 'payment_captcha', verdict);
  return refuseWrongCaptcha(context.refuse, due);
}

async function refuseForNow(
  context: CustomerContext<'tooFrequent'>,
  verdict: Pick<Verdict, 'waitSeconds' | 'alert'>,
): Promise<never> {
  await recordRefusal(context, 'payment_wait', verdict);
  return context.refuse('tooFrequent', { waitSeconds: verdict.waitSeconds });
}

async function recordRefusal(
  { deps, brand }: CustomerContext,
  limit: 'payment_wait' | 'payment_captcha',
  { alert }: Pick<Verdict, 'alert'>,
): Promise<void> {
  deps.metrics.refused(limit, brand.code);
  if (alert) await alertOperator(deps, brand, { kind: 'card_testing' });
}

/** Pending orders, including those that are being created. The next order waits until one of them ends. */
async function assessOpenOrders(
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

/** Whether a failure is a decline of the card, not of the shop's settings and not a cancellation by the customer. */
export const isDecline = (failure: PaymentFailure) =>
  errorEntry(failure)?.declines === 'always' && failure !== 'paymentCancelled';

/**
 * Counts a declined card for its customer, whenever the provider reports it; renewals that the shop charges do not
 * count.
 */
export async function recordDecline(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  attempt: Pick<AttemptRow, 'brand' | 'uid' | 'cardId' | 'cardLast4'>,
  failure: PaymentFailure,
): Promise<void> {
  if (attempt.cardLast4 === null || !isDecline(failure)) return;
  await countTries(db, { take: declinesOfCustomer(attempt) }, clock());
}

/** Clears the declines of a customer and of the saved card after a successful payment. */
export async function clearDeclines(
  { db }: Pick<Deps, 'db'>,
  { brand, uid, cardId }: Pick<AttemptRow, 'brand' | 'uid' | 'cardId'>,
): Promise<void> {
  const owner = { brand, uid };
  const keys = [keysOf.declines(owner), keysOf.declinesOfHour(owner)];
  await clearAllTries(db, cardId === null ? keys : [...keys, keysOf.savedCard(brand, cardId)]);
}

/**
 * Counts a visit to a provider's card page as refused until `accept` is called. So callers cannot cause unlimited calls
 * to the provider, and a verified card is saved however often the call is repeated. `tooFrequent`: too many.
 */
export async function countCardVisit(context: CustomerContext<'tooFrequent'>): Promise<{ accept(): Promise<void> }> {
  const { deps, user } = context;
  const key = keysOf.cardVisits(user);
  const limit = { tries: counterLimits.attempts.wait, windowMs: hourMs };
  const { allowed, waitSeconds } = await countTry(deps.db, key, limit, deps.clock());
  if (!allowed) await refuseForNow(context, { waitSeconds, alert: false });
  return { accept: () => uncountTry(deps.db, key) };
}

/**
 * Like `admitPayment`, for a card that is saved without a payment, or that pays an overdue renewal: limited by declines
 * and by cards in an hour, without a captcha. `card` is empty when it is typed at the provider's page; `isCounted`:
 * this call has already counted the card for the hour.
 */
export async function assertMayTryCard(
  context: CustomerContext<'tooFrequent'>,
  card: Card,
  { isCounted = false } = {},
): Promise<Pick<AdmittedPayment, 'close'>> {
  const { deps, user } = context;
  const now = deps.clock();
  const tried = { key: keysOf.cards(user), windowMs: hourMs, wait: counterLimits.attempts.wait };
  const ofHour = isCounted ? [] : [tried];
  const declines = declinesOf(context, card);
  const network = declinesFrom(context);
  // the card at a provider's page is unknown here, but its customer may have had too many declines
  const read = declines.length === 0 ? [...declinesOfCustomer(user), ...network] : network;
  const counts = await countTries(deps.db, { take: [...ofHour, ...declines], read: keys(read) }, now);
  const verdict = assess([...ofHour, ...declines, ...read], counts, now);
  if (verdict.waitSeconds > 0) {
    await uncountTries(deps.db, keys(declines));
    await refuseForNow(context, verdict);
  }
  return once((outcome) =>
    outcome === 'declined'
      ? countTries(deps.db, { take: network }, deps.clock()).then(() => {})
      : uncountTries(deps.db, keys(declines)),
  );
}
