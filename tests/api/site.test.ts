import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '../../src/contract/index.ts';
import { analyticsVersion } from '../../src/contract/limits.ts';
import { dynamicConfigTypeSchema } from '../../src/contract/site.ts';
import { languages } from '../../src/contract/fields.ts';
import { callAsVisitor } from '../../src/server/call-as-visitor.ts';
import { analyticsEvents, plans, users } from '../../src/server/db/schema.ts';
import { testApp, testNow, type TestApp } from '../builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

const dayMs = 86_400_000;
const mego = { host: 'mego.localhost' };

describe('a visitor', () => {
  it('sees the plans of the brand in its currency, not final before login', async () => {
    const { data, headers } = await shop.request(endpoints.listPlans, { query: { language: 'pt' } });
    expect(data.final).toBe(false);
    expect(data.plans.map(({ id, days, devices }) => [id, days, devices])).toEqual([
      ['101', 30, 1],
      ['102', 180, 1],
      ['103', 365, 1],
      ['301', 30, 3],
      ['302', 180, 3],
      ['303', 365, 3],
    ]);
    expect(data.plans[0]).toEqual({
      id: '101',
      name: 'Mensal',
      days: 30,
      devices: 1,
      price: { amount: 1990, currency: 'BRL' },
      recommended: false,
      discounts: [{ methodCode: 'pix', name: 'Pix', discount: 5 }],
    });
    expect(headers.get('Cache-Control')).toContain('public');
  });

  it('gets final prices once signed in, and that answer is nobody else’s to keep', async () => {
    const { token } = await shop.customer();
    const { data, headers } = await shop.request(endpoints.listPlans, { query: { language: 'pt' } }, { token });
    expect(data.final).toBe(true);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect((await shop.request(endpoints.listPlans, { query: { language: 'pt' } })).data.final).toBe(false);
  });

  it.each(languages)('reads every plan in %s', async (language) => {
    for (const host of ['localhost', 'mego.localhost']) {
      const { data } = await shop.request(endpoints.listPlans, { query: { language } }, { host });
      for (const { id, name } of data.plans) {
        const detail = await shop.request(
          endpoints.planDetail,
          { params: { id }, query: { llanguage: language } },
          { host },
        );
        expect(detail.data.name).toBe(name);
        expect(detail.data.description).not.toBe('');
        expect(detail.data.features.length).toBeGreaterThan(2);
      }
    }
  });

  it('sees plans in another currency of the brand, and none in one that it does not sell in', async () => {
    const usd = await shop.request(endpoints.listPlans, { query: { language: 'en', currency: 'USD' } });
    expect(usd.data.plans[0]?.price).toEqual({ amount: 399, currency: 'USD' });
    const rub = await shop.request(endpoints.listPlans, { query: { language: 'en', currency: 'RUB' } });
    expect(rub.data.plans).toEqual([]);
  });

  it('converts one plan’s price, and is told when there is no rate', async () => {
    const convert = (currency: string) =>
      shop.request(endpoints.planConvert, { query: { planId: '201' }, body: { currency } }, mego);
    expect((await convert('RUB')).data.price).toEqual({ amount: 39_900, currency: 'RUB' });
    expect(await convert('EUR')).toMatchObject({ status: 422, errCode: 1030 });
  });

  it('is told 404 for a plan that this brand does not have', async () => {
    const answer = await shop.request(
      endpoints.planDetail,
      { params: { id: '101' }, query: { llanguage: 'en' } },
      mego,
    );
    expect(answer).toMatchObject({ status: 404, errCode: 6001 });
    const discount = await shop.request(endpoints.planMethodDiscount, { query: { planId: '999' } });
    expect(discount.errCode).toBe(6001);
  });

  it('reads privacy, terms and help with the name of the brand, in all languages', async () => {
    for (const type of dynamicConfigTypeSchema.options) {
      for (const code of languages) {
        const { data } = await shop.request(endpoints.dynamicConfig, { query: { type, code } }, mego);
        expect(data.sections.length).toBeGreaterThan(4);
        expect(JSON.stringify(data)).toContain(type === 'help' ? 'help@mego.example' : 'Mego');
        expect(JSON.stringify(data)).not.toContain('Lumen');
      }
    }
  });

  it('learns how to reach the people behind the brand, and nothing of what it does not have', async () => {
    const { data, headers } = await shop.request(endpoints.contactUs, {});
    expect(data).toEqual({ email: 'ajuda@lumen.example', phone: '+55 11 4002-8922' });
    expect(headers.get('Cache-Control')).toContain('public');
    expect((await shop.request(endpoints.contactUs, {}, mego)).data).toEqual({
      email: 'help@mego.example',
      chatLink: 'https://chat.mego.example/help',
    });
  });

  it('gets what the pages start from', async () => {
    expect((await shop.request(endpoints.theme, {})).data).toEqual({
      name: 'Lumen',
      themeColor: '#6D3BEB',
      tenantId: 'lumen',
    });
    expect((await shop.request(endpoints.siteConfig, {}, mego)).data).toMatchObject({
      defaultLang: 'en',
      chatLink: 'https://chat.mego.example/help',
      langs: ['en', 'ru', 'pt', 'es'],
    });
    const address = await shop.request(endpoints.langAddress, {});
    expect(address.data).toEqual({ path: '/api/site/i18n/message', functionPath: '/api/site/function/config' });
    expect((await shop.request(endpoints.functionConfig, {})).data.webConfig).toEqual({
      brand: 'Lumen',
      defaultLang: 'pt',
    });
    expect((await shop.request(endpoints.getCountryCode, {})).data).toEqual({ countryCode: '' });
    expect((await shop.request(endpoints.banner, { query: { language: 'es' } })).data[0]?.text).toContain('Pix');
    const words = await shop.request(endpoints.i18nMessage, { query: { language: 'pt' } });
    expect(words.data['errCode.2008']).toContain('Lumen');
    expect((await shop.request(endpoints.i18nVersion, {})).data.version).toMatch(/^[0-9a-f]{12}$/);
  });

  it('finds telephone codes under names in their language', async () => {
    const { data } = await shop.request(endpoints.areaCodes, {}, { headers: { Language: 'es' } });
    expect(data).toContainEqual({ country: 'BR', name: 'Brasil', areaCode: '55' });
    const english = await shop.request(endpoints.areaCodes, {}, { headers: { Language: 'en' } });
    expect(english.data).toContainEqual({ country: 'BR', name: 'Brazil', areaCode: '55' });
  });
});

