import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import * as endpoints from '#contract/index.ts';
import { anyAddressOf } from '#tests/fixtures/call-request.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
let token: string;
beforeAll(async () => {
  shop = await testApp();
  ({ token } = await shop.customer());
});
afterAll(() => shop.close());

const all: Endpoint[] = Object.values(endpoints);
const foreign = { Host: 'localhost', Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
const addressOf = (endpoint: Endpoint) => `http://localhost${anyAddressOf(endpoint)}`;
const named = all.map((endpoint) => [endpoint.name, endpoint] as const);

describe('a page of another site', () => {
  it.each(named)('cannot read a response of %s, and its preflight request fails', async (_, endpoint) => {
    const simple = await shop.app.request(addressOf(endpoint), { method: endpoint.method, headers: foreign });
    const preflight = await shop.app.request(addressOf(endpoint), {
      method: 'OPTIONS',
      headers: {
        ...foreign,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization',
      },
    });
    for (const { headers } of [simple, preflight]) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
    expect(preflight.ok).toBe(false);
  });

  it('is not logged in: cookies that a browser sends are not a session', async () => {
    const path = addressOf(endpoints.queryUrv);
    const withCookie = await shop.app.request(path, {
      method: 'POST',
      headers: { ...foreign, Cookie: `token=${token}; Authorization=${token}; session=${token}` },
    });
    expect(withCookie.status).toBe(401);
    const withHeader = await shop.app.request(path, { method: 'POST', headers: { ...foreign, Authorization: token } });
    // the header makes the difference, and another site cannot send it without a preflight request
    expect(withHeader.status).toBe(200);
  });

  it('changes nothing by a GET request, which needs the session header or a payment token', () => {
    const writing = all.filter(({ method, reads }) => method === 'GET' && !reads);
    expect(writing.map(({ name }) => name)).toContain('sendResetPasswordEmail');
    // the specification makes it a GET; its URL has an unguessable token, and it only queries the provider
    const byToken = ['paypalCapture'];
    const open = writing.filter(({ access, name }) => access !== 'customer' && !byToken.includes(name));
    expect(open.map(({ name }) => name)).toEqual([]);
  });

  it('receives no cookie that the browser would send', async () => {
    for (const [, endpoint] of named) {
      const { headers } = await shop.app.request(addressOf(endpoint), { method: endpoint.method, headers: foreign });
      expect(headers.get('set-cookie')).toBeNull();
    }
  });
});
