import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { envelopeSchema } from '#contract/envelope.ts';
import * as endpoints from '#contract/index.ts';
import { sessionLengthMs } from '#contract/limits.ts';
import { users } from '#server/db/schema/users.ts';
import { anyAddressOf } from '#tests/fixtures/call-request.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

const all: Endpoint[] = Object.values(endpoints);
const own = all.filter(({ access }) => access === 'customer').map((endpoint) => [endpoint.name, endpoint] as const);

/** Sends no input, because the session is checked first; with a token, or without one. */
async function call(endpoint: Endpoint, token: string | undefined, host = 'localhost') {
  const response = await shop.app.request(`http://${host}${anyAddressOf(endpoint)}`, {
    method: endpoint.method,
    headers: {
      Host: host,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'f47ac10b-58cc-4372-a567-0e02b2c3d479',
      ...(token !== undefined && { Authorization: token }),
    },
    ...(endpoint.method === 'POST' && { body: '{}' }),
  });
  return { status: response.status, ...v.parse(envelopeSchema, await response.json()) };
}

const refused = { status: 401, errCode: 21 };

describe('the endpoints of a customer', () => {
  it('are most of the endpoints in the contract', () => {
    expect(own.length).toBeGreaterThan(20);
  });

  it.each(own)('refuse a visitor: %s', async (_, endpoint) => {
    expect(await call(endpoint, undefined)).toMatchObject(refused);
    expect(await call(endpoint, 'null')).toMatchObject(refused);
  });

  it.each(own)('refuse an unknown token: %s', async (_, endpoint) => {
    expect(await call(endpoint, shop.deps.random.token(32))).toMatchObject(refused);
  });

  it.each(own)('refuse a session of another brand: %s', async (_, endpoint) => {
    const { token } = await megoCustomer();
    expect(await call(endpoint, token)).toMatchObject(refused);
    expect((await call(endpoint, token, 'mego.localhost')).errCode).not.toBe(21);
  });

  it('refuse an expired session', async () => {
    const { token } = await shop.customer();
    shop.clock.advance(sessionLengthMs + 1);
    for (const [, endpoint] of own) expect(await call(endpoint, token)).toMatchObject(refused);
  });
});

let cached: ReturnType<TestApp['customer']> | undefined;
function megoCustomer() {
  cached ??= shop.customer({ host: 'mego.localhost' });
  return cached;
}

it('a new installation has no accounts', async () => {
  const fresh = await testApp();
  try {
    expect(await fresh.db.select().from(users)).toEqual([]);
  } finally {
    await fresh.close();
  }
});

describe('a response', () => {
  it('contains only the fields of its contract: no hash, no token, no internal id', async () => {
    const ana = await shop.customer();
    const body = { uid: ana.uid, account: ana.account, type: 'email' } as const;
    const info = await shop.request(endpoints.queryInfo, { body }, { token: ana.token });
    expect(Object.keys(info.data).sort()).toEqual(Object.keys(endpoints.queryInfo.result.entries).sort());
    expect(JSON.stringify(info.data)).not.toMatch(/argon2|hash|googleSub|areaCode/i);
  });

  it('has a fixed list of fields for every endpoint, so that a handler cannot add one', () => {
    const loose = all.filter(({ result }) => 'type' in result && result.type === 'loose_object');
    expect(loose.map(({ name }) => name)).toEqual([]);
  });
});
