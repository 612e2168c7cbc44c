import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { openStripe } from '#server/payments/stripe/gateway.ts';
import { byPix } from '#tests/builders/a-shop.ts';
import { aStripeShop, byCard, pageAt, whenever, type StripeShop } from '#tests/builders/stripe-shop.ts';
import type { Fault } from '#tests/fixtures/stripe/stand-in.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await aStripeShop();
});
afterAll(async () => {
  expect(shop.stripe.problems).toEqual([]);
  await shop.close();
});

const create = 'POST /v1/checkout/sessions';
const charge = 'POST /v1/payment_intents';

/** The number of succeeded payments at Stripe. */
const taken = () => [...shop.stripe.account.payments.values()].filter(({ status }) => status === 'succeeded').length;

/** A customer with a saved card, which behaves from now on like the test card with this number. */
async function withCard(number?: string) {
  const ana = await shop.buyer();
  const { data } = await ana.pay({ ...byCard, saveCard: true });
  shop.stripe.payAt(pageAt(data.next));
  await shop.back(data);
  shop.stripe.account.events.splice(0);
  const card = [...shop.stripe.account.cards.values()].at(-1);
  if (card && number !== undefined) card.number = number;
  const { data: cards } = await shop.request(endpoints.listCard, { body: {} }, ana);
  const { cardId } = cards[0] ?? expect.fail('no card was kept');
  return { ana, cardId, paysBy: { ...byCard, cardId } };
}

/** Ways to lose the answer to a request that Stripe has processed. */
const lostAfter: readonly (readonly [string, Fault])[] = [
  ['a cut wire', 'after'],
  ['an error of Stripe', 'doneThen500'],
];
/** Ways to lose the request before Stripe has processed it. */
const lostBefore: readonly (readonly [string, Fault])[] = [
  ['a cut wire', 'before'],
  ['an error of Stripe', 500],
  ['too many requests', 429],
  ['a lock', 'conflict'],
];

describe('a lost answer to a request for a new page', () => {
  it.each(lostAfter)('by %s after it was created leads the payer to the same page later', async (_what, fault) => {
    const ana = await shop.buyer();
    const pages = shop.stripe.account.pages.size;
    shop.stripe.spoil(whenever(create, fault));
    const { data } = await ana.pay(byCard);
    shop.stripe.spoil(undefined);
    expect(data).toMatchObject({ status: 'SUBMITTED', next: { type: 'none' } });
    await shop.reconciled();
    const info = await shop.request(endpoints.paymentInfo, { body: { orderId: data.orderId } }, ana);
    expect(shop.stripe.account.pages.size).toBe(pages + 1);
    shop.stripe.payAt(pageAt(info.data.next));
    expect((await shop.back(data)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await shop.booked(data.orderId)).toEqual(['capture']);
  });

  it.each(lostBefore)('by %s before it was created fails the attempt and closes its key', async (_what, fault) => {
    const ana = await shop.buyer();
    shop.stripe.spoil(whenever(create, fault));
    const { data } = await ana.pay(byCard);
    shop.stripe.spoil(undefined);
    expect(data.status).toBe('SUBMITTED');
    await shop.reconciled();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_FAILED');
    const { id: key } = await shop.tryOf(data.orderId);
    // the lost request arrives after all, and Stripe refuses it
    const late = await fetch(`${shop.stripe.env.STRIPE_API_BASE}/v1/checkout/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.stripe.env.STRIPE_SECRET_KEY}`, 'idempotency-key': key },
      body: new URLSearchParams({ mode: 'setup', currency: 'brl' }),
    });
    expect(await late.json()).toMatchObject({ error: { type: 'idempotency_error' } });
    const { data: again } = await ana.repay(data.orderId, byCard);
    shop.stripe.payAt(pageAt(again.next));
    expect((await shop.back(again)).data.status).toBe('PAYMENT_SUCCEEDED');
  });

  it('during an outage concludes nothing before Stripe answers', async () => {
    const ana = await shop.buyer();
    shop.stripe.spoil(() => 500);
    const { data } = await ana.pay(byCard);
    await shop.reconciled();
    shop.stripe.spoil(undefined);
    expect(await shop.statusOf(ana, data.orderId)).toBe('SUBMITTED');
    await shop.reconciled();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_FAILED');
  });

  it('that is older than the idempotency keys of Stripe is resolved by its lists', async () => {
    const ana = await shop.buyer();
    shop.stripe.spoil((asked) => (asked.method === 'POST' ? 'doneThen500' : 500));
    const { data } = await ana.pay(byPix);
    shop.clock.advance(25 * 60 * 60_000);
    shop.stripe.spoil(undefined);
    const before = shop.stripe.asked.length;
    await shop.reconciled();
    expect((await shop.tryOf(data.orderId)).state).toBe('EXPIRED');
    expect(shop.stripe.asked.slice(before).every(({ method }) => method === 'GET')).toBe(true);
  });
});

