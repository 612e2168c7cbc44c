import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paymentMethods, uploadObject } from '../../../src/contract/index.ts';
import { answerBy, createShopServer } from '../../../src/server/http/shop-server.ts';
import { ApiRefusal } from '../../../src/server/request/api-error.ts';
import { readBytes } from '../../../src/server/request/read-bytes.ts';
import { aShop, type Buyer, type Shop } from '../../builders/a-shop.ts';
import { aPicture, byPayNow, sendFile } from '../../builders/a-transfer.ts';

let shop: Shop;
let port: number;
const server = createShopServer({ KEEP_ALIVE_SECONDS: 130 });
beforeAll(async () => {
  shop = await aShop();
  server.on('request', answerBy(shop.app.fetch));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // as: it listens at a port
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await shop.close();
});

/** Begins a request whose body never ends. */
function begin(buyer: Buyer, { path }: { readonly path: string }, type: string, length: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${buyer.host}\r\nAuthorization: ${buyer.token}\r\nContent-Type: ${type}\r\n` +
      `Content-Length: ${length}\r\n\r\n{"planId"`,
  );
  return socket;
}
const upload = (buyer: Buyer) => begin(buyer, uploadObject, 'image/png', 4_000_000);

/** The status line and what follows, as far as it has come. */
async function answerTo(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data')) as [Buffer]; // as: no encoding is set
  return data.toString();
}

describe('a body that never ends', () => {
  it('is not read where its sender may not upload at all', async () => {
    const buyer = await shop.buyer({ host: 'mego.localhost' });
    expect(await answerTo(upload(buyer))).toMatch(/^HTTP\/1\.1 422 .*"errCode":4598/s);
    const nobody = { ...buyer, token: 'a-token-that-nobody-has-at-all' };
    expect(await answerTo(upload(nobody))).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('is one of two uploads of a session at most, and the next is possible once they have ended', async () => {
    const buyer = await shop.buyer({ host: 'mego.localhost' });
    await buyer.pay(byPayNow);
    const open = Array.from({ length: 12 }, () => upload(buyer));
    const refused = await Promise.race(open.map((socket) => answerTo(socket)));
    expect(refused).toMatch(/^HTTP\/1\.1 503 .*"errCode":-24040/s);
    const answered = open.map((socket) => socket.bytesRead > 0);
    expect(answered.filter((done) => !done).length).toBeGreaterThanOrEqual(2);
    expect((await sendFile(shop, buyer, aPicture)).status).toBe(503);
    for (const socket of open) socket.destroy();
    await expect.poll(async () => (await sendFile(shop, buyer, aPicture)).status, { timeout: 10_000 }).toBe(200);
  });

  it('of JSON lets the other calls of its session wait for their turn, and those of other sessions pass', async () => {
    const [ana, bia] = await shop.buyers(2);
    if (!ana || !bia) throw new Error('no customers');
    const open = [1, 2].map(() => begin(ana, paymentMethods, 'application/json', 200));
    const body = { planId: '101', currency: 'BRL' };
    const methods = (buyer: Buyer) => shop.request(paymentMethods, { body }, buyer);
    await expect.poll(async () => (await methods(bia)).code).toBe(0);
    const sockets = await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
    expect(sockets).toBeGreaterThanOrEqual(2);
    const waiting = methods(ana);
    for (const socket of open) socket.destroy();
    expect((await waiting).code).toBe(0);
  });

  it.each([undefined, '100'])('is refused when its time has passed, announced with %s', async (length) => {
    const app = new Hono();
    app.post('/', async (c) => c.body(new Uint8Array(await readBytes(c, 1000, 50))));
    const refusals: unknown[] = [];
    app.onError((error, c) => {
      refusals.push(error instanceof ApiRefusal ? error.status : error);
      return c.text('refused', 408);
    });
    const endless = new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(10)) });
    const headers = length === undefined ? {} : { 'content-length': length };
    // as: `duplex` is missing in the types of the platform
    const init = { method: 'POST', body: endless, duplex: 'half', headers } as RequestInit;
    expect((await app.request('/', init)).status).toBe(408);
    expect(refusals).toEqual([408]);
  });
});
