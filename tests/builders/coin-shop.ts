import * as endpoints from '#contract/index.ts';
import type { NextStep } from '#contract/next-step.ts';
import { sandboxGateways } from '#sandbox/gateway/gateway.ts';
import { bankKey, noticeSecret } from '#sandbox/gateway/protocol.ts';
import type { SendRequest } from '#server/payments/send-provider-request.ts';
import { bankApi } from '#sandbox/bank/api.ts';
import { aShop, type Buyer, type Shop } from './a-shop.ts';

/** Forwards a request to the cryptocurrency provider, or fails it. */
export type Wire = (request: Request, onward: SendRequest) => Promise<Response>;

/** A payment in cryptocurrency. */
export const inCoins = (firstName = 'Ana') => ({
  methodCode: 'crypto',
  currency: 'USD',
  card: undefined,
  payer: { firstName, lastName: 'Lima' },
});

/** A shop whose connection to the cryptocurrency provider can be interrupted. */
export function aCoinShop(wire: () => Wire = () => (request, onward) => onward(request)): Promise<Shop> {
  return aShop(undefined, {
    deps: (base) => {
      const bank = bankApi(base);
      const onward: SendRequest = async (request) => bank.fetch(request);
      const send: SendRequest = (request) => wire()(request, onward);
      const keys = { apiKey: bankKey(base.env), noticeSecret: noticeSecret(base.env) };
      const { coins } = sandboxGateways({ origin: 'http://a.bank', send, ...keys });
      return { gateways: { ...base.gateways, coins } };
    },
  });
}

/** The calls of a customer who pays in cryptocurrency. */
export function coinStories(shop: Shop) {
  const choose = (ana: Buyer, orderId: string, coin: string) =>
    shop.request(endpoints.paymentCrypto, { body: { orderId, coin } }, ana);
  const nextOf = async (ana: Buyer, orderId: string) =>
    (await shop.request(endpoints.paymentInfo, { body: { orderId } }, ana)).data.next;
  return {
    choose,
    nextOf,
    chosenOf: async (ana: Buyer, orderId: string) => coinsOf(await nextOf(ana, orderId)).chosen,
    orderOf: async (ana: Buyer, orderId: string) =>
      (await shop.request(endpoints.order, { params: { id: orderId } }, ana)).data,
    booked: async (orderId: string) =>
      (await shop.books()).ledger
        .filter((entry) => entry.orderId === orderId)
        .map(({ kind, amount, currency }) => `${kind} ${amount} ${currency}`)
        .toSorted(),
    chargeOf: async (orderId: string) => {
      const { attempts, charges } = await shop.books();
      const key = attempts.find((attempt) => attempt.orderId === orderId)?.id ?? '';
      return { key, details: charges.find((charge) => charge.key === key)?.details ?? {} };
    },
    pageText: async (page: string) => (await shop.app.request(page)).text(),
    /** advances the clock until an arrival is confirmed and its notice is delivered */
    confirm: async () => {
      await shop.deliver(6000);
      await shop.deliver(300);
    },
    anOrder: async () => {
      const ana = await shop.buyer();
      const { data } = await ana.pay(inCoins());
      return { ana, ...data, step: coinsOf(data.next) };
    },
    anAddress: async (coin = 'usdt-tron') => {
      const ana = await shop.buyer();
      const { orderId } = (await ana.pay(inCoins())).data;
      const { chosen, page, expiresAt } = coinsOf((await choose(ana, orderId, coin)).data.next);
      if (!chosen) throw new Error('no coin was chosen');
      return { ana, orderId, chosen, page, expiresAt };
    },
  };
}

export function coinsOf(next: NextStep) {
  if (next.type !== 'crypto') throw new Error(`no coins but ${next.type}`);
  return { ...next, page: next.bankUrl ?? '' };
}