describe('a customer', () => {
  it('may buy a plan, and is told when it would end', async () => {
    const { token, uid } = await shop.customer();
    const ask = () => shop.request(endpoints.checkPlanAvailable, { body: { planId: '101' } }, { token });
    expect((await ask()).data.expiryAfter).toBe(testNow + 30 * dayMs);
    const expiredTime = testNow + 10 * dayMs;
    await shop.db.update(users).set({ limitCount: 1, expiredTime }).where(eq(users.uid, uid));
    expect((await ask()).data.expiryAfter).toBe(expiredTime + 30 * dayMs);
  });

  it('with several devices running cannot take a plan for one until it has ended', async () => {
    const { token, uid } = await shop.customer();
    const expiredTime = testNow + dayMs;
    await shop.db.update(users).set({ planId: '301', limitCount: 3, expiredTime }).where(eq(users.uid, uid));
    const ask = (planId: string) => shop.request(endpoints.checkPlanAvailable, { body: { planId } }, { token });
    expect(await ask('101')).toMatchObject({ status: 403, errCode: 6000, params: { availableFrom: expiredTime } });
    expect((await ask('301')).code).toBe(0);
    await shop.db.update(users).set({ expiredTime: testNow }).where(eq(users.uid, uid));
    expect((await ask('101')).code).toBe(0);
  });
});

it('a plan that is taken off sale leaves the table, and says so to who still holds its link', async () => {
  const own = await testApp();
  const { token } = await own.customer();
  const list = () => own.request(endpoints.listPlans, { query: { language: 'en' } });
  expect((await list()).data.plans).toHaveLength(6);
  await own.db.update(plans).set({ active: false }).where(eq(plans.id, '101'));
  expect((await list()).data.plans).toHaveLength(6);
  await own.deps.catalog.refresh();
  expect((await list()).data.plans).toHaveLength(5);
  const answer = await own.request(endpoints.checkPlanAvailable, { body: { planId: '101' } }, { token });
  expect(answer.errCode).toBe(2008);
  await own.close();
});

it('analytics events are kept as they are, without a name on them', async () => {
  const { token } = await shop.customer();
  const event = {
    name: 'membersite_event',
    at: testNow,
    fieldsMap: {
      version: analyticsVersion,
      entrance_way: 'memberSite',
      session_id: 'abc',
      page_id: 2,
      page_name: 'pricing',
      language: 'pt',
      terminal_type: 'WAP',
      event_content: 'page_view',
    },
  } as const;
  expect((await shop.request(endpoints.report, { body: { events: [event, event] } }, { token })).code).toBe(0);
  const rows = await shop.db.select().from(analyticsEvents);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({ brand: 'lumen', at: testNow, fields: { page_id: 2, signed_in: true } });
});

it('pages are rendered from the same answers, without HTTP', async () => {
  const brand = shop.deps.catalog.byCode('lumen');
  if (!brand) throw new Error('no brand');
  const asVisitor = { brand, origin: 'http://192.168.1.5:3000', language: 'pt' } as const;
  const answer = await callAsVisitor(shop.deps, endpoints.listPlans, { query: { language: 'pt' } }, asVisitor);
  expect(answer).toEqual((await shop.request(endpoints.listPlans, { query: { language: 'pt' } })).data);
  const missing = { params: { id: '999' }, query: { llanguage: 'pt' } } as const;
  await expect(callAsVisitor(shop.deps, endpoints.planDetail, missing, asVisitor)).rejects.toMatchObject({
    errCode: 6001,
  });
  await expect(
    callAsVisitor(shop.deps, endpoints.checkPlanAvailable, { body: { planId: '101' } }, asVisitor),
  ).rejects.toMatchObject({ errCode: 21 });
  // a phone in the local network is not sent to an address that only the server's own machine can reach
  const { authorizationEndpoint } = await callAsVisitor(shop.deps, endpoints.googleClient, {}, asVisitor);
  expect(new URL(authorizationEndpoint).origin).toBe(asVisitor.origin);
});
