import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startReportPath } from '#contract/start-report.ts';
import { mountPages } from '#server/http/pages/mount-pages.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
let stop: () => Promise<void>;

beforeAll(async () => {
  shop = await testApp();
  stop = await mountPages(shop.app, shop.deps, { dev: false });
});
afterAll(async () => {
  await stop();
  await shop.close();
});

const post = (path: string, body: string, headers: Record<string, string>) =>
  Promise.resolve(
    shop.app.request(`http://localhost${path}`, { method: 'POST', body, headers: { host: 'localhost', ...headers } }),
  );

describe('a report of a page that did not start', () => {
  const send = (body: unknown, agent: string) =>
    post(startReportPath, JSON.stringify(body), { 'content-type': 'text/plain;charset=UTF-8', 'user-agent': agent });

  it.each([
    ['firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'],
    ['webkit', 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Safari/604.1'],
    ['chromium', 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36'],
    ['other', 'curl'],
  ])('is counted by the engine %s', async (engine, agent) => {
    expect((await send({ reason: 'load', repair: 'plain page' }, agent)).status).toBe(204);
    const metrics = await (await shop.app.request('http://localhost/metrics')).text();
    expect(metrics).toContain(`storefront_not_started_total{engine="${engine}",reason="load",repair="plain page"} 1`);
  });

  it.each([
    { reason: 'made up', repair: 'plain page' },
    { reason: 'load' },
    'text',
    { reason: 'load', repair: 'plain page', more: 1 },
  ])('is refused if it is %j', async (body) => {
    expect((await send(body, 'curl')).status).toBe(400);
  });
});

describe('a form that a browser sends without scripts', () => {
  const send = (path: string, body: string, language = 'en') =>
    post(`${path}?language=${language}`, body, { 'content-type': 'application/x-www-form-urlencoded' });

  it.each(['/forgot-password', '/lost-password', '/resend-confirm'])('at %s sends the email', async (path) => {
    const account = `${path.slice(1)}@example.com`;
    const answer = await send(path, new URLSearchParams({ account }).toString());
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('If this address has an account, we’ve sent it an email.');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const again = await send(path, new URLSearchParams({ account }).toString());
    expect(await again.text()).toContain('Too many requests.');
  });

  it('shows that nothing was sent to an invalid address', async () => {
    expect(await (await send('/forgot-password', 'account=ana')).text()).toContain('The email wasn’t sent.');
  });

  it.each(['/login', '/register', '/payment'])(
    'at %s shows in the language of the page that it requires JavaScript',
    async (path) => {
      const html = await (await send(path, 'account=ana%40example.com&password=a+secret+of+ana', 'pt')).text();
      expect(html).toContain('Este formulário precisa de JavaScript, e nada foi enviado.');
      expect(html).not.toContain('a secret of ana');
    },
  );

  it('is not read beyond 4 KB', async () => {
    expect((await send('/forgot-password', `account=${'a'.repeat(5000)}`)).status).toBe(413);
  });
});
