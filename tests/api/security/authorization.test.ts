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

/** Asks without input, because who asks is looked at first; with a token, or without one. */
async function ask(endpoint: Endpoint, token: string | undefined, host = 'localhost') {
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

describe('what belongs to a customer', () => {
  it('is most of the shop, by the contract', () => {
    expect(own.length).toBeGreaterThan(20);
  });

  it.each(own)('is not given to a visitor by %s', async (_, endpoint) => {
    expect(await ask(endpoint, undefined)).toMatchObject(refused);
    expect(await ask(endpoint, 'null')).toMatchObject(refused);
  });

  it.each(own)('is not given to a token that nobody was given by %s', async (_, endpoint) => {
    expect(await ask(endpoint, shop.deps.random.token(32))).toMatchObject(refused);
  });

  it.each(own)('is not given to a session of another brand by %s', async (_, endpoint) => {
    const { token } = await megoCustomer();
    expect(await ask(endpoint, token)).toMatchObject(refused);
    expect((await ask(endpoint, token, 'mego.localhost')).errCode).not.toBe(21);
  });

  it('is not given to a session that has ended, by no call', async () => {
    const { token } = await shop.customer();
    shop.clock.advance(sessionLengthMs + 1);
    for (const [, endpoint] of own) expect(await ask(endpoint, token)).toMatchObject(refused);
  });
});

let made: ReturnType<TestApp['customer']> | undefined;
function megoCustomer() {
  made ??= shop.customer({ host: 'mego.localhost' });
  return made;
}

it('a fresh shop has no account of anybody, with a known password or without', async () => {
  const fresh = await testApp();
  try {
    expect(await fresh.db.select().from(users)).toEqual([]);
  } finally {
    await fresh.close();
  }
});

describe('an answer', () => {
  it('holds what its call promises and nothing else of the row: no hash, no token, no inner id', async () => {
    const ana = await shop.customer();
    const body = { uid: ana.uid, account: ana.account, type: 'email' } as const;
    const info = await shop.request(endpoints.queryInfo, { body }, { token: ana.token });
    expect(Object.keys(info.data).sort()).toEqual(Object.keys(endpoints.queryInfo.result.entries).sort());
    expect(JSON.stringify(info.data)).not.toMatch(/argon2|hash|googleSub|areaCode/i);
  });

  it('is the same list of fields for every call, because a handler cannot add one', () => {
    const loose = all.filter(({ result }) => 'type' in result && result.type === 'loose_object');
    expect(loose.map(({ name }) => name)).toEqual([]);
  });
});
