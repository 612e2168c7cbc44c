import { Writable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { orders } from '#server/db/schema/orders.ts';
import { createLog } from '#server/runtime/log.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
let written = '';
beforeAll(async () => {
  const lines = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString();
      done();
    },
  });
  shop = await aShop(undefined, { deps: () => ({ log: createLog('info', lines) }) });
});
beforeEach(() => {
  written = '';
});
afterAll(() => shop.close());

const lines = () =>
  written
    .trimEnd()
    .split('\n')
    // fails unless every line is a JSON object
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const password = 'a wrong password of 2026';

const tryPassword = (account: string, given: string) =>
  shop.request(endpoints.login, { body: { account, type: 'email', password: given } });

describe('the log', () => {
  it('records a refused login with time, brand, route and error, and without the password', async () => {
    const { account } = await shop.customer();
    written = '';
    const { traceId } = await tryPassword(account, password);
    const line = lines().find((one) => one['traceId'] === traceId);
    expect(line).toMatchObject({ route: '/api/user/login/v1', status: 401, code: 3001, brand: 'lumen' });
    expect(line?.['time']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(written).not.toContain(password);
    expect(written).not.toContain(account);
  });

  it('records a login with customer and method', async () => {
    const { account, password: right, uid } = await shop.customer();
    written = '';
    const { data } = await tryPassword(account, right);
    expect(lines()).toContainEqual(expect.objectContaining({ msg: 'signed in', uid, via: 'password', brand: 'lumen' }));
    expect(written).not.toContain(right);
    expect(written).not.toContain(data.token);
  });

  it('records refused access with the customer, and invalid input', async () => {
    const ana = await shop.customer();
    const other = await shop.customer();
    written = '';
    const body = { uid: other.uid, account: other.account, type: 'email' } as const;
    const foreign = await shop.request(endpoints.queryInfo, { body }, { token: ana.token });
    const nobody = await shop.request(endpoints.orders, { body: { page: 1, size: 5 } });
    const junk = await shop.request(endpoints.login, { body: { account: '' } as never });
    const lineOf = (traceId: string) => lines().find((one) => one['traceId'] === traceId);
    expect(lineOf(foreign.traceId)).toMatchObject({ code: 6699, uid: ana.uid });
    expect(lineOf(nobody.traceId)).toMatchObject({ code: 21, status: 401 });
    expect(lineOf(junk.traceId)).toMatchObject({ code: 5000, status: 400 });
  });

  it('names the order in each line of its purchase, and nothing that pays or opens it', async () => {
    const buyer = await shop.buyer();
    written = '';
    const { data } = await buyer.pay();
    await shop.request(endpoints.paymentInfo, { body: { orderId: data.orderId } }, buyer);
    const ofOrder = lines().filter(({ orderId }) => orderId === data.orderId);
    expect(ofOrder.map(({ msg, route = null, outcome = null }) => [msg, route, outcome])).toEqual([
      ['a payment attempt', null, 'paid'],
      ['request', endpoints.pay.path, null],
      ['request', endpoints.paymentInfo.path, null],
    ]);
    expect(written).not.toContain('4242424242424242');
    const [order] = await shop.db.select().from(orders).where(eq(orders.orderId, data.orderId));
    expect(written).not.toContain(order?.resultToken);
  });

  it('writes one line per event, whatever characters a caller sends', async () => {
    const forged = '\r\n{"level":30,"msg":"forged"}\u2028\u001b[2J';
    const headers = { Host: 'localhost', 'X-Request-Id': 'abc%0a{"msg":"forged"}', 'User-Agent': encodeURI(forged) };
    const path = `/api/site/plan/detail/${encodeURIComponent(forged)}?llanguage=${encodeURIComponent(forged)}`;
    await shop.app.request(`http://localhost${path}`, { headers });
    await shop.request(endpoints.login, { body: { account: forged, type: 'email', password: forged } });
    expect(lines()).toHaveLength(2);
    expect(lines().map((one) => one['msg'])).toEqual(['request', 'request']);
    expect(written).not.toContain('forged');
  });
});
