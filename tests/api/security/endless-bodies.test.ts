import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { login, paymentMethods, uploadObject } from '#contract/index.ts';
import { startReportPath } from '#contract/start-report.ts';
import { answerPages } from '#server/http/pages/page-routes.ts';
import { answerBy, createShopServer } from '#server/http/shop-server.ts';
import { smsSignatureHeader, smsTimestampHeader } from '#server/messages/sms-budget.ts';
import { aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { aPicture, byPayNow, sendFile } from '#tests/builders/a-transfer.ts';
import { testNow } from '#tests/builders/test-app.ts';

let shop: Shop;
let port: number;
const server = createShopServer({ KEEP_ALIVE_SECONDS: 130 });
beforeAll(async () => {
  shop = await aShop(undefined, { env: { MAIL_BOUNCE_SECRET: 'a secret of the tests that is long enough' } });
  const noPage = () => {
    throw new Error('no page is rendered before its form has come');
  };
  answerPages(shop.app, shop.deps, { find: noPage, withNotice: noPage, manifestOf: noPage });
  server.on('request', answerBy(shop.app.fetch));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // as: it listens on a TCP port
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await shop.close();
});

interface Start {
  readonly host?: string;
  readonly type?: string;
  readonly headers?: readonly string[];
  /** of a body with a content length; the others are chunked */
  readonly length?: number;
}

/** Starts a request whose body never ends. */
function begin(path: string, { host = 'localhost', type = 'application/json', headers = [], length }: Start): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Content-Type: ${type}`,
    ...headers,
    length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
  ];
  const start = length === undefined ? '9\r\n{"planId"\r\n' : '{"planId"';
  socket.write(`${lines.join('\r\n')}\r\n\r\n${start}`);
  return socket;
}
const beginAs = ({ host, token }: Buyer, path: string, type: string, length: number) =>
  begin(path, { host, type, length, headers: [`Authorization: ${token}`] });
const upload = (buyer: Buyer) => beginAs(buyer, uploadObject.path, 'image/png', 4_000_000);

/** The status line and what follows in the first packet. */
async function answerTo(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data')) as [Buffer]; // as: no encoding is set
  return data.toString();
}

describe('a request body that never ends', () => {
  it('is not read if the customer may not upload', async () => {
    const buyer = await shop.buyer({ host: 'mego.localhost' });
    expect(await answerTo(upload(buyer))).toMatch(/^HTTP\/1\.1 422 .*"errCode":4598/s);
    const nobody = { ...buyer, token: 'a-token-that-nobody-has-at-all' };
    expect(await answerTo(upload(nobody))).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('is one of at most two uploads per session, and the next is possible once they have ended', async () => {
    const buyer = await shop.buyer({ host: 'mego.localhost' });
    await buyer.pay(byPayNow);
    const open = Array.from({ length: 12 }, () => upload(buyer));
    const refused = await Promise.race(open.map((socket) => answerTo(socket)));
    // a limit of the session, not a failure of the server
    expect(refused).toMatch(/^HTTP\/1\.1 429 .*Retry-After: 3.*"errCode":-24040/is);
    const answered = open.map((socket) => socket.bytesRead > 0);
    expect(answered.filter((done) => !done).length).toBeGreaterThanOrEqual(2);
    expect((await sendFile(shop, buyer, aPicture)).status).toBe(429);
    for (const socket of open) socket.destroy();
    await expect.poll(async () => (await sendFile(shop, buyer, aPicture)).status, { timeout: 10_000 }).toBe(200);
  });

  it('of an upload does not delay other requests of the session', async () => {
    const buyer = await shop.buyer({ host: 'mego.localhost' });
    await buyer.pay(byPayNow);
    const open = Array.from({ length: 12 }, () => upload(buyer));
    await Promise.race(open.map((socket) => answerTo(socket)));
    const started = performance.now();
    const body = { planId: '201', currency: 'SGD' };
    expect((await shop.request(paymentMethods, { body }, buyer)).code).toBe(0);
    expect(performance.now() - started).toBeLessThan(5000);
    for (const socket of open) socket.destroy();
  });

  it('of JSON delays other requests of its session, and not those of other sessions', async () => {
    const [ana, bia] = await shop.buyers(2);
    if (!ana || !bia) throw new Error('no customers');
    const open = [1, 2].map(() => beginAs(ana, paymentMethods.path, 'application/json', 200));
    const body = { planId: '101', currency: 'BRL' };
    const methods = (buyer: Buyer) => shop.request(paymentMethods, { body }, buyer);
    await expect.poll(async () => (await methods(bia)).code).toBe(0);
    const sockets = await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
    expect(sockets).toBeGreaterThanOrEqual(2);
    const waiting = methods(ana);
    for (const socket of open) socket.destroy();
    expect((await waiting).code).toBe(0);
  });

  it('of JSON is refused and counted once the queue of its session is full', async () => {
    const [ana] = await shop.buyers(1);
    if (!ana) throw new Error('no customer');
    const before = await counted('body_count');
    const [sent, read, queued] = [80, 2, 64];
    const open = Array.from({ length: sent }, () => beginAs(ana, paymentMethods.path, 'application/json', 200));
    const refused = await Promise.race(open.map((socket) => answerTo(socket)));
    expect(refused).toMatch(/^HTTP\/1\.1 429 /);
    await expect.poll(() => counted('body_count')).toBe(before + sent - read - queued);
    for (const socket of open) socket.destroy();
  });
});

describe('a request body that never ends, without a session', () => {
  const signed = [`${smsTimestampHeader}: ${testNow}`, `${smsSignatureHeader}: ${'a'.repeat(64)}`];
  const form = 'application/x-www-form-urlencoded';
  const routes: [string, string, Start][] = [
    ['a notice of a provider', '/webhooks/paypal', {}],
    ['a notice of the mail provider', '/webhooks/mail', { headers: signed }],
    ['a code for a TV', '/oauth/device_authorization', { type: form }],
    ['a token for a TV', '/oauth/token', { type: form }],
    ['the end of offers', '/unsubscribe', { type: form }],
    ['a report', '/policy-reports', { type: 'application/csp-report' }],
    ['a start report', startReportPath, {}],
    ['a form without scripts', '/login', { type: form }],
    ['a call', login.path, {}],
  ];

  it.each(routes)('times out and is counted: %s', async (_, path, start) => {
    const before = await counted('body_time');
    const sockets = [undefined, 100].map((length) =>
      begin(path, { ...start, ...(length !== undefined && { length }) }),
    );
    const answers = await withFastTimers(Promise.all(sockets.map(answerTo)));
    // browsers send reports and do not read the response
    const status = path.endsWith('-reports') ? 400 : 408;
    for (const answer of answers) expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(await counted('body_time')).toBe(before + 2);
    await expect.poll(() => sockets.every(({ closed }) => closed)).toBe(true);
  });

  it('is limited to a few at the same time per network and surrounding network', async () => {
    const send = async (ip: string, body: BodyInit) =>
      shop.app.fetch(new Request(`http://localhost${login.path}`, { method: 'POST', body, ...duplex }), {
        incoming: { socket: { remoteAddress: ip } },
      });
    const ends: (() => void)[] = [];
    const endless = () =>
      new ReadableStream({ start: (stream) => void ends.push(() => stream.close()), type: 'bytes' });
    const before = await counted('body_count');
    // a customer network is a /56, which contains 256 of the /64 networks that limits count as one
    const open = Array.from({ length: 256 + 64 }, (_, n) => send(`2001:db8:1:${(n % 200).toString(16)}::1`, endless()));
    await expect.poll(() => ends.length).toBe(320);
    expect((await send('2001:db8:1:ff::1', '{}')).status).toBe(503);
    expect((await send('2001:db8:2:1::1', '{}')).status).toBe(400);
    expect(await counted('body_count')).toBe(before + 1);
    for (const end of ends) end();
    expect((await Promise.all(open)).map(({ status }) => status)).toEqual(Array.from(open, () => 400));
  });

  it('counts towards the memory that all bodies share, small ones too', async () => {
    const before = await counted('body_memory');
    const part = new Uint8Array(60 * 1024);
    const ends: (() => void)[] = [];
    const started = Array.from({ length: 1200 }, async (_, n) => {
      const body = new ReadableStream({
        start: (stream) => {
          stream.enqueue(part);
          ends.push(() => stream.close());
        },
      });
      const request = new Request(`http://localhost${login.path}`, {
        method: 'POST',
        body,
        headers: { 'content-length': '61440' },
        ...duplex,
      });
      return shop.app.fetch(request, { incoming: { socket: { remoteAddress: `198.51.${n >> 6}.1` } } });
    });
    const first = await Promise.race(started);
    expect(first.status).toBe(503);
    expect(await counted('body_memory')).toBeGreaterThan(before);
    for (const end of ends) end();
    await Promise.all(started);
  });
});

// the platform types lack `duplex`
const duplex = { duplex: 'half' };

/** Advances the time limits of bodies until an answer arrives. */
async function withFastTimers<T>(answer: Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const ticks = setInterval(() => vi.advanceTimersByTime(1000), 20);
  try {
    return await answer;
  } finally {
    clearInterval(ticks);
    vi.useRealTimers();
  }
}

/** The number of bodies that a limit has refused. */
async function counted(limit: string): Promise<number> {
  const metrics = await shop.deps.metrics.registry.metrics();
  return Number(new RegExp(`limit_refusals_total\\{limit="${limit}",brand="lumen"\\} (\\d+)`).exec(metrics)?.[1] ?? 0);
}
