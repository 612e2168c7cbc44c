import { useQuery, type Query } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { paymentInfo, queryToken } from '#contract/orders.ts';
import { isRefused } from '#web/platform/api/api-error.ts';
import { q } from '#web/platform/api/query.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { useSession } from '#web/platform/session/session.ts';
import { mayBeSavedCopy } from '#web/platform/session/storage/saved-copies.ts';
import { pollDeadline, endOf, viewOfAnyone, viewOfOwner, type PaymentView } from './payment-view.ts';
import { isOfEarlierAttempt } from './latest-attempt.ts';
import { nextPollDelay } from './poll-schedule.ts';

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
 * Polls a payment until it has ended, by the schedule of `poll-schedule.ts`: the owner's view with a session, the
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
  return endOf(view.status) === 'succeeded' || (view.next !== undefined && view.next.type !== 'none');
}

function useOwnerView(orderId: string | undefined) {
  const refetchInterval = useSchedule();
  const query = useQuery({
    ...q(paymentInfo, { body: { orderId: orderId ?? '' } }, { callerShows: missing }),
    ...live,
    enabled: orderId !== undefined,
    select: viewOfOwner,
    refetchInterval: (asked) => refetchInterval(asked, asked.state.data && viewOfOwner(asked.state.data)),
  });
  return { query, wanted: orderId !== undefined };
}

function useTokenView(token: string | undefined) {
  const refetchInterval = useSchedule();
  const query = useQuery({
    ...q(queryToken, { body: { token: token ?? '' } }, { callerShows: missing }),
    ...live,
    enabled: token !== undefined,
    select: viewOfAnyone,
    refetchInterval: (asked) => refetchInterval(asked, asked.state.data && viewOfAnyone(asked.state.data)),
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
    if (isMissing(state.error) || (view && endOf(view.status))) return false;
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
