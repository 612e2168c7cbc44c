import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountPages } from '#server/http/pages/mount-pages.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
let server: Server;
beforeAll(async () => {
  shop = await testApp({ env: { SANDBOX_CAPTCHA: 'true' } });
  await mountPages(shop.app, shop.deps, { dev: false });
  const answer = getRequestListener(shop.app.fetch);
  server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await shop.close();
});

/** Sends a request without normalisation, which an HTTP client would apply. */
async function sendRaw(target: string, { method = 'GET', host = 'localhost' } = {}) {
  // as: a listening TCP server has an address with a port
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write(
    `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    'latin1',
  );
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  const [head = ''] = answer.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1.1 (\d{3})/.exec(head)?.[1]),
    location: /^location: (.*)$/im.exec(head)?.[1],
  };
}

const malformed = [
  '//',
  '///',
  '//evil.example',
  '//evil.example/%2e%2e',
  '//evil.example/login',
  '/\\evil.example',
  '/\\\\evil.example/pricing-table',
  '/%2F%2Fevil.example',
  '/%5Cevil.example',
  '/%2e%2e//evil.example',
  '/..//evil.example',
  '/pricing-table//',
  '/pricing-table/..//evil.example',
  '/order//evil.example',
  '/order/?x=//evil.example',
  '/plan/?a=%00',
  '/%00',
  '/login%00',
  '/plan-details/1%00',
  '/help?x=%00',
  '/help?%00=%ff',
  '/%ff',
  '/%',
  '/%c0%80',
  '/paymentResult/%00/%ff/%/x',
  '/assets/%00',
  '/assets/..%2f..%2fpackage.json',
  '/assets/../../package.json',
  '/icons/%2e%2e/%2e%2e/index.html',
  '/icons/%ff',
  '/sw.js%00',
  '/manifest.webmanifest?language=%00',
  '/.well-known/security.txt?%00',
  '/api//',
  '//api/site/theme/v1',
  '/api/site/plan/detail/%00?llanguage=en',
  '/api/site/plan/detail/%ff?llanguage=en',
  '/api/bill/payment/paypalCapture/v1/%00',
  '/dev/outbox?to=%00',
  '/dev/outbox.json?to=%00',
  '/dev/outbox?to=%ff',
  '/sandbox/bank/pix/%00',
  '/sandbox/bank/mobile/%00',
  '/sandbox/bank/card/%ff',
  '/sandbox/paypal/checkoutnow?token=%00',
  '/sandbox/paypal/v2/checkout/orders/%00',
  '/sandbox/google/authorize?client_id=%00&redirect_uri=%00&state=%00',
  '/sandbox/captcha/siteverify',
  '/webhooks/%00',
  '/webhooks/__proto__',
  '/captcha/frame?%00',
  '/healthz?%00',
  '*',
  'http://evil.example/',
  'http://localhost//evil.example',
];

describe('a malformed address', () => {
  it.each(malformed)('%s is answered without a server error and redirects to no other site', async (target) => {
    for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS']) {
      const { status, location } = await sendRaw(target, { method });
      expect(status, method).toBeGreaterThanOrEqual(200);
      expect(status, method).toBeLessThan(500);
      if (location !== undefined) expect(location, method).toMatch(/^\/(?![/\\])/);
    }
  });

  it.each([
    'evil.example',
    'localhost:99999999',
    'localhost:99999',
    '[::1',
    'a b',
    'localhost/..',
    '%00',
    'ümlaut',
    '',
  ])('with host %j is refused', async (host) => {
    for (const path of [
      '/',
      '/api/site/theme/v1',
      '//',
      '/.well-known/security.txt',
      '/policy-reports',
      '/oauth/token',
    ]) {
      const { status } = await sendRaw(path, { host });
      expect(status, path).toBeGreaterThanOrEqual(400);
      expect(status, path).toBeLessThan(500);
    }
  });
});

describe('an unknown host', () => {
  it('can reach the health probe, and nothing else', async () => {
    const ask = async (method: string, path: string) =>
      (await sendRaw(path, { method, host: 'nobody.example' })).status;
    expect(await ask('GET', '/healthz')).toBe(200);
    for (const method of ['GET', 'HEAD', 'PUT']) expect(await ask(method, '/'), method).toBe(421);
    for (const path of ['api.js', 'token', 'siteverify'].map((name) => `/sandbox/captcha/${name}`)) {
      for (const method of ['GET', 'HEAD', 'PUT']) expect(await ask(method, path), `${method} ${path}`).toBe(404);
    }
    for (const path of ['/sandbox/desk', '/dev/outbox']) expect(await ask('GET', path), path).toBe(404);
    for (const path of ['/healthz', '/metrics', '/captcha/frame']) expect(await ask('POST', path), path).toBe(421);
  });

  it('receives no file of the simulated captcha if it is disabled', async () => {
    const real = await testApp({ db: shop.db });
    await mountPages(real.app, real.deps, { dev: false });
    for (const [method, path] of [
      ['GET', '/sandbox/captcha/api.js'],
      ['POST', '/sandbox/captcha/token'],
    ]) {
      const { status } = await real.app.request(`http://nobody.example${path}`, { method: method ?? '' });
      expect(status, path).toBe(404);
      const own = await real.app.request(`http://localhost${path}`, { method: method ?? '' });
      expect(own.status, path).toBeLessThan(500);
    }
  });
});
