import type { Gateways, PaymentGateway } from '../../../src/server/payments/gateway.ts';

/**
 * What happens to the next call to a provider: it never gets there, its answer is lost, it gets there twice, or the
 * shop dies before or after it (then the call stays open for ever, and whoever waits for it is told so by `died`).
 */
export const faults = ['before', 'after', 'twice', 'dieBefore', 'dieAfter'] as const;
export type Fault = (typeof faults)[number];

/** A hand on the wires to the providers. */
export interface Hand {
  /** spoils the next call */
  spoil(fault: Fault | undefined): void;
  /** resolves when a call has died since the last `spoil` */
  died(): Promise<'died'>;
}

export function aHand(): Hand & { over(gateways: Gateways): Gateways } {
  let next: Fault | undefined;
  let dies: () => void = () => {};
  let died: Promise<'died'> = new Promise(() => {});
  const take = () => {
    const fault = next;
    next = undefined;
    return fault;
  };
  const forEver = <T>() => {
    dies();
    return new Promise<T>(() => {});
  };
  const meddled =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>, lost: R) =>
    async (...args: A): Promise<R> => {
      const fault = take();
      if (fault === 'before') return lost;
      if (fault === 'dieBefore') return forEver();
      const answer = await call(...args);
      if (fault === 'dieAfter') return forEver();
      if (fault === 'twice') return call(...args);
      return fault === 'after' ? lost : answer;
    };
  const over = (gateway: PaymentGateway): PaymentGateway => ({
    authorize: meddled((request) => gateway.authorize(request), { state: 'unknown' }),
    inquire: meddled((key) => gateway.inquire(key), { state: 'unknown' }),
    act: meddled((key, act) => gateway.act(key, act), { state: 'unknown' }),
    cancel: meddled((key) => gateway.cancel(key), { state: 'unknown' }),
    refund: meddled((key) => gateway.refund(key), false),
    forgetCard: meddled((token) => gateway.forgetCard(token), false),
    verifyNotice: (headers, body, now) => gateway.verifyNotice(headers, body, now),
  });
  return {
    spoil: (fault) => {
      next = fault;
      died = new Promise((resolve) => (dies = () => resolve('died')));
    },
    died: () => died,
    over: (gateways) => Object.fromEntries(Object.entries(gateways).map(([name, one]) => [name, over(one)])),
  };
}
