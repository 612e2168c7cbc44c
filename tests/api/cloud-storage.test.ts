import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { brands } from '#server/db/schema/brands.ts';
import { isSignedNotice } from '#server/payments/notice-signature.ts';
import { standIn, type StandIn, type Reply } from '#tests/fixtures/stand-in.ts';
import { demoBrand } from '#sandbox/demo-brands.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

describe('the cloud storage of a brand', () => {
  const ask = async (host?: string, language = 'en') => {
    const { token } = await shop.customer({ ...(host && { host }) });
    return shop.request(endpoints.cloud, {}, { token, host, headers: { Language: language } });
  };

  it('is described to customers in their language, and the pages know that it exists', async () => {
    const { data } = await ask(undefined, 'es');
    expect(data).toMatchObject({ storageGb: 50, link: 'https://app.lumen.example/cloud' });
    expect(data.paragraphs[0]).toContain('nube');
    expect((await shop.request(endpoints.siteConfig, {})).data.cloud).toBe(true);
  });

  it('does not exist if the brand has none', async () => {
    expect(await ask('mego.localhost')).toMatchObject({ errCode: 6001, status: 404 });
    expect((await shop.request(endpoints.siteConfig, {}, { host: 'mego.localhost' })).data.cloud).toBeUndefined();
  });

  it('links to a page or into the app, and with no other scheme', async () => {
    const linked = async (link: string) => {
      const row = demoBrand('lumen').brand.cloud;
      await shop.db
        .update(brands)
        .set({ cloud: row && { ...row, link } })
        .where(eq(brands.code, 'lumen'));
      await shop.deps.catalog.refresh();
      return (await ask()).data.link;
    };
    expect(await linked('javascript:alert(1)')).toBeNull();
    expect(await linked('http://plain.example')).toBeNull();
    expect(await linked('mach://cloud')).toBe('mach://cloud');
    await linked('https://app.lumen.example/cloud');
  });
});

describe('the used storage', () => {
  const secret = 'a secret that the shop and its cloud service share';
  let service: StandIn;
  let answer: Reply;
  let asking: TestApp;
  beforeAll(async () => {
    service = await standIn(() => answer);
    asking = await testApp({ env: { CLOUD_USAGE_URL: `${service.origin}/usage`, CLOUD_USAGE_SECRET: secret } });
  });
  afterAll(async () => {
    await Promise.all([asking.close(), service.close()]);
  });
  const used = async (token: string) => (await asking.request(endpoints.cloud, {}, { token })).data.usedBytes;
  const told = (usedBytes: unknown) => ({ status: 200, body: { usedBytes } });

  it('is asked of the service of the brand, signed, at most once a minute for each customer', async () => {
    const { token, uid } = await asking.customer();
    answer = told(12_400_000_000);
    expect([await used(token), await used(token)]).toEqual([12_400_000_000, 12_400_000_000]);
    expect(service.asked).toHaveLength(1);
    const [{ body, headers } = expect.fail()] = service.asked;
    expect(JSON.parse(body)).toEqual({ brand: 'lumen', uid });
    const [timestamp = null, signature = null] = ['timestamp', 'signature'].map((name) =>
      headers.get(`x-marquee-${name}`),
    );
    expect(isSignedNotice(secret, { timestamp, signature, body }, asking.clock.now)).toBe(true);
    asking.clock.advance(61_000);
    answer = told(0);
    expect(await used(token)).toBe(0);
  });

  it('belongs to its customer only', async () => {
    const [ana, bob] = [await asking.customer(), await asking.customer()];
    answer = told(1);
    await used(ana.token);
    answer = told(2);
    expect([await used(bob.token), await used(ana.token)]).toEqual([2, 1]);
  });

  it('is unknown for a customer without a cloud, which is no failure', async () => {
    const { token } = await asking.customer();
    answer = { status: 404 };
    expect(await used(token)).toBeUndefined();
    answer = told(3);
    expect(await used((await asking.customer()).token)).toBe(3);
  });

  it.each([
    ['an error', { status: 500 }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['a negative number', told(-1)],
    ['text', told('12 GB')],
  ])('is left out after %s, counted, and not asked again for 30 seconds', async (_, wrong) => {
    const count = async () =>
      (await asking.deps.metrics.registry.metrics()).match(/cloud_usage_failures_total\{.*\} (\d+)/)?.[1] ?? '0';
    const before = Number(await count());
    const { token } = await asking.customer();
    answer = wrong;
    expect(await used(token)).toBeUndefined();
    const asked = service.asked.length;
    answer = told(4);
    expect(await used(token)).toBeUndefined();
    expect([service.asked.length - asked, Number(await count()) - before]).toEqual([0, 1]);
    asking.clock.advance(31_000);
    expect(await used(token)).toBe(4);
  });
});
