import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrandApp } from '#contract/site.ts';
import { brands } from '#server/db/schema/brands.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp({ env: { SANDBOX: 'true', PUBLIC_ORIGIN: 'https://shop.lumen.example' } });
});
afterAll(() => shop.close());

const ask = (host = 'localhost') => shop.app.request(`http://${host}/.well-known/security.txt`, { headers: { host } });

async function contact(securityContact: string | null) {
  await shop.db.update(brands).set({ securityContact }).where(eq(brands.code, 'lumen'));
  await shop.deps.catalog.refresh();
  return ask();
}

describe('the security.txt file', () => {
  it('states the contact, the languages and the expiry (RFC 9116)', async () => {
    const answer = await ask();
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; charset=utf-8$/i);
    const lines = (await answer.text()).trim().split('\n');
    const fields = new Map(lines.map((line) => [line.split(': ')[0], line.split(': ')[1]]));
    expect(fields.get('Contact')).toBe('mailto:security@lumen.example');
    expect(fields.get('Canonical')).toBe('https://shop.lumen.example/.well-known/security.txt');
    expect(fields.get('Preferred-Languages')).toMatch(/^pt(, [a-z]{2})+$/);
    const days = (Date.parse(fields.get('Expires') ?? '') - testNow) / 86_400_000;
    expect(days).toBeGreaterThan(90);
    expect(days).toBeLessThan(365);
    expect(lines).toHaveLength(4);
  });

  it('states the contact of the requested brand, and does not exist without one', async () => {
    expect(await (await ask('mego.localhost')).text()).toContain('mailto:security@mego.example');
    expect((await ask('baobab.localhost')).status).toBe(404);
    expect((await contact(null)).status).toBe(404);
  });

  it('is not served with an invalid contact or one with line breaks', async () => {
    for (const row of [
      '',
      'security team',
      'http://plain.example',
      'mailto:a@b.example\nExpires: 2099-01-01T00:00:00Z',
    ]) {
      expect((await contact(row)).status, row).toBe(404);
    }
    expect((await contact('https://lumen.example/security')).status).toBe(200);
  });
});

describe('the asset links, by which an Android app gets the passkeys of a brand', () => {
  const certificate = Array.from({ length: 32 }, (_, index) => index.toString(16).padStart(2, '0').toUpperCase()).join(
    ':',
  );
  const intent = 'intent://open#Intent;scheme=lumen;package=com.lumen.player;end';
  async function links(app: BrandApp | undefined) {
    const [row] = await shop.db.select().from(brands).where(eq(brands.code, 'lumen'));
    const { app: _former, ...config } = row!.config;
    await shop.db
      .update(brands)
      .set({ config: { ...config, ...(app && { app }) } })
      .where(eq(brands.code, 'lumen'));
    await shop.deps.catalog.refresh();
    return shop.app.request('http://localhost/.well-known/assetlinks.json', { headers: { host: 'localhost' } });
  }

  it('name the package and the certificates of the app', async () => {
    const answer = await links({ link: 'lumen://open', intent, certificates: [certificate] });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await answer.json()).toEqual([
      {
        relation: ['delegate_permission/common.handle_all_urls', 'delegate_permission/common.get_login_creds'],
        target: {
          namespace: 'android_app',
          package_name: 'com.lumen.player',
          sha256_cert_fingerprints: [certificate],
        },
      },
    ]);
  });

  it('do not exist without an app, a certificate, or a certificate that is one', async () => {
    for (const app of [
      undefined,
      { link: 'lumen://open', intent },
      { link: 'lumen://open', certificates: [certificate] },
      { link: 'lumen://open', intent, certificates: [] },
      { link: 'lumen://open', intent, certificates: [certificate.slice(3)] },
    ])
      expect((await links(app)).status, JSON.stringify(app)).toBe(404);
  });
});
