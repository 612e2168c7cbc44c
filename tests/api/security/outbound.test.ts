import { once } from 'node:events';
import { createServer as createHttp, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { afterEach, describe, expect, it } from 'vitest';
import { recaptcha } from '#server/auth/captcha/recaptcha.ts';
import { createLog } from '#server/runtime/log.ts';
import { refuseOtherConnections, providerFetch } from '#server/runtime/outbound.ts';
import { isPushHost } from '#server/messages/push/send-push.ts';
import { sendProviderRequest } from '#server/payments/send-provider-request.ts';
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

describe('a redirect of a provider', () => {
  const log = createLog('silent');

  /** A server that redirects every request to another one; `visited` lists the requests there. */
  async function startRedirect() {
    const visited: string[] = [];
    const target = await listening(
      createHttp((request, response) => {
        visited.push(request.url ?? '');
        response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{"success":true}');
      }),
    );
    const port = await listening(
      createHttp((_, response) => {
        response.writeHead(307, { location: `http://127.0.0.1:${target}/metadata`, connection: 'close' }).end();
      }),
    );
    return { visited, origin: `http://127.0.0.1:${port}` };
  }

  it('is not followed for a payment, whose outcome is then unknown', async () => {
    const { visited, origin } = await startRedirect();
    const request = new Request(`${origin}/pay`, { method: 'POST', body: '{"card":"4242"}' });
    expect(await sendProviderRequest(fetch, request, v.unknown())).toBeUndefined();
    expect(visited).toEqual([]);
  });

  it('is not followed for a captcha verification', async () => {
    const { visited, origin } = await startRedirect();
    const provider = recaptcha({
      siteKey: 'a-site-key-of-tests',
      secret: 'a-secret-of-tests',
      script: '/x.js',
      sources: { script: [], frame: [], connect: [] },
      verifyAt: `${origin}/verify`,
      send: (request) => fetch(request),
      log,
    });
    await expect(provider.verify('answer', '127.0.0.1', throwRefusal)).rejects.toMatchObject({ error: 'serviceBusy' });
    expect(visited).toEqual([]);
  });

  it('is not followed to the keys of an identity provider', async () => {
    const { visited, origin } = await startRedirect();
    const discover = openDiscovery(fetch, { clock: () => 0, log });
    await expect(discover(origin)).rejects.toMatchObject({ error: 'serviceBusy' });
    expect(visited).toEqual([]);
  });
});

/** A server that answers every HTTP request, and the number of its connections. */
async function aListener() {
  const counter = { connections: 0 };
  const server = createHttp((_, response) => void response.writeHead(200, { connection: 'close' }).end());
  server.on('connection', () => (counter.connections += 1));
  return { counter, port: await listening(server) };
}

describe('a connection to a host that is not a configured provider', () => {
  it.each(Object.entries(attempts).filter(([client]) => client !== 'EventSource'))(
    'is refused and counted before it is opened, by %s',
    async (client, attempt) => {
      const { counter, port } = await aListener();
      const targets = ['127.0.0.1', 'unlisted.example'];
      const hosts: string[] = [];
      const removeGuard = refuseOtherConnections((host) => hosts.push(host));
      try {
        for (const host of targets) await expect(attempt(host, port)).rejects.toBeInstanceOf(Error);
      } finally {
        removeGuard();
      }
      // a refused datagram reports no host, and `fetch` also reports the port
      if (client === 'dgram') expect(hosts.length).toBeGreaterThanOrEqual(targets.length);
      else expect(hosts.map((host) => host.replace(/:\d+$/, ''))).toEqual(expect.arrayContaining(targets));
      expect(counter.connections).toBe(0);
      expect(lookedUpNames).toEqual([]);
    },
  );

  it('is refused, while a provider of the settings is reached at its exact origin', async () => {
    const { counter, port } = await aListener();
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
    expect([counter.connections, other.counter.connections]).toEqual([1, 0]);
  });

  it('is refused even if the host resembles a push service, which is reached by https only', async () => {
    const rule = (host: string) => isPushHost(host, { PUSH_HOSTS: ['push.example'] });
    const hosts = 'fcm.googleapis.com web.push.apple.com db5p.notify.windows.com updates.push.services.mozilla.com';
    expect([...hosts.split(' '), 'push.example'].filter((host) => !rule(host))).toEqual([]);
    const others = ['fcm.googleapis.com.evil.example', 'push.apple.com.evil.example', '127.0.0.1', 'localhost'];
    expect(others.filter(rule)).toEqual([]);
    const send = providerFetch((host) => rule(host));
    await expect(send('http://fcm.googleapis.com/')).rejects.toThrow('configured providers only');
  });
});

describe('a production server', { timeout: 120_000 }, () => {
  it('connects to its providers, and with no Node client to any other host', async () => {
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
      expect(other.counter.connections).toBe(0);
      expect(await shop.connect('net', '127.0.0.1', provider.port)).toBe('connected');
      expect(shop.output()).toContain('refused a connection to a host');
    } finally {
      await shop.dispose();
      await postgres.stop();
    }
  });
});

it('a receipt is rendered in a thread without network access', async () => {
  const { counter, port } = await aListener();
  const worker = new Worker(
    `import { receiptPdf } from ${JSON.stringify(import.meta.resolve('../../../src/server/messages/receipt-worker.ts'))};
     import { connect } from 'node:net';
     import { parentPort } from 'node:worker_threads';
     await receiptPdf({ paper: {}, language: 'en', paidAt: 0 }).catch(() => undefined);
     connect(${port}, '127.0.0.1').on('connect', () => parentPort.postMessage('connected'))
       .on('error', (error) => parentPort.postMessage(error.name));`,
    { eval: true, execArgv: ['--input-type=module'] },
  );
  expect(await once(worker, 'message')).toEqual(['OutboundRefused']);
  await worker.terminate();
  expect(counter.connections).toBe(0);
});
