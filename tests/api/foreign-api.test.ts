import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { capabilityCalls } from '#contract/capability-calls.ts';
import * as endpoints from '#contract/index.ts';
import { dynamicConfig, goodsValuation, listPlans, login, orders, pay, paymentInfo, signup } from '#contract/index.ts';
import { addressOf, type Endpoint, type Parts } from '#contract/endpoint.ts';
import { optionalCalls } from '#tests/fixtures/foreign-api/optional-calls.ts';
import { startForeignApi, type ForeignApi } from '#tests/fixtures/foreign-api/server.ts';

/** The example of another backend, which `e2e/foreign-backend.spec.ts` uses in the browser. */
let api: ForeignApi;
beforeAll(async () => {
  api = await startForeignApi({ port: 0, shopOrigin: 'http://localhost:8080' });
});
afterAll(() => api.close());

const envelopeSchema = v.object({
  code: v.number(),
  errCode: v.optional(v.number()),
  params: v.optional(v.record(v.string(), v.unknown())),
  traceId: v.pipe(v.string(), v.uuid()),
  data: v.optional(v.unknown()),
});

async function request(path: string, init: RequestInit) {
  const answer = await fetch(`${api.origin}${path}`, init);
  const { status, headers } = answer;
  return { status, date: headers.get('date'), ...v.parse(envelopeSchema, await answer.json()) };
}

interface Options {
  readonly token?: string;
  readonly key?: string;
}

const send = (endpoint: Endpoint, parts: Parts, { token, key }: Options = {}) =>
  request(addressOf(endpoint, parts), {
    method: endpoint.method,
    headers: { authorization: token ?? 'null', ...(key === undefined ? {} : { 'idempotency-key': key }) },
    ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
  });

/** The result of a call, parsed as the storefront does. */
async function resultOf<E extends Endpoint>(endpoint: E, parts: Parts, options?: Options) {
  const { data, code } = await send(endpoint, parts, options);
  expect(code).toBe(0);
  return v.parse(endpoint.result, data) as v.InferOutput<E['result']>; // as: parsed with this schema
}

const password = 'a song of two rivers';

async function aCustomer() {
  const account = `ana.${randomUUID().slice(0, 8)}@example.com`;
  const body = { account, type: 'email', password, agreePolicy: true, language: 'en' };
  const { token } = await resultOf(signup, { body });
  return { account, token };
}

const purchase = { planId: '30', methodCode: 'examplepay', currency: 'EUR' };

async function aPayment(token: string) {
  const { quoteId } = await resultOf(goodsValuation, { body: purchase }, { token });
  return { ...purchase, quoteId, installments: 1, payer: {}, returnUrl: '/paymentResult', source: 'WEB' };
}

