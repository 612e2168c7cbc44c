import type { Gateways, PaymentGateway } from '../../../src/server/payments/gateway.ts';

/**
 * What happens to the next call to a provider: it never gets there, its answer is lost, it gets there twice, or the shop
 * dies before or after it. The calls of a shop that has died stay open for ever; whoever waits for one is told by `died`.
 */
export const faults = ['before', 'after', 'twice', 'dieBefore', 'dieAfter'] as const;
export type Fault = (typeof faults)[number];

/** A hand on the wires to the providers. */
export interface Hand {
  /** spoils the next call */
  spoil(fault: Fault | undefined): void;
  /** resolves when the shop has died since the last `spoil` */
  died(): Promise<'died'>;
  /** lays itself on the wires of a shop that starts */
  over(gateways: Gateways): Gateways;
}

interface Shop {
  isDead: boolean;
}

export function aHand(): Hand {
  let next: Fault | undefined;
  let tellDeath: () => void = () => {};
  let died: Promise<'died'> = new Promise(() => {});
  const take = () => {
    const fault = next;
    next = undefined;
    return fault;
  };
  const die = <T>(shop: Shop) => {
    shop.isDead = true;
    tellDeath();
    return new Promise<T>(() => {});
  };
  const meddled =
    <A extends unknown[], R>(shop: Shop, call: (...args: A) => Promise<R>, lost: R) =>
    async (...args: A): Promise<R> => {
      const fault = take();
      if (fault === 'before') return lost;
      if (fault === 'dieBefore' || shop.isDead) return die(shop);
      const answer = await call(...args);
      if (fault === 'dieAfter' || shop.isDead) return die(shop);
      if (fault === 'twice') return call(...args);
      return fault === 'after' ? lost : answer;
    };
  const over = (gateway: PaymentGateway, shop: Shop): PaymentGateway => ({
    takes: (methodCode, currency) => gateway.takes(methodCode, currency),
    authorize: meddled(shop, (request) => gateway.authorize(request), { state: 'unknown' }),
    inquire: meddled(shop, (key) => gateway.inquire(key), { state: 'unknown' }),
    act: meddled(shop, (key, act) => gateway.act(key, act), { state: 'unknown' }),
    cancel: meddled(shop, (key) => gateway.cancel(key), { state: 'unknown' }),
    refund: meddled(shop, (key) => gateway.refund(key), false),
    forgetCard: meddled(shop, (token) => gateway.forgetCard(token), false),
    verifyNotice: (headers, body, now) => gateway.verifyNotice(headers, body, now),
  });
  return {
    spoil: (fault) => {
      next = fault;
      died = new Promise((resolve) => (tellDeath = () => resolve('died')));
    },
    died: () => died,
    over: (gateways) => {
      const shop = { isDead: false };
      return Object.fromEntries(Object.entries(gateways).map(([name, one]) => [name, over(one, shop)]));
    },
  };
}
