import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { dynamicConfigTypeSchema } from '#contract/documents.ts';
import { languages } from '#contract/fields.ts';
import { callAsVisitor } from '#server/http/pages/page-routes.ts';
import { plans, brands } from '#server/db/schema/brands.ts';
import { demoBrand } from '#sandbox/demo-brands.ts';
import { brandState } from '#server/site/handlers.ts';
import { users } from '#server/db/schema/users.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';

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

  it('gets final prices after login, in a response that is not cached', async () => {
    const { token } = await shop.customer();
    const { data, headers } = await shop.request(endpoints.listPlans, { query: { language: 'pt' } }, { token });
    expect(data.final).toBe(true);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect((await shop.request(endpoints.listPlans, { query: { language: 'pt' } })).data.final).toBe(false);
  });

  it.each(languages)('gets every plan in %s', async (language) => {
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

  it('gets plans in another currency of the brand, and none in an unsupported currency', async () => {
    const usd = await shop.request(endpoints.listPlans, { query: { language: 'en', currency: 'USD' } });
    expect(usd.data.plans[0]?.price).toEqual({ amount: 399, currency: 'USD' });
    const rub = await shop.request(endpoints.listPlans, { query: { language: 'en', currency: 'RUB' } });
    expect(rub.data.plans).toEqual([]);
  });

  it('can convert the price of a plan, and gets an error without a rate', async () => {
    const convert = (currency: string) =>
      shop.request(endpoints.planConvert, { query: { planId: '201' }, body: { currency } }, mego);
    expect((await convert('RUB')).data.price).toEqual({ amount: 39_900, currency: 'RUB' });
    expect(await convert('EUR')).toMatchObject({ status: 422, errCode: 1030 });
  });

  it('gets 404 for a plan of another brand', async () => {
    const answer = await shop.request(
      endpoints.planDetail,
      { params: { id: '101' }, query: { llanguage: 'en' } },
      mego,
    );
    expect(answer).toMatchObject({ status: 404, errCode: 6001 });
    const discount = await shop.request(endpoints.planMethodDiscount, { query: { planId: '999' } });
    expect(discount.errCode).toBe(6001);
  });

  it('gets privacy policy, terms and help with the name of the brand, in all languages', async () => {
    for (const type of dynamicConfigTypeSchema.options) {
      for (const code of languages) {
        const { data } = await shop.request(endpoints.dynamicConfig, { query: { type, code } }, mego);
        expect(data.sections.length).toBeGreaterThan(4);
        expect(JSON.stringify(data)).toContain(type === 'help' ? 'help@mego.example' : 'Mego');
        expect(JSON.stringify(data)).not.toContain('Lumen');
      }
    }
  });

  it('gets the contact details of the brand, and only the existing ones', async () => {
    const { data, headers } = await shop.request(endpoints.contactUs, {});
    expect(data).toEqual({ email: 'ajuda@lumen.example', phone: '+55 11 4002-8922' });
    expect(headers.get('Cache-Control')).toContain('public');
    expect((await shop.request(endpoints.contactUs, {}, mego)).data).toEqual({
      email: 'help@mego.example',
      chatLink: 'https://chat.mego.example/help',
    });
  });

  it('gets the data that pages need at startup', async () => {
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
    const messages = await shop.request(endpoints.i18nMessage, { query: { language: 'pt' } });
    expect(messages.data['errCode.2008']).toContain('Lumen');
    expect((await shop.request(endpoints.i18nVersion, {})).data.version).toMatch(/^[0-9a-f]{12}$/);
  });

  it('gets country calling codes with country names in their language', async () => {
    const { data } = await shop.request(endpoints.areaCodes, {}, { headers: { Language: 'es' } });
    expect(data).toContainEqual(expect.objectContaining({ country: 'BR', name: 'Brasil', areaCode: '55' }));
    const english = await shop.request(endpoints.areaCodes, {}, { headers: { Language: 'en' } });
    expect(english.data).toContainEqual(expect.objectContaining({ country: 'BR', name: 'Brazil', areaCode: '55' }));
  });
});