describe('The example of another backend', () => {
  it('sends every answer in an envelope with a trace ID and its time, also for a path or a body that is wrong', async () => {
    const theme = await request('/api/site/theme/v1', {});
    expect(theme).toMatchObject({ status: 200, code: 0 });
    expect(Math.abs(Date.parse(theme.date ?? '') - Date.now())).toBeLessThan(60_000);
    expect(await request('/api/nothing', {})).toMatchObject({ status: 404, errCode: 6001 });
    expect(await request(listPlans.path, { method: 'POST' })).toMatchObject({ status: 405, errCode: 5000 });
    expect(await request(login.path, { method: 'POST', body: '{' })).toMatchObject({ status: 400, errCode: 5000 });
    const long = await request(login.path, { method: 'POST', body: ' '.repeat(70_000) });
    expect(long).toMatchObject({ status: 413, errCode: 5000 });
    const unknown = await send(dynamicConfig, { query: { type: 'prices', code: 'en' } });
    expect(unknown).toMatchObject({ status: 404, errCode: 6001 });
  });

  it('creates one order for the same key and body, and refuses another body', async () => {
    const { token } = await aCustomer();
    const [body, key] = [await aPayment(token), randomUUID()];
    const both = await Promise.all([1, 2].map(() => resultOf(pay, { body }, { token, key })));
    expect(both[0]).toMatchObject({ status: 'PAYMENT_PENDING', next: { type: 'redirect' } });
    expect(both[1]).toEqual(both[0]);
    const listed = await resultOf(orders, { body: { page: 1, size: 20 } }, { token });
    expect(listed).toMatchObject({ total: 1, items: [{ total: { amount: 990, currency: 'EUR' } }] });
    const other = await send(pay, { body: { ...body, planId: '365' } }, { token, key });
    expect(other).toMatchObject({ status: 400, errCode: 5000, params: { field: 'Idempotency-Key' } });
  });

  it('refuses a payment without a key, and a price that it has not signed for this customer and plan', async () => {
    const { token } = await aCustomer();
    const body = await aPayment(token);
    expect(await send(pay, { body }, { token })).toMatchObject({ errCode: 5000, params: { field: 'Idempotency-Key' } });
    const changed = await send(pay, { body: { ...body, planId: '365' } }, { token, key: randomUUID() });
    expect(changed).toMatchObject({ status: 409, errCode: 1015, params: { newTotal: { amount: 9900 } } });
    const stranger = await aCustomer();
    const foreign = await send(pay, { body }, { token: stranger.token, key: randomUUID() });
    expect(foreign).toMatchObject({ errCode: 1015 });
  });

  it('shows an order to its customer only, and nothing to a caller without a valid token', async () => {
    const { token } = await aCustomer();
    const { orderId } = await resultOf(pay, { body: await aPayment(token) }, { token, key: randomUUID() });
    const body = { orderId };
    expect(await resultOf(paymentInfo, { body }, { token })).toMatchObject({ order: { orderId } });
    const stranger = await aCustomer();
    expect(await send(paymentInfo, { body }, { token: stranger.token })).toMatchObject({ status: 404, errCode: 1001 });
    for (const none of [{}, { token: 'x'.repeat(43) }])
      expect(await send(paymentInfo, { body }, none)).toMatchObject({ status: 401, errCode: 21 });
  });

  it('answers a wrong password like an unknown address, and lets an address wait after ten of them', async () => {
    const { account } = await aCustomer();
    const wrong = (name: string) => send(login, { body: { account: name, type: 'email', password: 'wrong' } });
    expect(await wrong('nobody@example.com')).toMatchObject({ status: 401, errCode: 3001 });
    for (let count = 0; count < 10; count += 1) expect(await wrong(account)).toMatchObject({ errCode: 3001 });
    const body = { account, type: 'email', password };
    expect(await send(login, { body })).toMatchObject({ status: 423, errCode: 17, params: { waitSeconds: 900 } });
  });

  it('accepts an outcome only from the provider', async () => {
    const forged = await fetch(`${api.origin}/notices/examplepay`, {
      method: 'POST',
      headers: { 'sent-at': String(Date.now()), signature: '0'.repeat(64) },
      body: JSON.stringify({ orderId: 'A'.repeat(24), outcome: 'paid' }),
    });
    expect(forged.status).toBe(400);
  });
});

describe('The guide for operators with another backend', () => {
  const guide = readFileSync('src/server/docs/your-own-backend.md', 'utf8');
  const levels = ['browse', 'signIn', 'buyByRedirect'] as const;
  const namesIn = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  // a row without a level continues that above it
  const table = /^\| level .*\n\| --- .*\n((?:\|.*\n)+)/m.exec(guide)?.[1]?.trim().split('\n') ?? [];
  const rows = table.map((row) => row.split('|').slice(1, 4));
  const cellsOf = (level: string, column: number) => {
    const from = rows.findIndex(([first]) => namesIn(first).includes(level));
    const next = rows.findIndex(([first], index) => index > from && namesIn(first).length > 0);
    return rows.slice(from, next === -1 ? undefined : next).flatMap((row) => namesIn(row[column]));
  };

  it.each(levels)('names the calls that %s requires, and only optional ones beside them', (level) => {
    const { required, optional } = capabilityCalls[level];
    expect(cellsOf(level, 1).toSorted()).toEqual([...required].toSorted());
    expect(optional).toEqual(expect.arrayContaining(cellsOf(level, 2)));
  });

  it('has an example that sells without the calls that it calls optional', () => {
    const required = new Set(levels.flatMap((level) => capabilityCalls[level].required));
    const all: readonly Endpoint[] = Object.values(endpoints);
    const needed = all.filter(({ name, path }) => [...required].some((one) => one === name) && left.has(path));
    expect(needed.map(({ name }) => name)).toEqual([]);
  });
});

const left = new Set(optionalCalls.map(({ path }) => path));
