import { once } from 'node:events';
import { createServer as createHttp, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { afterEach, describe, expect, it } from 'vitest';
import { recaptcha } from '#server/auth/captcha/recaptcha.ts';
import { createLog } from '#server/runtime/log.ts';
import { providerFetch, refuseOtherConnections } from '#server/runtime/outbound.ts';
import { isPushHost } from '#server/messages/push/send-push.ts';
import { sendProviderRequest } from '#server/payments/ask-provider.ts';
import { aBrand } from '#tests/builders/a-brand.ts';
import { attempts, lookedUpNames } from '#tests/fixtures/connection-attempts.ts';
import { inDatabase, startPostgres } from '#tests/fixtures/postgres.ts';
import { productionEnv, startServer } from '#tests/fixtures/server-process.ts';
import { throwRefusal } from '#server/runtime/request/api-error.ts';
import { openDiscovery } from '#server/auth/sign-on/openid-client.ts';

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function listening(server: Server): Promise<number> {
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('a provider that points elsewhere', () => {
  const log = createLog('silent');

  /** A server whose every answer is a redirect to another one; `visited` says who came there. */
  async function pointing() {
    const visited: string[] = [];
    const elsewhere = await listening(
      createHttp((request, response) => {
        visited.push(request.url ?? '');
        response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{"success":true}');
      }),
    );
    const port = await listening(
      createHttp((_, response) => {
        response.writeHead(307, { location: `http://127.0.0.1:${elsewhere}/metadata`, connection: 'close' }).end();
      }),
    );
    return { visited, at: `http://127.0.0.1:${port}` };
  }

  it('is not followed with a payment, and what became of it is unknown', async () => {
    const { visited, at } = await pointing();
    const request = new Request(`${at}/pay`, { method: 'POST', body: '{"card":"4242"}' });
    expect(await sendProviderRequest(fetch, request, v.unknown())).toBeUndefined();
    expect(visited).toEqual([]);
  });

  it('is not followed with the answer to a captcha', async () => {
    const { visited, at } = await pointing();
    const provider = recaptcha({
      siteKey: 'a-site-key-of-tests',
      secret: 'a-secret-of-tests',
      script: '/x.js',
      sources: { script: [], frame: [], connect: [] },
      verifyAt: `${at}/verify`,
      send: (request) => fetch(request),
      log,
    });
    await expect(provider.verify('answer', '127.0.0.1', throwRefusal)).rejects.toMatchObject({ error: 'serviceBusy' });
    expect(visited).toEqual([]);
  });

  it('is not followed to the keys of an identity provider', async () => {
    const { visited, at } = await pointing();
    const discover = openDiscovery(fetch, { clock: () => 0, log });
    await expect(discover(at)).rejects.toMatchObject({ error: 'serviceBusy' });
    expect(visited).toEqual([]);
  });
});

/** A server that answers every HTTP request, and how many connections it has seen. */
async function aListener() {
  const seen = { connections: 0 };
  const server = createHttp((_, response) => void response.writeHead(200, { connection: 'close' }).end());
  server.on('connection', () => (seen.connections += 1));
  return { seen, port: await listening(server) };
}

describe('a connection to a host that is no configured provider', () => {
  it.each(Object.entries(attempts).filter(([client]) => client !== 'EventSource'))(
    'is refused and counted before it is opened, by %s',
    async (client, attempt) => {
      const { seen, port } = await aListener();
      const targets = ['127.0.0.1', 'unlisted.example'];
      const hosts: string[] = [];
      const removeGuard = refuseOtherConnections((host) => hosts.push(host));
      try {
        for (const host of targets) await expect(attempt(host, port)).rejects.toBeInstanceOf(Error);
      } finally {
        removeGuard();
      }
      // a refused datagram reports no host, and `fetch` reports the port with it
      if (client === 'dgram') expect(hosts.length).toBeGreaterThanOrEqual(targets.length);
      else expect(hosts.map((host) => host.replace(/:\d+$/, ''))).toEqual(expect.arrayContaining(targets));
      expect(seen.connections).toBe(0);
      expect(lookedUpNames).toEqual([]);
    },
  );

  it('is made to a provider of the settings, at its origin only', async () => {
    const { seen, port } = await aListener();
    const other = await aListener();
    const send = providerFetch(`http://127.0.0.1:${port}/store`);
    const removeGuard = refuseOtherConnections(() => undefined);
    try {
      expect((await send(`http://127.0.0.1:${port}/pay`)).status).toBe(200);
      for (const address of [
        `http://127.0.0.1:${other.port}/`,
        `https://127.0.0.1:${port}/`,
        'http://169.254.169.254/',
      ])
        await expect(send(address)).rejects.toThrow('configured providers only');
    } finally {
      removeGuard();
    }
    expect([seen.connections, other.seen.connections]).toEqual([1, 0]);
  });

  it('is made to a push service by https only, and not to a host that looks like one', async () => {
    const rule = (host: string) => isPushHost(host, { PUSH_HOSTS: ['push.example'] });
    const hosts = 'fcm.googleapis.com web.push.apple.com db5p.notify.windows.com updates.push.services.mozilla.com';
    expect([...hosts.split(' '), 'push.example'].filter((host) => !rule(host))).toEqual([]);
    const others = ['fcm.googleapis.com.evil.example', 'push.apple.com.evil.example', '127.0.0.1', 'localhost'];
    expect(others.filter(rule)).toEqual([]);
    const send = providerFetch((host) => rule(host));
    await expect(send('http://fcm.googleapis.com/')).rejects.toThrow('configured providers only');
  });
});

describe('a started shop for customers', { timeout: 120_000 }, () => {
  it('connects to its providers, and by no client of Node to anywhere else', async () => {
    const postgres = await startPostgres();
    await inDatabase(postgres.url, (db) => aBrand(db));
    const [provider, other] = [await aListener(), await aListener()];
    const SMS_WEBHOOK_URL = `http://127.0.0.1:${provider.port}/sms`;
    const sms = { SMS_WEBHOOK_URL, SMS_WEBHOOK_SECRET: 'a secret of the tests that is long enough' };
    const env = { ...productionEnv, ...sms, DATABASE_URL: postgres.url };
    const shop = await startServer({ env, connects: true });
    try {
      for (const client of Object.keys(attempts)) {
        const result = await shop.connect(client, '127.0.0.1', other.port);
        expect(result, client).not.toBe('connected');
      }
      expect(other.seen.connections).toBe(0);
      expect(await shop.connect('net', '127.0.0.1', provider.port)).toBe('connected');
      expect(shop.output()).toContain('refused a connection to a host');
    } finally {
      await shop.dispose();
      await postgres.stop();
    }
  });
});

it('a receipt is drawn in a thread that connects to nothing', async () => {
  const { seen, port } = await aListener();
  const worker = new Worker(
    `import { receiptPdf } from ${JSON.stringify(import.meta.resolve('../../../src/server/messages/receipt-thread.ts'))};
     import { connect } from 'node:net';
     import { parentPort } from 'node:worker_threads';
     await receiptPdf({ paper: {}, language: 'en', paidAt: 0 }).catch(() => undefined);
     connect(${port}, '127.0.0.1').on('connect', () => parentPort.postMessage('connected'))
       .on('error', (error) => parentPort.postMessage(error.name));`,
    { eval: true, execArgv: ['--input-type=module'] },
  );
  expect(await once(worker, 'message')).toEqual(['OutboundRefused']);
  await worker.terminate();
  expect(seen.connections).toBe(0);
});