describe('a customer', () => {
  it('can buy a plan, and sees its end date', async () => {
    const { token, uid } = await shop.customer();
    const ask = () => shop.request(endpoints.checkPlanAvailable, { body: { planId: '101' } }, { token });
    expect((await ask()).data.expiryAfter).toBe(testNow + 30 * dayMs);
    const expiredTime = testNow + 10 * dayMs;
    await shop.db.update(users).set({ limitCount: 1, expiredTime }).where(eq(users.uid, uid));
    expect((await ask()).data.expiryAfter).toBe(expiredTime + 30 * dayMs);
  });

  it('sees the current plan, the plans that are unavailable, and from when they are available', async () => {
    const { token, uid } = await shop.customer();
    const own = (mine?: '1') =>
      shop.request(endpoints.listPlans, { query: { language: 'en', ...(mine && { mine }) } }, { token });
    const annotations = async (mine?: '1') =>
      (await own(mine)).data.plans.flatMap(({ id, yours, refusal }) =>
        yours || refusal ? [{ id, yours, refusal }] : [],
      );
    expect(await annotations('1')).toEqual([]);
    const expiredTime = testNow + dayMs;
    await shop.db
      .update(users)
      .set({ planId: '301', limitCount: 3, expiredTime, passwordResetDue: true })
      .where(eq(users.uid, uid));
    const refusal = { errCode: 6000, availableFrom: expiredTime };
    const refused = ['101', '102', '103'].map((id) => ({ id, refusal }));
    expect(await annotations('1')).toEqual([...refused, { id: '301', yours: true }]);
    // the public response stays the same
    expect(await annotations()).toEqual([]);
    const anonymous = await shop.request(endpoints.listPlans, { query: { language: 'en', mine: '1' } });
    expect(anonymous.data.plans.some((plan) => plan.refusal ?? plan.yours)).toBe(false);
    await shop.db.update(users).set({ expiredTime: testNow }).where(eq(users.uid, uid));
    expect(await annotations('1')).toEqual([]);
  });

  it('with a plan for several devices can buy one for one device after its end', async () => {
    const { token, uid } = await shop.customer();
    const expiredTime = testNow + dayMs;
    await shop.db.update(users).set({ planId: '301', limitCount: 3, expiredTime }).where(eq(users.uid, uid));
    const ask = (planId: string) => shop.request(endpoints.checkPlanAvailable, { body: { planId } }, { token });
    expect(await ask('101')).toMatchObject({
      status: 403,
      errCode: 6000,
      params: { availableFrom: expiredTime, planId: '101' },
    });
    expect((await ask('301')).code).toBe(0);
    await shop.db.update(users).set({ expiredTime: testNow }).where(eq(users.uid, uid));
    expect((await ask('101')).code).toBe(0);
  });
});

it('a plan that is no longer sold is removed from the list, and its link reports it', async () => {
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
  const detail = await own.request(endpoints.planDetail, { params: { id: '101' }, query: { llanguage: 'en' } });
  expect(detail.data).toMatchObject({ name: 'Monthly', refusal: { errCode: 2008 } });
  await own.close();
});

it('a pattern of a brand that is slow to match is not sent to browsers, and is applied on the server', async () => {
  const own = await testApp();
  const email = '^(a+)+@example\\.com$';
  const phone = '^\\d{8}$';
  const config = { ...demoBrand('lumen').brand.config, validRules: { email, phone } };
  await own.db.update(brands).set({ config }).where(eq(brands.code, 'lumen'));
  await own.deps.catalog.refresh();
  expect((await own.request(endpoints.siteConfig, {})).data.validRules).toEqual({ phone });
  const brand = own.deps.catalog.byCode('lumen');
  expect(brand && brandState(brand, 'pt', '').siteConfig.validRules).toEqual({ phone });
  const logIn = (account: string) =>
    own.request(endpoints.login, { body: { account, type: 'email', password: 'secret-123' } });
  expect((await logIn('ana@example.com')).errCode).toBe(8);
  expect((await logIn('aaa@example.com')).errCode).not.toBe(8);
  await own.close();
});

it('pages are rendered from the same data, without HTTP', async () => {
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
  // a phone in the local network is not redirected to an address that only the server can reach
  const { authorizationEndpoint } = await callAsVisitor(shop.deps, endpoints.googleClient, {}, asVisitor);
  expect(new URL(authorizationEndpoint).origin).toBe(asVisitor.origin);
});
