import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { setUserType } from '#server/auth/users.ts';
import { plans } from '#server/db/schema/brands.ts';
import { aRenewing, day, clearRenewals, advanceDays, type Renewing } from '#tests/builders/a-renewal.ts';
import { aCard, aShop, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterEach(() => clearRenewals(shop));
afterAll(() => shop.close());

const turnOff = (ana: Renewing) =>
  shop.request(endpoints.updateRenewStatus, { body: { status: 'off', reason: 'price' } }, ana);
const tokenIn = (mail: string) => /renewal\?token=([\w-]+)/.exec(mail)?.[1] ?? expect.fail('no link');

describe('a renewal that is turned off', () => {
  it('is off at once without affecting the paid days, is confirmed, and charges nothing', async () => {
    const ana = await aRenewing(shop);
    const { paid: ends } = await ana.access();
    const off = await turnOff(ana);
    expect(off.data).toMatchObject({ status: 'off', endsAt: ends, card: { last4: '4242' } });
    expect(await ana.mail('off')).toContain('As you asked');
    expect((await turnOff(ana)).errCode).toBe(6204);
    await advanceDays(shop, 31);
    expect(await ana.charges()).toEqual([]);
    expect(await ana.told()).toEqual(['off']);
    expect(await ana.access()).toMatchObject({ paid: ends });
    expect((await ana.info()).status).toBe('ended');
    expect((await turnOff(ana)).errCode).toBe(6202);
    const price = { amount: 1990, currency: 'BRL' };
    const on = await shop.request(endpoints.updateRenewStatus, { body: { status: 'on', price } }, ana);
    expect(on.errCode).toBe(6202);
  });

  it('can be turned on again before its end without a payment, at the current price', async () => {
    const ana = await aRenewing(shop);
    const { paid: ends } = await ana.access();
    await turnOff(ana);
    const { terms } = await ana.info();
    const body = { status: 'on' as const, price: terms.price };
    const on = await shop.request(endpoints.updateRenewStatus, { body }, ana);
    expect(on.data).toMatchObject({ status: 'on', terms: { nextChargeAt: ends - day }, card: { last4: '4242' } });
    expect((await shop.books()).charges.filter(({ status }) => status === 'paid')).toHaveLength(2);
    await advanceDays(shop, 30);
    expect(await ana.charges()).toHaveLength(1);
  });

  it('is on again with the next plan that renews', async () => {
    const ana = await aRenewing(shop);
    await turnOff(ana);
    await advanceDays(shop, 31);
    await ana.pay({ planId: '102', renew: true });
    expect(await ana.info()).toMatchObject({ status: 'on', terms: { planId: '102', days: 180 }, history: [] });
  });

  it('can be turned on for another plan that was bought without a renewal', async () => {
    const ana = await aRenewing(shop);
    await turnOff(ana);
    await ana.pay({ planId: '102' });
    expect(await ana.info()).toMatchObject({ status: 'off', terms: { planId: '102', days: 180 } });
    const { terms } = await ana.info();
    await shop.request(endpoints.updateRenewStatus, { body: { status: 'on', price: terms.price } }, ana);
    expect(await ana.info()).toMatchObject({ status: 'on', terms: { planId: '102' } });
  });
});

describe('the link in a renewal notice', () => {
  it('shows the renewal without a login, and turns it off', async () => {
    const ana = await aRenewing(shop);
    const { paid: ends } = await ana.access();
    await advanceDays(shop, 23);
    const token = tokenIn(await ana.mail('notice'));
    const shown = await shop.request(endpoints.renewalByLink, { body: { token } });
    const terms = { planId: '101', planName: 'Monthly', price: { amount: 1990, currency: 'BRL' }, days: 30 };
    expect(shown.data).toEqual({ status: 'on', terms: { ...terms, nextChargeAt: ends - day }, endsAt: ends });
    expect((await shop.request(endpoints.stopRenewalByLink, { body: { token } })).data).toEqual({ endsAt: ends });
    expect((await shop.request(endpoints.stopRenewalByLink, { body: { token } })).errCode).toBe(6204);
    expect((await shop.request(endpoints.renewalByLink, { body: { token } })).data.status).toBe('off');
    await advanceDays(shop, 8);
    expect(await ana.charges()).toEqual([]);
    expect((await shop.request(endpoints.stopRenewalByLink, { body: { token } })).errCode).toBe(6202);
  });

  it('is invalid for another brand, with another token and after its expiry', async () => {
    const ana = await aRenewing(shop);
    await advanceDays(shop, 23);
    const token = tokenIn(await ana.mail('notice'));
    const errorOf = async (body: { token: string }, host?: string) =>
      (await shop.request(endpoints.renewalByLink, { body }, { host })).errCode;
    expect(await errorOf({ token }, 'mego.localhost')).toBe(10302);
    expect(await errorOf({ token: `${token.slice(0, -4)}abcd` })).toBe(10302);
    expect((await shop.request(endpoints.stopRenewalByLink, { body: { token: 'x'.repeat(40) } })).errCode).toBe(10302);
    shop.clock.advance(45 * day);
    expect(await errorOf({ token })).toBe(10302);
  });

  it('is refused during a charge', async () => {
    const ana = await aRenewing(shop, { card: aCard('4000000000002024') });
    await advanceDays(shop, 29);
    const token = tokenIn(await ana.mail('notice'));
    expect((await shop.request(endpoints.stopRenewalByLink, { body: { token } })).errCode).toBe(6207);
  });
});

describe('a renewal that the server turns off', () => {
  it('because the plan is no longer sold is reported in time', async () => {
    const ana = await aRenewing(shop, { planId: '302' });
    await shop.db.update(plans).set({ active: false }).where(eq(plans.id, '302'));
    await shop.deps.catalog.refresh();
    expect(await ana.info()).toMatchObject({ status: 'on', offered: false });
    await advanceDays(shop, 175, 24);
    expect(await ana.told()).toEqual(['off']);
    expect(await ana.mail('off')).toContain('no longer offered this way');
    const body = { status: 'on', price: (await ana.info()).terms.price } as const;
    expect((await shop.request(endpoints.updateRenewStatus, { body }, ana)).errCode).toBe(2001);
    await advanceDays(shop, 6);
    expect(await ana.charges()).toEqual([]);
    await shop.db.update(plans).set({ active: true });
    await shop.deps.catalog.refresh();
  });

  it('because the customer is blocked charges nothing', async () => {
    const ana = await aRenewing(shop);
    await setUserType(shop.db, { brand: 'lumen', uid: ana.uid }, 'BLOCKED', shop.clock.now);
    await advanceDays(shop, 31);
    expect(await ana.charges()).toEqual([]);
    expect((await ana.row()).status).toBe('ended');
  });
});
