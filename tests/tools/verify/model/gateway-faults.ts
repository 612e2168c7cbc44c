import type { CardToSave, GatewayAnswer, Gateways, SaveCardAnswer, PaymentGateway } from '#server/payments/gateway.ts';
import type { PartialRefund, RefundAnswer } from '#server/payments/terms.ts';

/**
 * The faults of the next call to a provider: it is lost, its response is lost, it arrives twice, or the shop is killed
 * before or after it. The calls of a killed shop stay pending forever; `died` resolves instead.
 */
export const faults = ['before', 'after', 'twice', 'dieBefore', 'dieAfter'] as const;
export type Fault = (typeof faults)[number];

/** Injects faults into the calls to the providers. */
export interface GatewayFaults {
  /** sets the fault of the next call */
  spoil(fault: Fault | undefined): void;
  /** resolves when the shop is killed after the last `spoil` */
  died(): Promise<'died'>;
  /** wraps the gateways of a starting shop, so that their calls can fail */
  over(gateways: Gateways): Gateways;
}

interface Shop {
  isDead: boolean;
}

export function openGatewayFaults(): GatewayFaults {
  let next: Fault | undefined;
  let resolveDied: () => void = () => {};
  let died: Promise<'died'> = new Promise(() => {});
  const takeFault = () => {
    const fault = next;
    next = undefined;
    return fault;
  };
  const kill = <T>(shop: Shop) => {
    shop.isDead = true;
    resolveDied();
    return new Promise<T>(() => {});
  };
  const withFaults =
    <A extends unknown[], R>(shop: Shop, call: (...args: A) => Promise<R>, lost: R) =>
    async (...args: A): Promise<R> => {
      const fault = takeFault();
      if (fault === 'before') return lost;
      if (fault === 'dieBefore' || shop.isDead) return kill(shop);
      const answer = await call(...args);
      if (fault === 'dieAfter' || shop.isDead) return kill(shop);
      if (fault === 'twice') return call(...args);
      return fault === 'after' ? lost : answer;
    };
  const unknown: GatewayAnswer = { state: 'unknown' };
  const wrapGateway = (gateway: PaymentGateway, shop: Shop): PaymentGateway => {
    const { authorise, inquire, cancel, refund, confirm, reopen, submitCode, submitProof, chooseCoin } = gateway;
    const { chargeSaved, storeCard, refundPart } = gateway;
    return {
      ...gateway,
      authorise: withFaults(shop, authorise, unknown),
      inquire: withFaults(shop, inquire, unknown),
      cancel: withFaults(shop, cancel, unknown),
      refund: withFaults(shop, refund, false),
      ...(refundPart && { refundPart: withFaults<[PartialRefund], RefundAnswer>(shop, refundPart, false) }),
      ...(confirm && { confirm: withFaults(shop, confirm, unknown) }),
      ...(reopen && { reopen: withFaults(shop, reopen, unknown) }),
      ...(submitCode && { submitCode: withFaults(shop, submitCode, unknown) }),
      ...(submitProof && { submitProof: withFaults(shop, submitProof, unknown) }),
      ...(chooseCoin && { chooseCoin: withFaults(shop, chooseCoin, unknown) }),
      ...(gateway.removeStoredCard && { removeStoredCard: withFaults(shop, gateway.removeStoredCard, false) }),
      ...(chargeSaved && { chargeSaved: withFaults(shop, chargeSaved, unknown) }),
      ...(storeCard && { storeCard: withFaults<[CardToSave], SaveCardAnswer>(shop, storeCard, { state: 'unknown' }) }),
    };
  };
  return {
    spoil: (fault) => {
      next = fault;
      died = new Promise((resolve) => (resolveDied = () => resolve('died')));
    },
    died: () => died,
    over: (gateways) => {
      const shop = { isDead: false };
      // as: each has the capabilities of the gateway that it wraps
      return Object.fromEntries(
        Object.entries(gateways).map(([name, one]) => [name, wrapGateway(one, shop)]),
      ) as Gateways;
    },
  };
}
