import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { pushSubscriptions } from '#server/db/schema/push.ts';
import { sessions } from '#server/db/schema/users.ts';
import { tokenHash } from '#server/auth/session.ts';
import { sendPush, vapidHeader } from '#server/messages/push/send-push.ts';
import { writePush } from '#server/messages/push/write-push.ts';
import type { PushBrowser } from '#tests/builders/a-push-browser.ts';
import { aShop, byPix, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { aBrowserOf, subscribeToPush, pushKey } from '#tests/builders/push-customers.ts';

let shop: Shop;
let ana: Buyer;
beforeEach(async () => {
  shop = await aShop();
  [ana] = (await shop.buyers(1)) as [Buyer];
});
afterEach(() => shop.close());

const about = { type: 'expiry' } as const;
const subscribeWith = async (change: object) => {
  const browser = await aBrowserOf(shop, ana);
  const body = { ...browser.subscription, key: await pushKey(shop, ana), about, ...change };
  return shop.request(endpoints.subscribePush, { body }, ana);
};

describe('a push endpoint of an attacker', () => {
  it.each([
    'https://169.254.169.254/latest/meta-data',
    'https://localhost:3000/metrics',
    'https://fcm.googleapis.com.elsewhere.example/x',
    'http://fcm.googleapis.com/x',
  ])('%s is neither stored nor requested', async (endpoint) => {
    expect(await subscribeWith({ endpoint })).toMatchObject({ errCode: 5000, params: { field: 'endpoint' } });
    const body = {
      old: { endpoint, auth: 'A'.repeat(22) },
      endpoint,
      keys: (await aBrowserOf(shop, ana)).subscription.keys,
    };
    expect(await shop.request(endpoints.renewPush, { body })).toMatchObject({ errCode: 5000 });
    expect(await shop.db.select().from(pushSubscriptions)).toEqual([]);
  });

  it('cannot redirect the request', async () => {
    const visited: string[] = [];
    const server = createServer((request, response) => {
      visited.push(request.url ?? '');
      response.writeHead(307, { location: '/elsewhere', connection: 'close' }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const brand = shop.deps.catalog.byCode('lumen');
    if (!brand) throw new Error('no brand');
    const { keys } = (await aBrowserOf(shop, ana)).subscription;
    const content = writePush(brand, { language: 'en' }, { kind: 'ends', orderId: null, endsAt: shop.clock.now });
    const endpoint = new URL(`http://127.0.0.1:${port}/push`);
    const outgoing = { id: 'one', brand, to: keys, endpoint, content, expiresAt: shop.clock.now + 1000 };
    expect(await sendPush({ ...shop.deps, push: fetch }, outgoing)).toEqual({ state: 'later', status: 307 });
    expect(visited).toEqual(['/push']);
    await new Promise((resolve) => server.close(resolve));
  });

  it('with an invalid encryption key is refused at once', async () => {
    const auth = 'A'.repeat(22);
    expect(await subscribeWith({ keys: { p256dh: 'A'.repeat(87), auth } })).toMatchObject({
      params: { field: 'p256dh' },
    });
    expect(await subscribeWith({ key: 'A'.repeat(87) })).toMatchObject({ errCode: 4598 });
  });
});

describe('the push data of a customer', () => {
  it('are listed without the endpoint, which would identify the browser', async () => {
    const browser = await aBrowserOf(shop, ana);
    expect((await subscribeToPush(shop, ana, browser, about)).code).toBe(0);
    const { data } = await shop.request(endpoints.listPush, { body: {} }, ana);
    expect(JSON.stringify(data)).not.toContain(browser.subscription.endpoint);
    expect(JSON.stringify(data)).not.toContain(browser.subscription.keys.auth);
  });

  it('are not available to a set-top box, which cannot change the account', async () => {
    const { token } = ana;
    const browser = await aBrowserOf(shop, ana);
    const body = { ...browser.subscription, key: await pushKey(shop, ana), about };
    await shop.db
      .update(sessions)
      .set({ kind: 'box', boxId: 'box' })
      .where(eq(sessions.tokenHash, tokenHash(token)));
    expect((await shop.request(endpoints.subscribePush, { body }, { token })).errCode).toBe(-24031);
    expect((await shop.request(endpoints.listPush, { body: {} }, { token })).errCode).toBe(-24031);
    expect((await shop.request(endpoints.endPush, { body: { id: 'x' } }, { token })).errCode).toBe(-24031);
  });
});

describe('the sandbox push service', () => {
  let browser: PushBrowser;
  let headers: Record<string, string>;
  beforeEach(async () => {
    browser = await aBrowserOf(shop, ana);
    headers = { ttl: '60', 'content-encoding': 'aes128gcm', authorization: await tokenOf('lumen') };
  });
  const tokenOf = (code: string, at = browser.subscription.endpoint) =>
    vapidHeader(shop.deps, { code, origin: 'https://shop.example' }, new URL(at));
  const post = async (change: Record<string, string | undefined>, body = sealed()) => {
    const all = { ...headers, ...change };
    const sent = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return (await shop.app.request(browser.subscription.endpoint, { method: 'POST', headers: sent, body })).status;
  };
  /** resembles a record of aes128gcm */
  const sealed = (bytes = 200) => {
    const body = new Uint8Array(bytes);
    body[20] = 65;
    body[21] = 4;
    return body;
  };

  it('accepts and refuses the same requests as a real one', async () => {
    expect(await post({})).toBe(201);
    expect(await post({ ttl: undefined })).toBe(400);
    expect(await post({ 'content-encoding': 'gzip' })).toBe(415);
    expect(await post({ topic: 'x'.repeat(33) })).toBe(400);
    expect(await post({}, sealed(4097))).toBe(413);
    expect(await post({}, new Uint8Array(200))).toBe(400);
    expect(await post({ authorization: undefined })).toBe(401);
    expect(await post({ authorization: await tokenOf('mego') })).toBe(403);
    expect(await post({ authorization: await tokenOf('lumen', 'https://fcm.googleapis.com/x') })).toBe(401);
    const [, token = '', key = ''] = /t=([^,]+), k=(.+)$/.exec(headers['authorization'] ?? '') ?? [];
    expect(await post({ authorization: `vapid t=${token.slice(0, -4)}AAAA, k=${key}` })).toBe(401);
    shop.clock.advance(13 * 60 * 60_000);
    expect(await post({})).toBe(401);
    await browser.leave();
    expect(await post({})).toBe(410);
    expect(await browser.kept()).toHaveLength(1);
  });
});

describe('a push message', () => {
  it('is encrypted: its carrier can read neither the brand nor the text nor the order', async () => {
    const { data } = await ana.pay(byPix);
    const browser = await aBrowserOf(shop, ana);
    const transmittedRequests: { headers: Headers; body: string }[] = [];
    const push = async (request: Request) => {
      transmittedRequests.push({
        headers: request.headers,
        body: Buffer.from(await request.clone().arrayBuffer()).toString('latin1'),
      });
      return shop.deps.push(request);
    };
    const brand = shop.deps.catalog.byCode('lumen');
    if (!brand) throw new Error('no brand');
    const message = { kind: 'paid', orderId: data.orderId, endsAt: null } as const;
    const content = writePush(brand, { language: 'en' }, message);
    const endpoint = new URL(browser.subscription.endpoint);
    const to = browser.subscription.keys;
    const outgoing = { id: 'one', brand, to, endpoint, content, expiresAt: shop.clock.now + 60_000 };
    expect(await sendPush({ ...shop.deps, push }, outgoing)).toEqual({ state: 'accepted' });
    expect(await browser.read()).toEqual([content]);
    const transmitted = `${transmittedRequests[0]?.body} ${JSON.stringify([...(transmittedRequests[0]?.headers ?? [])])}`;
    expect(transmitted).not.toMatch(new RegExp(`lumen|payment|${data.orderId}|${ana.uid}|${ana.account}`, 'i'));
    expect(JSON.stringify(content)).not.toMatch(new RegExp(`${ana.uid}|${ana.account}|${data.resultToken}|R\\$`));
  });
});
