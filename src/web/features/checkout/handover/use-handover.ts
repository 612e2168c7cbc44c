import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Result } from '#contract/endpoint.ts';
import { closeHandover, handoverProgress, openHandover, type HandoverPurchase } from '#contract/handover.ts';
import { isRefused, type CallError } from '#web/platform/api/api-error.ts';
import { attempt } from '#web/platform/api/client.ts';
import { q } from '#web/platform/api/query.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { finalOutcomeOf, nextPollDelay } from '#web/domain/payments/use-payment-state.ts';

export interface Handover {
  readonly stage: HandoverStage;
  /** the content of the QR code, and the code in it in readable form */
  readonly link: string | undefined;
  readonly userCode: string | undefined;
  /** the last request did not reach the server; it is repeated */
  readonly lost: boolean;
  /** why there is no code: the server refused */
  readonly error: CallError | undefined;
  /** requests a new code after a refusal */
  readonly again: () => void;
}

type Opened = Result<typeof openHandover>;

const retryMs = 5000;

/** Hands a checkout over and follows it while mounted ([Note: Hand-over]). An expired code is replaced. */
export function useHandover(makePurchase: () => HandoverPurchase): Handover {
  const { opened, lost, error, again } = useOpened(makePurchase);
  const progress = useProgress(opened);
  const state = progress.data?.state;
  const isGone = isRefused(progress.error, 'codeNotFound');
  useEffect(() => {
    if (isGone) again();
  }, [isGone, again]);
  useNewCodeInTime(opened, state, again);
  useWithdrawOnLeave(opened, state);
  return {
    stage: handoverStage(opened && (progress.data ?? { state: 'waiting', expiresAt: opened.expiresAt, order: null })),
    link: opened?.link,
    userCode: opened?.userCode,
    lost: lost || (progress.error !== null && !isGone),
    error,
    again,
  };
}

function useOpened(makePurchase: () => HandoverPurchase) {
  const [opened, setOpened] = useState<Opened>();
  const [lost, setLost] = useState(false);
  const [error, setError] = useState<CallError>();
  const latest = useRef(makePurchase);
  useEffect(() => {
    latest.current = makePurchase;
  });
  const leave = useRef<() => void>(undefined);
  const again = useCallback(() => {
    leave.current?.();
    const left = new AbortController();
    leave.current = () => left.abort();
    setOpened(undefined);
    setError(undefined);
    void openUntil(left.signal, () => latest.current(), { setOpened, setLost, setError });
  }, []);
  useEffect(() => {
    const timer = setTimeout(again);
    return () => {
      clearTimeout(timer);
      leave.current?.();
    };
  }, [again]);
  return { opened, lost, error, again };
}

interface Hears {
  readonly setOpened: (opened: Opened) => void;
  readonly setLost: (lost: boolean) => void;
  readonly setError: (error: CallError) => void;
}

/** Requests a code until there is one, the server refuses, or the component is unmounted. */
async function openUntil(left: AbortSignal, makePurchase: () => HandoverPurchase, hears: Hears): Promise<void> {
  while (!left.aborted) {
    const { result, error } = await attempt(openHandover, { body: makePurchase() }, { quiet: true });
    if (left.aborted) return;
    if (error?.kind === 'refused') return hears.setError(error);
    hears.setLost(error !== undefined);
    if (result) return hears.setOpened(result);
    await new Promise((resolve) => void setTimeout(resolve, retryMs));
  }
}

function useProgress(opened: Opened | undefined) {
  const delay = useSchedule();
  return useQuery({
    ...q(handoverProgress, { body: { handoverId: opened?.handoverId ?? '' } }, { quiet: true }),
    enabled: opened !== undefined,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    refetchInterval: ({ state }) => delay(state.data, state.error ? state.fetchFailureCount : 0),
  });
}

/** The polling schedule of a payment, restarted after each change, because more changes follow soon. */
function useSchedule() {
  const last = useRef({ news: '', at: 0 });
  return (progress: Progress | undefined, errors: number): number | false => {
    const news = `${progress?.state} ${progress?.order?.status}`;
    const at = performance.now();
    if (last.current.news !== news) last.current = { news, at };
    const elapsed = at - last.current.at;
    return nextPollDelay({ elapsed, now: 0, expiresAt: null, errors, chance: Math.random() }) ?? false;
  };
}

/** Replaces a code that was not scanned at the moment it expires. */
function useNewCodeInTime(opened: Opened | undefined, state: string | undefined, again: () => void): void {
  const waits = opened !== undefined && (state ?? 'waiting') === 'waiting';
  const endsAt = opened?.expiresAt;
  useEffect(() => {
    if (!waits || endsAt === undefined) return undefined;
    const timer = setTimeout(again, Math.max(0, endsAt - serverNow()));
    return () => clearTimeout(timer);
  }, [waits, endsAt, again]);
}

/** Withdraws a code that was not scanned when the customer leaves or stays at the TV. */
function useWithdrawOnLeave(opened: Opened | undefined, state: string | undefined): void {
  const handoverId = opened?.handoverId;
  const latest = useRef(state);
  useEffect(() => {
    latest.current = state;
  });
  useEffect(() => {
    if (handoverId === undefined) return undefined;
    return () => {
      if ((latest.current ?? 'waiting') !== 'waiting') return;
      void attempt(closeHandover, { body: { handoverId } }, { quiet: true, keepalive: true }).then(({ error }) => {
        if (error) console.info('The code ends by itself in a few minutes.', error);
      });
    };
  }, [handoverId]);
}

export type Progress = Result<typeof handoverProgress>;

/** What a TV shows of a checkout that it hands to a phone ([Note: Hand-over]). */
export type HandoverStage =
  /** the code is loading */
  | { readonly kind: 'opening' }
  /** the code can be scanned */
  | { readonly kind: 'scan' }
  /** refused on the phone */
  | { readonly kind: 'refused' }
  /** the phone has the checkout and has not paid yet */
  | { readonly kind: 'opened' }
  /** the phone has an order that is not paid yet */
  | { readonly kind: 'paying' }
  /** its last attempt failed; another one may follow, on either screen */
  | { readonly kind: 'failed' }
  /** there is a result to show: paid or cancelled */
  | { readonly kind: 'ended'; readonly orderId: string };

/** The stage from the server's response; undefined before the first one. */
export function handoverStage(progress: Progress | undefined): HandoverStage {
  if (!progress) return { kind: 'opening' };
  if (progress.state === 'waiting') return { kind: 'scan' };
  if (progress.state === 'refused') return { kind: 'refused' };
  if (!progress.order) return { kind: 'opened' };
  const { orderId, status } = progress.order;
  const end = finalOutcomeOf(status);
  if (end === undefined) return { kind: 'paying' };
  return end === 'failed' ? { kind: 'failed' } : { kind: 'ended', orderId };
}
