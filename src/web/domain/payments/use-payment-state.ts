import { useQuery, type Query } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { paymentInfo, queryToken, type PaymentInfo } from '#contract/orders.ts';
import { isRefused } from '#web/platform/api/api-error.ts';
import { q } from '#web/platform/api/query.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { useSession } from '#web/platform/session/session.ts';
import { mayBeSavedCopy } from '#web/platform/session/storage/personal-copies.ts';
import type { Order, PublicPayment } from '#contract/order.ts';
import type { Money } from '#contract/money.ts';
import type { NextStep, StepType } from '#contract/next-step.ts';
import { isOpen, type OrderStatus } from '#contract/order-status.ts';

export interface PaymentState {
  readonly view: PaymentView | undefined;
  readonly error: Error | null;
  /** when the view was read, epoch milliseconds of this device */
  readonly readAt: number;
  /** no such payment for this customer; repeating the request would not change that */
  readonly unknown: boolean;
  readonly asking: boolean;
  readonly ask: () => void;
}

interface Which {
  readonly orderId?: string | undefined;
  readonly token?: string | undefined;
}

/**
 * Polls a payment until it has ended, by the schedule of `nextPollDelay`: the owner's view with a session, the
 * public one by the result token without. Hidden pages do not poll; a page that becomes visible polls at once.
 */
export function usePaymentState({ orderId, token }: Which): PaymentState {
  const user = useSession();
  const owner = useOwnerView(user ? orderId : undefined);
  const byToken = useTokenView(owner.wanted && !isMissing(owner.query.error) ? undefined : token);
  const { query } = byToken.wanted ? byToken : owner;
  const ask = () => void query.refetch();
  useRefetchOnReturn(ask);
  const { data, error, dataUpdatedAt, isFetching } = query;
  const isOutdated =
    isOfEarlierAttempt(orderId, dataUpdatedAt) || (mayBeSavedCopy(dataUpdatedAt) && !isWorthShowing(data));
  return {
    view: isOutdated && !error ? undefined : data,
    error,
    readAt: dataUpdatedAt,
    unknown: isMissing(error) || (!owner.wanted && !byToken.wanted),
    asking: isFetching,
    ask,
  };
}

/**
 * Saved data is shown only for a code that can still be paid, and for a paid order. Anything else may have been paid
 * since, and an old failure must not redirect the customer away from paying.
 */
function isWorthShowing(view: PaymentView | undefined): boolean {
  if (!view) return false;
  return finalOutcomeOf(view.status) === 'succeeded' || (view.next !== undefined && view.next.type !== 'none');
}

function useOwnerView(orderId: string | undefined) {
  const refetchInterval = useSchedule();
  const query = useQuery({
    ...q(paymentInfo, { body: { orderId: orderId ?? '' } }, { shownErrors: missing }),
    ...live,
    enabled: orderId !== undefined,
    select: toOwnerView,
    refetchInterval: (asked) => refetchInterval(asked, asked.state.data && toOwnerView(asked.state.data)),
  });
  return { query, wanted: orderId !== undefined };
}

function useTokenView(token: string | undefined) {
  const refetchInterval = useSchedule();
  const query = useQuery({
    ...q(queryToken, { body: { token: token ?? '' } }, { shownErrors: missing }),
    ...live,
    enabled: token !== undefined,
    select: toPublicView,
    refetchInterval: (asked) => refetchInterval(asked, asked.state.data && toPublicView(asked.state.data)),
  });
  return { query, wanted: token !== undefined };
}

/** There is no such order or payment for the caller; the page itself shows that. */
const missing = ['orderNotFound', 'paymentInfoNotFound'] as const;

const live = { staleTime: 0, retry: false, refetchOnWindowFocus: 'always', refetchOnReconnect: 'always' } as const;

type AnyQuery =
  | Pick<Query<never>, 'state'>
  | { readonly state: { errorUpdateCount: number; dataUpdatedAt: number; error: unknown } };

/** The schedule as the query library needs it; consecutive failures are counted since the last success. */
function useSchedule() {
  // not the server's time, which a phone with a wrong clock learns only from the first response
  const [since] = useState(() => performance.now());
  const atSuccess = useRef({ dataUpdatedAt: 0, errors: 0 });
  return ({ state }: AnyQuery, view: PaymentView | undefined): number | false => {
    if (isMissing(state.error) || (view && finalOutcomeOf(view.status))) return false;
    if (atSuccess.current.dataUpdatedAt !== state.dataUpdatedAt) {
      atSuccess.current = { dataUpdatedAt: state.dataUpdatedAt, errors: state.errorUpdateCount };
    }
    const now = serverNow();
    const errors = state.errorUpdateCount - atSuccess.current.errors;
    const expiresAt = view ? pollDeadline(view) : null;
    return (
      nextPollDelay({ elapsed: performance.now() - since, now, expiresAt, errors, chance: Math.random() }) ?? false
    );
  };
}

/** The query library observes visibility and network, but not a return from the back/forward cache. */
export function useRefetchOnReturn(ask: () => void): void {
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  useEffect(() => {
    const returned = (event: PageTransitionEvent) => event.persisted && latest.current();
    window.addEventListener('pageshow', returned);
    return () => window.removeEventListener('pageshow', returned);
  }, []);
}

