import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { envelopeSchema } from '#contract/envelope.ts';
import * as endpoints from '#contract/index.ts';
import { bodyLimitBytes } from '#contract/limits.ts';
import { anyAddressOf } from '#tests/fixtures/call-request.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
let token: string;
beforeAll(async () => {
  shop = await testApp();
  ({ token } = await shop.customer());
});
afterAll(() => shop.close());

const everyEndpoint: Endpoint[] = Object.values(endpoints);
/** Calls with a JSON body; uploads.test.ts covers the call that receives a file. */
const posts = everyEndpoint.filter((endpoint) => endpoint.method === 'POST' && !('file' in endpoint));
const json = { 'Content-Type': 'application/json' };

interface Sent {
  path?: string;
  headers?: Record<string, string>;
  body?: BodyInit;
}

async function send(endpoint: Endpoint, { path = pathOf(endpoint), headers, body }: Sent) {
  const response = await shop.app.request(`http://localhost${path}`, {
    method: endpoint.method,
    headers: { Authorization: token, 'Idempotency-Key': 'f47ac10b-58cc-4372-a567-0e02b2c3d479', ...headers },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  });
  const envelope = v.parse(envelopeSchema, await response.json());
  expect(envelope.traceId).toMatch(/^[\w-]{8,64}$/);
  return { status: response.status, ...envelope };
}

const samples: Record<string, string> = { planId: '101', language: 'en', llanguage: 'en', type: 'privacy', code: 'en' };

/** A valid path, so that only the part under test is wrong. */
function pathOf(endpoint: Endpoint): string {
  const { query } = endpoint;
  const names = query && 'entries' in query ? Object.keys(query.entries ?? {}) : [];
  return anyAddressOf(endpoint, Object.fromEntries(names.map((name) => [name, samples[name]])));
}

const junk: unknown[] = [
  null,
  [],
  'text',
  0,
  true,
  { unknown: 1 },
  { planId: {}, account: [], events: 1, page: 'x', token: null, orderId: 7, card: 'x', uid: {}, currency: 9 },
  { planId: '', account: '', body: '', language: 'xx', currency: 'brl', token: '\u0000', orderId: '../..' },
  { planId: '9'.repeat(5000), account: 'x'.repeat(5000), token: 'y'.repeat(5000) },
  JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{}}}'),
];

describe('invalid input is answered as a client error', () => {
  it.each(posts.map((endpoint) => [endpoint.name, endpoint] as const))('in the body of %s', async (_, endpoint) => {
    for (const value of junk) {
      const answer = await send(endpoint, { headers: json, body: JSON.stringify(value) });
      expect(answer).toMatchObject({ status: 400, errCode: 5000 });
      expect(answer.params?.field).toBeTypeOf('string');
    }
  });

  it.each(posts.map((endpoint) => [endpoint.name, endpoint] as const))('in the shape of %s', async (_, endpoint) => {
    const truncated = await send(endpoint, { headers: json, body: '{"a":' });
    expect(truncated).toMatchObject({ status: 400, errCode: 5000, params: { field: 'body' } });
    const form = await send(endpoint, { headers: { 'Content-Type': 'text/plain' }, body: '{}' });
    expect(form).toMatchObject({ status: 400, errCode: 5000, params: { field: 'Content-Type' } });
    const binary = await send(endpoint, { headers: json, body: new Uint8Array([0xff, 0xfe, 0x00]) });
    expect(binary).toMatchObject({ status: 400, errCode: 5000 });
  });

  it.each(everyEndpoint.map((endpoint) => [endpoint.name, endpoint] as const))(
    'in the query of %s',
    async (_, endpoint) => {
      const base = pathOf(endpoint);
      const joint = base.includes('?') ? '&' : '?';
      for (const query of ['extra=1', '__proto__=1', 'language=en&language=pt', '%ff=%', 'planId[]=1']) {
        const answer = await send(endpoint, { path: `${base}${joint}${query}`, headers: json });
        expect(answer).toMatchObject({ status: 400, errCode: 5000 });
      }
    },
  );

  it.each(everyEndpoint.map((endpoint) => [endpoint.name, endpoint] as const))(
    'in the headers of %s',
    async (_, endpoint) => {
      const wrong: [string, string][] = [
        ['Language', 'xx'],
        ['Client-Type', 'PHONE'],
        ['Scene', 'TV'],
        ['fingerprint', 'a b'],
        ['Authorization', 'Bearer x'],
      ];
      for (const [name, value] of wrong) {
        const answer = await send(endpoint, { headers: { [name]: value } });
        expect(answer).toMatchObject({ status: 400, errCode: 5000 });
        expect(answer.params?.field).toBe(name.toLowerCase());
      }
    },
  );

  it.each(everyEndpoint.filter(({ path }) => path.includes('{')).map((endpoint) => [endpoint.name, endpoint] as const))(
    'in the path of %s',
    async (_, endpoint) => {
      for (const part of ['x', '%00', '9'.repeat(4000), '%ff', "1'--", '__proto__']) {
        const path = pathOf(endpoint).replace('/9', `/${part}`);
        const answer = await send(endpoint, { path });
        expect(answer).toMatchObject({ status: 400, errCode: 5000 });
      }
    },
  );
});

