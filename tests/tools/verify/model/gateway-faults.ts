import type { CardToSave, GatewayAnswer, Gateways, SaveCardAnswer, PaymentGateway } from '#server/payments/gateway.ts';
import type { PartialRefund, RefundAnswer } from '#server/payments/terms.ts';

/**
 * What happens to the next call to a provider: it never gets there, its answer is lost, it gets there twice, or the shop
 * dies before or after it. The calls of a shop that has died stay open for ever; whoever waits for one is told by `died`.
 */
export const faults = ['before', 'after', 'twice', 'dieBefore', 'dieAfter'] as const;
export type Fault = (typeof faults)[number];

/** Spoils the calls to the providers. */
export interface GatewayFaults {
  /** spoils the next call */
  spoil(fault: Fault | undefined): void;
  /** resolves when the shop has died since the last `spoil` */
  died(): Promise<'died'>;
  /** the gateways of a shop that starts, whose calls can be spoilt */
  over(gateways: Gateways): Gateways;
}

interface Shop {
  isDead: boolean;
}

export function openGatewayFaults(): GatewayFaults {
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
  const unknown: GatewayAnswer = { state: 'unknown' };
  const over = (gateway: PaymentGateway, shop: Shop): PaymentGateway => {
    const { authorise, inquire, cancel, refund, confirm, reopen, submitCode, submitProof, chooseCoin } = gateway;
    const { chargeSaved, storeCard, refundPart } = gateway;
    return {
      ...gateway,
      authorise: meddled(shop, authorise, unknown),
      inquire: meddled(shop, inquire, unknown),
      cancel: meddled(shop, cancel, unknown),
      refund: meddled(shop, refund, false),
      ...(refundPart && { refundPart: meddled<[PartialRefund], RefundAnswer>(shop, refundPart, false) }),
      ...(confirm && { confirm: meddled(shop, confirm, unknown) }),
      ...(reopen && { reopen: meddled(shop, reopen, unknown) }),
      ...(submitCode && { submitCode: meddled(shop, submitCode, unknown) }),
      ...(submitProof && { submitProof: meddled(shop, submitProof, unknown) }),
      ...(chooseCoin && { chooseCoin: meddled(shop, chooseCoin, unknown) }),
      ...(gateway.removeStoredCard && { removeStoredCard: meddled(shop, gateway.removeStoredCard, false) }),
      ...(chargeSaved && { chargeSaved: meddled(shop, chargeSaved, unknown) }),
      ...(storeCard && { storeCard: meddled<[CardToSave], SaveCardAnswer>(shop, storeCard, { state: 'unknown' }) }),
    };
  };
  return {
    spoil: (fault) => {
      next = fault;
      died = new Promise((resolve) => (tellDeath = () => resolve('died')));
    },
    died: () => died,
    over: (gateways) => {
      const shop = { isDead: false };
      // as: each has the capabilities of the one that it stands before
      return Object.fromEntries(Object.entries(gateways).map(([name, one]) => [name, over(one, shop)])) as Gateways;
    },
  };
}
