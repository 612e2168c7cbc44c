import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { brands } from '#server/db/schema/brands.ts';
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
