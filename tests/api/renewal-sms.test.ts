import { and, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { plans } from '#server/db/schema/brands.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { throttles } from '#server/db/schema/sign-in.ts';
import { users } from '#server/db/schema/users.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { aRenewing, day, clearRenewals, advanceDays, type Renewing } from '#tests/builders/a-renewal.ts';
import { aCard, aShop, type Shop, type Wish } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterEach(async () => {
  await clearRenewals(shop);
  await setPrice(1990);
  await shop.db.delete(throttles);
});
afterAll(() => shop.close());

async function setPrice(amount: number): Promise<void> {
  const month = and(eq(plans.brand, 'lumen'), eq(plans.id, '101'));
  await shop.db
    .update(plans)
    .set({ prices: { BRL: amount, USD: 399 } })
    .where(month);
  await shop.deps.catalog.refresh();
}

let phoneCount = 0;

/** A customer who signed up with a phone number, in Portuguese, and has no email address. */
async function byNumber(wish: Wish = {}): Promise<{ ana: Renewing; texts: () => Promise<string[]> }> {
  const ana = await aRenewing(shop, wish);
  const number = `5511987650${String((phoneCount += 1)).padStart(3, '0')}`;
  const named = { account: number, accountType: 'phone', areaCode: '55', email: null, language: 'pt' } as const;
  await shop.db.update(users).set(named).where(eq(users.uid, ana.uid));
  const texts = async () => {
    const rows = await shop.db.select().from(outbox).where(eq(outbox.recipient, number)).orderBy(outbox.createdAt);
    expect(rows.filter(({ channel }) => channel !== 'sms')).toEqual([]);
    return rows.map(({ text }) => text);
  };
  return { ana, texts };
}

describe('renewal messages by SMS to a customer without an email address', () => {
  it('announce the charge a week before in their language, with a link that turns the renewal off', async () => {
    const { ana, texts } = await byNumber();
    const { paid: ends } = await ana.access();
    await advanceDays(shop, 28);
    const [notice = '', ...more] = await texts();
    expect(more).toEqual([]);
    expect(notice).toMatch(
      /^Lumen: seu plano será renovado em \d+ de \w+ de \d{4} por R\$ 19,90.* http:\/\/localhost:3000\/renewal\?token=[\w-]+&language=pt$/,
    );
    const token = /token=([\w-]+)/.exec(notice)?.[1] ?? '';
    const stopped = await shop.request(endpoints.stopRenewalByLink, { body: { token } });
    expect(stopped.data).toEqual({ endsAt: ends });
    await advanceDays(shop, 3);
    expect(await texts()).toHaveLength(1);
    expect(await ana.charges()).toEqual([]);
  });

  it('report each decline once, and the end', async () => {
    const { ana, texts } = await byNumber({ card: aCard('4000000000003022') });
    await advanceDays(shop, 45);
    const kinds = (await texts()).map((text) => /será renovado|recusado|terminou/.exec(text)?.[0]);
    expect(kinds).toEqual(['será renovado', 'recusado', 'recusado', 'recusado', 'recusado', 'terminou']);
    expect((await texts())[4]).toContain('pela última vez');
    expect((await texts())[5]).toContain('http://localhost:3000/plan-details/101?la=pt');
    expect((await ana.info()).status).toBe('ended');
  });

  it('report a required authentication, another price, and a card that expires', async () => {
    const authenticating = await byNumber({ card: aCard('4000000000004012') });
    const now = new Date(shop.clock.now);
    const expiry = `${String(now.getUTCMonth() + 1).padStart(2, '0')}/${String(now.getUTCFullYear() % 100)}`;
    const expiring = await byNumber({ card: { ...aCard(), expiry } });
    const priceRise = await byNumber();
    await advanceDays(shop, 20);
    await setPrice(2490);
    await advanceDays(shop, 4);
    expect(await priceRise.texts()).toEqual([expect.stringContaining('R$ 24,90')]);
    expect((await priceRise.texts())[0]).toContain('/account?la=pt');
    await setPrice(1990);
    expect(await expiring.texts()).toHaveLength(1);
    await advanceDays(shop, 6);
    expect((await expiring.texts()).some((text) => text.includes('vence antes'))).toBe(true);
    expect((await authenticating.texts()).at(-1)).toContain('/payment?orderId=');
  });

  it('arrive even if the SMS provider fails for a day', async () => {
    const { ana, texts } = await byNumber();
    await advanceDays(shop, 22, 24);
    while ((await texts()).length === 0) await advanceDays(shop, 0.25);
    const { account } = ana;
    expect(account).toContain('@');
    const failingSms = { send: () => Promise.reject(new Error('away')) };
    await sendOutbox({ ...shop.deps, sms: failingSms });
    shop.clock.advance(day);
    const [notice = ''] = await texts();
    await sendOutbox(shop.deps);
    expect(shop.texted.map(({ text }) => text).filter((text) => text === notice)).toHaveLength(1);
    expect(shop.texted.every(({ to }) => /^\d+$/.test(to))).toBe(true);
  });
});

describe('renewal messages by SMS after requests for codes have used up the SMS budget', () => {
  beforeEach(async () => {
    const resetsAt = Number.MAX_SAFE_INTEGER;
    await shop.db.insert(throttles).values({ key: 'sms of lumen day', count: 1_000_000, resetsAt });
  });

  it('announce a charge, and report nothing else about a declined card', async () => {
    const { ana, texts } = await byNumber({ card: aCard('4000000000003022') });
    await advanceDays(shop, 45);
    const kinds = (await texts()).map((text) => /será renovado|Tentamos de novo|última vez|terminou/.exec(text)?.[0]);
    expect(kinds).toEqual(['será renovado', 'Tentamos de novo', 'Tentamos de novo', 'Tentamos de novo']);
    expect((await ana.info()).status).toBe('ended');
  });

  it('ask about a higher price, and report neither an authentication nor an expiring card', async () => {
    const authenticating = await byNumber({ card: aCard('4000000000004012') });
    const now = new Date(shop.clock.now);
    const expiry = `${String(now.getUTCMonth() + 1).padStart(2, '0')}/${String(now.getUTCFullYear() % 100)}`;
    const expiring = await byNumber({ card: { ...aCard(), expiry } });
    const priceRise = await byNumber();
    await advanceDays(shop, 20);
    await setPrice(2490);
    await advanceDays(shop, 4);
    expect(await priceRise.texts()).toEqual([expect.stringContaining('R$ 24,90')]);
    await setPrice(1990);
    await advanceDays(shop, 6);
    const others = [...(await authenticating.texts()), ...(await expiring.texts())];
    expect(others.filter((text) => text.includes('vence antes') || text.includes('/payment?orderId='))).toEqual([]);
    expect(others.some((text) => text.includes('será renovado'))).toBe(true);
  });
});
