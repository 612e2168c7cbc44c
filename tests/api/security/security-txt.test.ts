import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