describe('a body over 64 KiB', () => {
  const large = JSON.stringify({ a: 'x'.repeat(bodyLimitBytes) });

  it.each(posts.map((endpoint) => [endpoint.name, endpoint] as const))('is refused by %s', async (_, endpoint) => {
    const answer = await send(endpoint, { headers: { ...json, 'Content-Length': String(large.length) }, body: large });
    expect(answer).toMatchObject({ status: 413, errCode: 5000, params: { field: 'body' } });
  });

  it('is refused while it streams, when no length was announced', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 16_384;
        controller.enqueue(new Uint8Array(16_384).fill(32));
      },
    });
    expect(await send(endpoints.login, { headers: json, body: endless })).toMatchObject({ status: 413, errCode: 5000 });
    expect(sent).toBeLessThan(bodyLimitBytes * 3);
  });
});

describe('an unknown path', () => {
  it.each([
    ['GET', '/api/nothing'],
    ['POST', '/api/user/login/v2'],
    ['GET', '/api/user/login/v1'],
    ['DELETE', '/api/site/theme/v1'],
    ['GET', '/api/'],
  ])('%s %s gets a 404 in the envelope', async (method, path) => {
    const response = await shop.app.request(`http://localhost${path}`, { method });
    expect(response.status).toBe(404);
    expect(v.parse(envelopeSchema, await response.json())).toMatchObject({ code: 5000, errCode: 5000 });
  });
});

describe('an idempotent call', () => {
  it.each([endpoints.pay, endpoints.repay].map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s requires a UUID as its key',
    async (_, endpoint) => {
      const answer = await send(endpoint, { headers: { ...json, 'Idempotency-Key': 'again' }, body: '{}' });
      expect(answer).toMatchObject({ status: 400, errCode: 5000, params: { field: 'Idempotency-Key' } });
    },
  );
});

describe('every response', () => {
  it('may load, frame and run nothing, and personal data is not cached', async () => {
    const answer = await shop.request(endpoints.paymentTip, { query: { planId: '101' } }, { token });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  });

  it('of a broken server is 5008 with a trace id and without the error message', async () => {
    const broken = await testApp({
      deps: () => ({
        clock: () => {
          throw new Error('secret detail');
        },
      }),
    });
    const answer = await broken.request(endpoints.login, {
      body: { account: 'ana@example.com', password: 'secret-123', type: 'email' },
    });
    expect(answer).toMatchObject({ status: 500, code: 5008, errCode: 5008, params: {} });
    await broken.close();
  });
});

describe('operations', () => {
  it('answers health probes at any host', async () => {
    for (const path of ['/healthz', '/readyz']) {
      expect((await shop.app.request(`http://10.0.0.7${path}`)).status).toBe(200);
    }
  });

  it('counts responses by route, never by URL', async () => {
    await send(endpoints.planDetail, { path: '/api/site/plan/detail/9?llanguage=en' });
    const text = await (await shop.app.request('http://localhost/metrics')).text();
    expect(text).toContain('route="/api/site/plan/detail/{id}"');
    expect(text).not.toContain('detail/9');
  });
});