function isMissing(error: unknown): boolean {
  return isRefused(error, ...missing);
}

/** A payment as its pages show it; private parts are undefined without the owner's session. */
export interface PaymentView {
  readonly status: OrderStatus;
  readonly planName: string;
  readonly total: Money;
  /** epoch milliseconds by the server's clock; null if nothing is awaited */
  readonly expiresAt: number | null;
  readonly failureCode: number | null;
  /** the usual next step after paying by its method */
  readonly flow: Order['flow'];
  readonly order: Order | undefined;
  readonly next: NextStep | undefined;
  /** the order makes the plan renew */
  readonly renews: boolean;
}

export function toOwnerView({ order, next, renews = false }: PaymentInfo): PaymentView {
  const { status, planName, total, failureCode, flow } = order;
  const ends = next.type === 'none' ? null : (next.expiresAt ?? null);
  return { status, planName, total, failureCode, flow, expiresAt: order.expiresAt ?? ends, order, next, renews };
}

export function toPublicView(payment: PublicPayment): PaymentView {
  return { ...payment, order: undefined, next: undefined, renews: false };
}

type PaymentEnd = 'succeeded' | 'failed' | 'cancelled';

/** The final result of a payment: a later refund or chargeback still means that it was paid. */
export function finalOutcomeOf(status: OrderStatus): PaymentEnd | undefined {
  if (isOpen(status)) return undefined;
  if (status === 'PAYMENT_FAILED') return 'failed';
  return status === 'PAYMENT_CANCELLED' ? 'cancelled' : 'succeeded';
}

/** Whether the time of its next step has passed. */
export function isStepExpired(view: PaymentView, now: number): boolean {
  return view.expiresAt !== null && view.expiresAt <= now;
}

/** Steps with a printed deadline; after it, the customer generates a new one. */
const timed: ReadonlySet<NextStep['type']> = new Set(['qr', 'ticket', 'crypto', 'upload']);

/**
 * The step type of an order whose step has expired: the server does not return an expired step. Undefined for an order
 * that waits for an answer on a phone or another page, which may still arrive.
 */
export function timedStepOf({ flow }: Pick<Order, 'flow'>): StepType | undefined {
  return flow !== 'none' && timed.has(flow) ? flow : undefined;
}

/** Reconciliation asks the provider for at most this long about an unknown attempt, in milliseconds. */
const answerLateMs = 15 * 60_000;

/** When polling ends, epoch milliseconds by the server's clock; null while there is no deadline. */
export function pollDeadline({ expiresAt, order }: PaymentView): number | null {
  if (expiresAt === null) return null;
  return order && timedStepOf(order) === undefined ? expiresAt + answerLateMs : expiresAt;
}

/**
 * Whether an answer may still arrive after the deadline: the payer may have confirmed on a phone, and the shop does not
 * know it yet.
 */
export function awaitsAnswer(view: PaymentView, now: number): boolean {
  return isOpen(view.status) && isStepExpired(view, now) && now < (pollDeadline(view) ?? 0);
}

const began = new Map<string, number>();

/** Records that a payment attempt of this order has just started. */
export function recordAttemptStart(orderId: string): void {
  began.set(orderId, Date.now());
}

/**
 * Whether data read at `readAt` (epoch ms of the device) belongs to an earlier attempt: its failure, or the code of
 * another method, must not be shown for the current one.
 */
export function isOfEarlierAttempt(orderId: string | undefined, readAt: number): boolean {
  return orderId !== undefined && readAt < (began.get(orderId) ?? 0);
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;

/** How long a payment is polled after its expiry, in milliseconds: money may have been in transit. */
const graceMs = minuteMs;
const longestMs = minuteMs;

export interface PollMoment {
  /** milliseconds since polling began */
  readonly elapsed: number;
  /** epoch milliseconds, by the server's clock */
  readonly now: number;
  /** the payment deadline, epoch milliseconds; null without a deadline */
  readonly expiresAt: number | null;
  /** consecutive failed requests */
  readonly errors: number;
  /** 0 to 1, so that many phones do not poll in the same second */
  readonly chance: number;
}

/**
 * Milliseconds until the next poll, or undefined when polling is over: every 2 s for 30 s, 5 s to 3 min, then 15 s with
 * jitter, until a minute after expiry; failures double the wait up to a minute.
 */
export function nextPollDelay(moment: PollMoment): number | undefined {
  const end = moment.expiresAt === null ? Infinity : moment.expiresAt + graceMs;
  if (moment.now >= end) return undefined;
  const delay = Math.min(longestMs, steadyDelay(moment) * 2 ** Math.min(moment.errors, 5));
  return Math.max(secondMs, Math.min(delay, end - moment.now));
}

function steadyDelay({ elapsed, chance }: PollMoment): number {
  if (elapsed < 30 * secondMs) return 2 * secondMs;
  if (elapsed < 3 * minuteMs) return 5 * secondMs;
  return Math.round(15 * secondMs * (0.8 + 0.4 * chance));
}
