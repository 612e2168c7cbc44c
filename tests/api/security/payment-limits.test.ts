import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brands } from '#server/db/schema/brands.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { throttles } from '#server/db/schema/sign-in.ts';
import { aTicket, someWork } from '#tests/builders/a-captcha.ts';
import { aCard, aShop, byPix, type Buyer, type Shop, type Wish } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const byDeclinedCard = (some: Wish = {}): Wish => ({ card: aCard('4000000000000002'), ...some });
const byGoodCard = { card: aCard() };
const codesOf = (answers: readonly { errCode: number | undefined }[]) => answers.map(({ errCode }) => errCode ?? 0);
const times = (count: number, code: number) => Array.from({ length: count }, () => code);

async function sequentially<T>(count: number, act: (n: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let n = 0; n < count; n += 1) done.push(await act(n));
  return done;
}

/** Pays like the storefront: after a refusal again with the same key and a solved captcha. */
async function payWithTicket(buyer: Buyer, some: Wish = byDeclinedCard()) {
  const key = crypto.randomUUID();
  const first = await buyer.pay(some, key);
  return first.errCode === -3035 ? buyer.pay({ ...some, ...someWork(shop, buyer) }, key) : first;
}

/** Other tests pay from the same address. */
const forgetNetwork = () => shop.db.delete(throttles);

describe('declined payments', () => {
  it('require a captcha after three in a row, which pays with the same key and resets the count', async () => {
    const buyer = await shop.buyer();
    expect(codesOf(await sequentially(3, () => buyer.pay(byDeclinedCard())))).toEqual(times(3, 301));
    const key = crypto.randomUUID();
    const required = await buyer.pay(byGoodCard, key);
    expect([required.errCode, required.status]).toEqual([-3035, 400]);
    const wrong = await buyer.pay({ ...byGoodCard, captchaId: 'no-such-captcha-at-all', captcha: 'abcd' }, key);
    expect(wrong.errCode).toBe(-3035);
    const paid = await buyer.pay({ ...byGoodCard, ...(await aTicket(shop, buyer)) }, key);
    expect(paid.data.status).toBe('PAYMENT_SUCCEEDED');
    expect((await buyer.pay(byGoodCard, key)).data.orderId).toBe(paid.data.orderId);
    const another = { card: aCard('4000000000009995') };
    expect(codesOf(await sequentially(3, () => buyer.pay(another)))).toEqual(times(3, 302));
  });

  it('require a captcha for repaying an order, before its pending attempt is cancelled', async () => {
    const buyer = await shop.buyer();
    const orderId = (await buyer.pay(byDeclinedCard({ card: aCard('4000000000009995') }))).params.orderId ?? '';
    expect(codesOf(await sequentially(2, () => buyer.repay(orderId, byDeclinedCard())))).toEqual(times(2, 301));
    expect((await buyer.repay(orderId, byGoodCard)).errCode).toBe(-3035);
    expect((await buyer.repay(orderId, byPix)).data.status).toBe('PAYMENT_PENDING');
    expect((await buyer.repay(orderId, byGoodCard)).errCode).toBe(-3035);
    const attempts = (await shop.books()).attempts.filter((one) => one.orderId === orderId);
    expect(attempts.filter(({ state }) => state === 'PENDING')).toHaveLength(1);
    const paid = await buyer.repay(orderId, { ...byGoodCard, ...someWork(shop, buyer) });
    expect(paid.data.status).toBe('PAYMENT_SUCCEEDED');
  });

  it('delay the customer after ten in an hour, with or without a captcha', async () => {
    await forgetNetwork();
    const buyer = await shop.buyer();
    const cards = ['4000000000000002', '4000000000009995', '4000000000000119', '4000000000000341'];
    const pay = (n: number) => payWithTicket(buyer, { card: aCard(cards[n % cards.length]) });
    expect(codesOf(await sequentially(10, pay)).filter((code) => code < 0)).toEqual([]);
    const refused = await payWithTicket(buyer, byGoodCard);
    expect([refused.errCode, refused.status]).toEqual([-3031, 429]);
    expect(refused.params.waitSeconds).toBeGreaterThan(0);
    expect(refused.params.waitSeconds).toBeLessThanOrEqual(3600);
    shop.clock.advance(3_600_000);
    expect((await payWithTicket(buyer, byGoodCard)).data.status).toBe('PAYMENT_SUCCEEDED');
  });

  it('reach the bank at most ten times if a hundred are sent at once', async () => {
    await forgetNetwork();
    const buyer = await shop.buyer();
    const before = (await shop.books()).charges.length;
    const answers = await Promise.all(Array.from({ length: 100 }, () => buyer.pay(byDeclinedCard())));
    expect(new Set(codesOf(answers))).toEqual(new Set([301, -3035, -3031]));
    expect((await shop.books()).charges.length - before).toBeLessThanOrEqual(10);
  });

  it('are counted per card in production, across customers, without storing its number', async () => {
    await forgetNetwork();
    const production = await aShop(shop.db, { deps: ({ env }) => ({ env: { ...env, SANDBOX: false } }) });
    const card = aCard('4000000000009995');
    const [one, ...others] = await production.buyers(4);
    if (!one) throw new Error('no customers');
    expect(codesOf(await sequentially(3, () => one.pay({ card })))).toEqual(times(3, 302));
    for (const other of others) expect((await other.pay({ card })).errCode).toBe(-3035);
    expect((await others[0]?.pay(byGoodCard))?.data.status).toBe('PAYMENT_SUCCEEDED');
    const keys = (await shop.db.select().from(throttles)).map(({ key }) => key).join('\n');
    expect(keys).not.toContain(card.number);
  });

  it('are counted per network, whose other customers then only need a captcha', { tags: 'slow' }, async () => {
    await forgetNetwork();
    for (const buyer of await shop.buyers(50)) await sequentially(2, () => buyer.pay(byDeclinedCard()));
    const [honest] = await shop.buyers(1);
    if (!honest) throw new Error('no customer');
    expect((await honest.pay(byGoodCard)).errCode).toBe(-3035);
    expect((await payWithTicket(honest, byGoodCard)).data.status).toBe('PAYMENT_SUCCEEDED');
  });
});

