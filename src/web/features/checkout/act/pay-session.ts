import type { QueryClient } from '@tanstack/react-query';
import type { Order } from '../../../../contract/order.ts';
import { serverNow } from '../../../api/server-clock.ts';
import { purchaseIntent } from '../../../storage/purchase.ts';
import { createMachine } from './machine-store.ts';
import { afterTip, atRest, canTap, type PayState, type Tip } from './pay-machine.ts';
import { lookUp, runPayment, type PayHooks, type PayPlan } from './pay-run.ts';

export interface PaySettings {
  readonly uid: string;
  readonly planId: string;
  /** the order that is repaid from the start */
  readonly orderId: string | undefined;
  /** what waits for it is closed first */
  readonly anew?: boolean;
  /** orders that the customer should hear of first: one that waits for its payment, the same plan paid just now */
  readonly tip: Tip;
  readonly client: QueryClient;
}

export interface PaySession {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getState: () => PayState;
  /** pays what is on the screen and answers with where that led; a tap while something is under way means nothing */
  readonly tap: (plan: Omit<PayPlan, 'uid' | 'orderId' | 'anew' | 'accepted'>) => Promise<PayState>;
  /** goes on beside an order that the customer has been told of */
  readonly accept: (orderId: string) => void;
  /** the same plan was paid just now, perhaps in another tab; null where it was not */
  readonly hear: (justPaid: Order | null) => void;
  readonly dismiss: () => void;
  /** the customer has begun to mend the form */
  readonly edited: () => void;
  /** the page is here; answers with how to leave it */
  readonly open: () => () => void;
}

/**
 * The pay act of one page ([Note: The pay act]): holds the machine and runs what it asks for, one act at a time. It is
 * guarded here and not in what is drawn, because two taps can come before anything is drawn anew.
 */
export function createPaySession(settings: PaySettings): PaySession {
  const { uid, planId, client, anew = false } = settings;
  let orders: KnownOrders = { orderId: settings.orderId, accepted: settings.orderId ? [settings.orderId] : [] };
  const machine = createMachine(afterTip(settings.tip, orders.accepted) ?? atRest);
  const hooks: PayHooks = { client, send: machine.send, alive: machine.alive };
  let running = false;
  const exclusively = async (act: () => Promise<void>) => {
    running = true;
    await act().finally(() => (running = false));
    orders = withDeclined(orders, machine.getState());
  };
  const tap: PaySession['tap'] = async (plan) => {
    if (running || !canTap(machine.getState())) return machine.getState();
    machine.send({ type: 'tap' });
    await exclusively(() => runPayment({ ...plan, ...orders, uid, anew }, hooks));
    return machine.getState();
  };
  const resume = () => {
    const intent = purchaseIntent(uid, planId);
    const { sentAt } = intent.getOrCreate();
    if (sentAt === undefined || running) return;
    machine.send({ type: 'resume' });
    const lookup = { planId, sentAt: sentAt + serverNow() - Date.now(), orderId: orders.orderId };
    void exclusively(() => lookUp(lookup, { ...hooks, intent, spent: false, shown: undefined }));
  };
  const accept = (orderId: string) => {
    orders = { ...orders, accepted: [...orders.accepted, orderId] };
    machine.send({ type: 'dismiss' });
  };
  const hear: PaySession['hear'] = (justPaid) =>
    void machine.send({ type: 'told', justPaid, accepted: orders.accepted });
  const open = () => {
    const leave = machine.open();
    resume();
    return leave;
  };
  return { ...plainActs(machine), tap, accept, hear, open };
}

function plainActs({ subscribe, getState, send }: ReturnType<typeof createMachine>) {
  const dismiss = () => void send({ type: 'dismiss' });
  const edited = () => void send({ type: 'edited' });
  return { subscribe, getState, dismiss, edited };
}

type KnownOrders = Pick<PayPlan, 'orderId' | 'accepted'>;

/** A declined order is the one that the next tap repays, so it is no surprise to that tap. */
function withDeclined(orders: KnownOrders, state: PayState): KnownOrders {
  const orderId = state.phase === 'idle' && state.notice?.kind === 'declined' ? state.notice.orderId : undefined;
  return orderId === undefined ? orders : { orderId, accepted: [...orders.accepted, orderId] };
}