describe('a lost answer to a charge of a saved card', () => {
  it.each(lostAfter)('by %s after it was made is found paid once', async (_what, fault) => {
    const { ana, paysBy } = await withCard();
    const before = taken();
    shop.stripe.spoil(whenever(charge, fault));
    const { data } = await ana.pay(paysBy);
    shop.stripe.spoil(undefined);
    expect(data.status).toBe('SUBMITTED');
    await shop.reconciled();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
    expect(taken()).toBe(before + 1);
    expect(await shop.booked(data.orderId)).toEqual(['capture']);
  });

  it('before it was made charges nothing, and only the next attempt pays', async () => {
    const { ana, paysBy } = await withCard();
    const before = taken();
    shop.stripe.spoil(whenever(charge, 500));
    const { data } = await ana.pay(paysBy);
    shop.stripe.spoil(undefined);
    await shop.reconciled();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_FAILED');
    expect((await ana.repay(data.orderId, paysBy)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect(taken()).toBe(before + 1);
  });

  it('after a decline still reports the reason', async () => {
    const { ana, cardId } = await withCard('4000000000000341');
    shop.stripe.spoil(whenever(charge, 'doneThen500'));
    const { data } = await ana.pay({ ...byCard, cardId });
    shop.stripe.spoil(undefined);
    await shop.reconciled();
    const { data: order } = await shop.request(endpoints.order, { params: { id: data.orderId } }, ana);
    expect(order).toMatchObject({ status: 'PAYMENT_FAILED', failureCode: 5015 });
  });
});

describe('no answer of Stripe at all', () => {
  /** Runs with a timeout of 250 ms instead of twenty seconds. */
  const withShortTimeout = async <T>(work: () => Promise<T>): Promise<T> => {
    const { stripe: usual } = shop.deps.gateways;
    Object.assign(shop.deps.gateways, openStripe(shop.deps, { timeoutMs: 250 }));
    return work().finally(() => Object.assign(shop.deps.gateways, { stripe: usual }));
  };

  it.each([
    ['was never heard', 'silence', 'PAYMENT_FAILED', 0],
    ['was made all the same', 'doneThenSilence', 'PAYMENT_SUCCEEDED', 1],
  ] as const)(
    'to a charge that %s is resolved by a query, and the customer pays once',
    async (_what, fault, end, paid) => {
      const { ana, paysBy } = await withCard();
      const before = taken();
      const key = crypto.randomUUID();
      const body = await ana.body(paysBy);
      const pay = () => shop.request(endpoints.pay, { body }, { ...ana, idempotencyKey: key });
      shop.stripe.spoil(whenever(charge, fault));
      const { data } = await withShortTimeout(pay);
      expect(data).toMatchObject({ status: 'SUBMITTED', next: { type: 'none' } });
      // while Stripe does not answer, a query or a repeated request concludes and charges nothing
      shop.stripe.spoil(() => 'silence');
      await withShortTimeout(() => shop.reconciled());
      expect(await shop.statusOf(ana, data.orderId)).toBe('SUBMITTED');
      expect((await withShortTimeout(pay)).data).toMatchObject({ orderId: data.orderId, status: 'SUBMITTED' });
      shop.stripe.spoil(undefined);
      await shop.reconciled();
      expect(await shop.statusOf(ana, data.orderId)).toBe(end);
      expect(taken()).toBe(before + paid);
      expect((await ana.repay(data.orderId, paysBy)).data.status).toBe('PAYMENT_SUCCEEDED');
      expect(taken()).toBe(before + 1);
      expect(await shop.booked(data.orderId)).toEqual(['capture']);
    },
  );
});

describe('a failure of any other call', () => {
  it('keeps the payment pending for the returning payer, and the job completes it', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byCard);
    shop.stripe.payAt(pageAt(data.next));
    shop.stripe.spoil(() => 429);
    expect((await shop.back(data)).data.status).toBe('PAYMENT_PENDING');
    shop.stripe.spoil(undefined);
    await shop.reconciled();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
  });

  it.each(['doneThen500', 500] as const)('to close a page (%s) closes it or keeps it, never both', async (fault) => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byCard);
    shop.stripe.spoil(whenever('/expire', fault));
    const { data: kept } = await ana.repay(data.orderId, byPix);
    shop.stripe.spoil(undefined);
    expect(kept.next).toEqual(data.next);
    const { data: pix } = await ana.repay(data.orderId, byPix);
    expect(pix.next.type).toBe('qr');
    expect(() => shop.stripe.payAt(pageAt(data.next))).toThrow('expired');
  });

  it.each(['after', 'doneThen500', 500] as const)('to refund (%s) results in one refund', async (fault) => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byCard);
    shop.stripe.payAt(pageAt(data.next));
    await shop.back(data);
    const { id: key } = await shop.tryOf(data.orderId);
    const before = shop.stripe.account.refunds.size;
    shop.stripe.spoil(whenever('POST /v1/refunds', fault));
    expect(await shop.deps.gateways['stripe']?.refund(key)).toBe(false);
    shop.stripe.spoil(undefined);
    expect(await shop.deps.gateways['stripe']?.refund(key)).toBe(true);
    expect(shop.stripe.account.refunds.size).toBe(before + 1);
  });
});

it('one key creates one page, also if it is sent several times at once', async () => {
  const ana = await shop.buyer();
  const pages = shop.stripe.account.pages.size;
  const key = crypto.randomUUID();
  const body = await ana.body(byCard);
  const answers = await Promise.all(
    [1, 2, 3].map(() => shop.request(endpoints.pay, { body }, { ...ana, idempotencyKey: key })),
  );
  expect(new Set(answers.map(({ data }) => data.orderId)).size).toBe(1);
  expect(shop.stripe.account.pages.size).toBe(pages + 1);
});
