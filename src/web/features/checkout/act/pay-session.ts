import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Order } from '#contract/order.ts';
import { addBusyReason } from '#web/platform/session/busy.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { purchaseIntent } from '#web/platform/session/storage/purchase.ts';
import {
  requiredConfirmation,
  idleState,
  canTap,
  isBusy,
  payStep,
  type PayEvent,
  type PayState,
  type Tip,
} from './pay-machine.ts';
import type { PayHooks, PayPlan } from './pay-plan.ts';
import { runPayment, pollPaymentOutcome } from './pay-run.ts';

interface PaySettings {
  readonly uid: string;
  readonly planId: string;
  /** the order that is repaid from the start */
  readonly orderId: string | undefined;
  /** its current step is closed first */
  readonly replaceAttempt?: boolean;
  /** orders that the customer should know of first: an unpaid one, or the same plan paid just now */
  readonly tip: Tip;
  readonly client: QueryClient;
}

export interface PaySession {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getState: () => PayState;
  /** pays what is on the screen and resolves to the result; a tap while a payment is in progress is ignored */
  readonly tap: (plan: Omit<PayPlan, 'uid' | 'orderId' | 'replaceAttempt' | 'accepted'>) => Promise<PayState>;
  /** continues in addition to an order that the customer was shown */
  readonly accept: (orderId: string) => void;
  /** the same plan was paid just now, perhaps in another tab; null if not */
  readonly reportPaidElsewhere: (justPaid: Order | null) => void;
  readonly dismiss: () => void;
  /** stops waiting for the payment in progress */
  readonly stop: () => void;
  /** the customer has started to correct the form */
  readonly edited: () => void;
  /** the page is mounted; returns a function that unmounts it */
  readonly open: () => () => void;
}

/**
 * The payment of one page: owns the machine and runs one payment at a time. The guard is here and not in a component,
 * because two taps can happen before the next rendering.
 */
export function createPaySession(settings: PaySettings): PaySession {
  const { uid, planId, client, replaceAttempt = false } = settings;
  let orders: KnownOrders = { orderId: settings.orderId, accepted: settings.orderId ? [settings.orderId] : [] };
  const machine = createMachine(requiredConfirmation(settings.tip, orders.accepted) ?? idleState);
  const waiting = createWaiting();
  const hooks = (): PayHooks => ({ client, send: machine.send, isMounted: machine.alive, stop: waiting.begin() });
  let running = false;
  const exclusively = async (act: () => Promise<void>) => {
    running = true;
    await act().finally(() => (running = false));
    orders = withDeclined(orders, machine.getState());
  };
  const tap: PaySession['tap'] = async (plan) => {
    if (running || !canTap(machine.getState())) return machine.getState();
    machine.send({ type: 'tap' });
    await exclusively(() => runPayment({ ...plan, ...orders, uid, replaceAttempt }, hooks()));
    return machine.getState();
  };
  const resume = () => {
    const intent = purchaseIntent(uid, planId);
    const { sentAt } = intent.getOrCreate();
    if (sentAt === undefined || running) return;
    machine.send({ type: 'resume' });
    const lookup = { planId, sentAt: sentAt + serverNow() - Date.now(), orderId: orders.orderId };
    void exclusively(() => pollPaymentOutcome(lookup, { ...hooks(), intent, spent: false, shown: undefined }));
  };
  const accept = (orderId: string) => {
    orders = { ...orders, accepted: [...orders.accepted, orderId] };
    machine.send({ type: 'dismiss' });
  };
  const reportPaidElsewhere: PaySession['reportPaidElsewhere'] = (justPaid) =>
    void machine.send({ type: 'paidElsewhere', justPaid, accepted: orders.accepted });
  const open = () => {
    const leave = machine.open();
    resume();
    return leave;
  };
  return { ...createActions(machine, waiting), tap, accept, reportPaidElsewhere, open };
}

/** Waits for a payment until it ends, or until the customer stops waiting. */
function createWaiting() {
  let stopping = new AbortController();
  return {
    begin: () => {
      stopping = new AbortController();
      return stopping.signal;
    },
    end: () => stopping.abort(),
  };
}

function createActions(
  { subscribe, getState, send }: ReturnType<typeof createMachine>,
  waiting: ReturnType<typeof createWaiting>,
) {
  const dismiss = () => void send({ type: 'dismiss' });
  const edited = () => void send({ type: 'edited' });
  const stop = () => {
    send({ type: 'stop' });
    waiting.end();
  };
  return { subscribe, getState, dismiss, edited, stop };
}

type KnownOrders = Pick<PayPlan, 'orderId' | 'accepted'>;

/** A declined order is the one that the next tap repays, so that tap needs no confirmation. */
function withDeclined(orders: KnownOrders, state: PayState): KnownOrders {
  const orderId = state.phase === 'idle' && state.notice?.kind === 'declined' ? state.notice.orderId : undefined;
  return orderId === undefined ? orders : { orderId, accepted: [...orders.accepted, orderId] };
}

/** The machine with its listeners; while it is busy, nothing may reload the page ([Note: Busy]). */
export function createMachine(first: PayState) {
  let state = first;
  let pages = 0;
  let release: (() => void) | undefined;
  const listeners = new Set<() => void>();
  const mark = () => {
    // A request in progress must arrive even if its page is gone. Without a page, nothing looks up the outcome or
    // redirects to the result, which the customer must see.
    const underWay = isBusy(state) || state.phase === 'next';
    const withoutPage = state.phase !== 'checking' && state.phase !== 'next';
    if (underWay && (pages > 0 || withoutPage)) {
      release ??= addBusyReason('payment');
      return;
    }
    release?.();
    release = undefined;
  };
  return {
    getState: () => state,
    alive: () => pages > 0,
    send: (event: PayEvent): PayState => {
      state = payStep(state, event);
      mark();
      for (const listener of listeners) listener();
      return state;
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** a page is mounted until the returned function is called */
    open: () => {
      pages += 1;
      mark();
      return () => {
        pages -= 1;
        mark();
      };
    },
  };
}

/** The payment of this page, from mounting to unmounting. */
export function usePay(settings: Omit<PaySettings, 'client'>) {
  const client = useQueryClient();
  const [session] = useState(() => createPaySession({ ...settings, client }));
  const state = useSyncExternalStore(session.subscribe, session.getState, session.getState);
  useEffect(() => session.open(), [session]);
  const { justPaid } = settings.tip;
  useEffect(() => session.reportPaidElsewhere(justPaid), [session, justPaid]);
  return { session, state };
}