describe('the security code of a saved card', () => {
  it('can be guessed three times without a captcha, and ten times a day', async () => {
    await forgetNetwork();
    const buyer = await shop.buyer();
    await buyer.pay({ card: { ...aCard(), save: true } });
    const [saved] = await shop.db.select().from(savedCards).where(eq(savedCards.uid, buyer.uid));
    const guess = { card: undefined, cardId: saved?.cardId ?? '', cardCode: '1234' };
    expect(codesOf(await sequentially(4, () => buyer.pay(guess)))).toEqual([...times(3, 315), -3035]);
    const rest = codesOf(await sequentially(10, () => payWithTicket(buyer, guess)));
    expect(rest).toEqual([...times(7, 315), ...times(3, -3031)]);
    shop.clock.advance(3_600_000);
    expect((await payWithTicket(buyer, guess)).errCode).toBe(-3031);
    // another card of the customer is not affected
    expect((await payWithTicket(buyer, byGoodCard)).data.status).toBe('PAYMENT_SUCCEEDED');
  });
});

describe('unpaid orders', () => {
  it('require a captcha after six, and are limited to twenty per customer', async () => {
    const buyer = await shop.buyer();
    expect(codesOf(await sequentially(7, () => buyer.pay(byPix)))).toEqual([...times(6, 0), -3035]);
    expect(codesOf(await sequentially(16, () => payWithTicket(buyer, byPix)))).toEqual([...times(14, 0), -3031, -3031]);
  });
});

describe('an honest customer', () => {
  it('can pay repeatedly, and can send one key any number of times', { tags: 'slow' }, async () => {
    await forgetNetwork();
    const buyer = await shop.buyer();
    const key = crypto.randomUUID();
    const same = await Promise.all(Array.from({ length: 40 }, () => buyer.pay(byGoodCard, key)));
    expect(new Set(same.map(({ data }) => data.orderId)).size).toBe(1);
    const paid = await sequentially(15, () => buyer.pay({ ...byGoodCard, planId: '102' }));
    expect(codesOf(paid)).toEqual(times(15, 0));
  });
});

describe('card testing', () => {
  const metrics = () => shop.deps.metrics.registry.metrics();

  it('is counted in the metrics, and reported to the operator once a day', async () => {
    const to = 'operations@example.com';
    await shop.db
      .update(brands)
      .set({ alerts: { email: to } })
      .where(eq(brands.code, 'lumen'));
    await shop.deps.catalog.refresh();
    for (const card of ['4000000000000119', '4000000000000341']) {
      await forgetNetwork();
      const [buyer] = await shop.buyers(1);
      if (!buyer) throw new Error('no customer');
      await sequentially(13, () => payWithTicket(buyer, { card: aCard(card) }));
    }
    expect(await metrics()).toMatch(/limit_refusals_total\{limit="payment_wait",brand="lumen"\} [1-9]/);
    expect(await metrics()).toMatch(/limit_refusals_total\{limit="payment_captcha",brand="lumen"\} [1-9]/);
    expect(await metrics()).toMatch(/operator_alerts_total\{kind="card_testing",brand="lumen"\} [1-9]/);
    const mails = await shop.db
      .select({ subject: outbox.subject })
      .from(outbox)
      .where(and(eq(outbox.recipient, to), eq(outbox.brand, 'lumen')));
    // the test deletes all counters for the second card, including the one of the alerts
    expect(mails).toHaveLength(2);
    const [again] = await shop.buyers(1);
    if (again) await sequentially(13, () => payWithTicket(again, { card: aCard('4000000000000341') }));
    expect(await shop.db.$count(outbox, eq(outbox.recipient, to))).toBe(2);
  });
});
