import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageRequest } from '#contract/page.ts';
import { mountPageRoutes } from '#server/http/pages/page-routes.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

/** A secret that must appear in no response, log line or render request. */
const canary = 'CANARY-6f1d0c5e9b7a4';

let shop: TestApp;
let rendered: PageRequest[] = [];
let logged = '';

beforeAll(async () => {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged += chunk.toString();
      done();
    },
  });
  shop = await testApp({ deps: () => ({ log: pino({ level: 'trace' }, stream) }) });
  // Stands in for the storefront, which server tests do not build: it echoes the URL that it was called with.
  mountPageRoutes(shop.app, shop.deps, async (request) => {
    rendered.push(request);
    if (request.render && request.url.startsWith('/order'))
      return { redirect: request.url.replace('/order', '/orders') };
    return { status: 200, html: `<html>${request.url}</html>`, policy: '' };
  });
});
afterAll(() => shop.close());

async function open(path: string) {
  rendered = [];
  const response = await shop.app.request(`http://localhost${path}`, { headers: { host: 'localhost' } });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

const parameters = encodeURIComponent(JSON.stringify({ t: canary, a: '55', e: 'ana' }));

const links = [
  `/?t=${canary}&a=55&e=ana`,
  `/pricing-table?appToken=${canary}`,
  `/?T=${canary}&a=55&e=ana`,
  `/?%54=${canary}`,
  `/help?la=en&APPTOKEN=${canary}&appToken=`,
  `/paymentResult/orderId/LUMEN123456/token/${canary}?language=en`,
  `/paymentResult/%74oken/${canary}/`,
  `/paymentResult/response/${encodeURIComponent(`https://shop.example/?token=${canary}`)}`,
  `/paymentResult?ref=${canary}`,
  `/plan-details/30?params=${parameters}`,
  `/order?t=${canary}&la=es`,
  `/stbPayment?user_code=${canary}&st=STB`,
  `/plan?p=30&t=${canary}`,
  `/tokenLogin?t=${canary}`,
  `/resetPassword?token=${canary}&language=es`,
  `/activate/?token=${canary}`,
  `/bindEmailConfirmed?token=${canary}`,
  `/resendConfirmation?token=${canary}`,
  `/login?code=${canary}&state=${canary}`,
  `/device?user_code=${canary}`,
  `/help?t=${canary}`,
];

describe('a link with a secret', () => {
  it.each(links)('gets the bare shell for %s, and the secret is passed on nowhere', async (link) => {
    const { status, headers, html } = await open(link);
    expect(status).toBe(200);
    expect(html).toBe('<html>/index.html</html>');
    expect(rendered.filter(({ render }) => render)).toEqual([]);
    expect(JSON.stringify([rendered, [...headers], html])).not.toContain(canary);
    expect(headers.get('cache-control')).toBe('no-store');
    // Later requests of the page must not send its URL as the referrer.
    expect(headers.get('referrer-policy')).toBe('strict-origin');
  });

  it('redirects to /404 without its query when the page does not exist', async () => {
    const { status, headers } = await open(`/nowhere?t=${canary}`);
    expect(status).toBe(302);
    expect(headers.get('location')).toBe('/404');
  });

  it('leaves nothing in the log', async () => {
    for (const link of links) await open(link);
    expect(logged).toContain('"route":"page"');
    expect(logged).not.toContain(canary);
  });

  it('is not cached for the next visitor', async () => {
    await open(`/login?code=${canary}&state=x`);
    expect((await open('/login')).html).toBe('<html>/login</html>');
    expect(rendered).toMatchObject([{ render: true }]);
  });
});

describe('a link without a secret', () => {
  it('redirects with its query', async () => {
    const { status, headers } = await open('/order?r=BX-1&x=1');
    expect(status).toBe(302);
    expect(headers.get('location')).toBe('/orders?r=BX-1&x=1');
  });
});
