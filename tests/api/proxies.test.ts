import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { readSettings } from '#server/env.ts';
import { answerBy, createShopServer, listenOn } from '#server/http/shop-server.ts';
import { checkUploads } from '#server/operator/doctor/check-from-outside.ts';
import { testApp } from '#tests/builders/test-app.ts';
import { hasProxy, shippedConfig, startProxy } from '#tests/fixtures/real-proxy.ts';
import { startWebBalancer } from '#tests/tools/verify/operations/haproxy.ts';
import { openEndings } from '#tests/tools/verify/operations/programs.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

type Fetch = Parameters<typeof answerBy>[0];

interface ShopServer {
  readonly port: number;
  connections(): number;
  /** connections that the server closed because they were idle */
  timedOut(): number;
}

async function aServer(KEEP_ALIVE_SECONDS: number, fetch: Fetch): Promise<ShopServer> {
  const server = createShopServer({ KEEP_ALIVE_SECONDS });
  let connections = 0;
  let timedOut = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.on('timeout', () => void (timedOut += 1));
  });
  server.on('request', answerBy(fetch));
  await listenOn(server, { PORT: 0, HOST: undefined });
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  // as: a listening TCP server has an address with a port
  return { port: (server.address() as AddressInfo).port, connections: () => connections, timedOut: () => timedOut };
}

/** A write, which no proxy repeats. Returns the status, or 0 after a broken connection. */
const post = (origin: string, agent: Agent): Promise<number> =>
  new Promise((resolve) => {
    const call = request(`${origin}/pay`, { method: 'POST', agent, headers: { 'content-length': 2 } });
    call.on('response', (answer) => answer.resume().on('end', () => resolve(answer.statusCode ?? 0)));
    call.on('error', () => resolve(0));
    call.end('{}');
  });

const workers = 40;
const rounds = 5;
const burst = 10;
/** Pauses differ by at most 100 ms from this timeout, so that connections are reused just before they close. */
const idleMs = 300;

/** Each worker sends a burst, pauses for about the idle timeout of the proxy, and sends the next burst. */
async function send(origin: string): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const agent = new Agent({ keepAlive: true, maxSockets: workers });
  const worker = async (index: number) => {
    for (let round = 0; round < rounds; round += 1) {
      for (let count = 0; count < burst; count += 1) {
        const status = await post(origin, agent);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      const gap = idleMs - 100 + ((index * 37 + round * 61) % 200);
      await new Promise((resolve) => setTimeout(resolve, gap));
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, index) => worker(index)));
  agent.destroy();
  return statuses;
}

describe('a proxy that reuses connections', { timeout: 60_000 }, () => {
  it.each(['nginx', 'caddy'] as const)(
    'closes an idle one before the server does with the shipped settings of %s',
    (name) => {
      const { KEEP_ALIVE_SECONDS } = readSettings({});
      const [, seconds] = /keepalive(?:_timeout)? (\d+)s/.exec(shippedConfig(name)) ?? [];
      expect(Number(seconds)).toBeGreaterThan(0);
      expect(Number(seconds)).toBeLessThanOrEqual(KEEP_ALIVE_SECONDS - 10);
      // the default timeouts of Caddy, nginx and AWS are not longer
      expect(KEEP_ALIVE_SECONDS).toBeGreaterThan(120);
      const server = createShopServer({ KEEP_ALIVE_SECONDS });
      expect(server.keepAliveTimeout).toBe(KEEP_ALIVE_SECONDS * 1000);
      expect(server.headersTimeout).toBeGreaterThan(server.keepAliveTimeout);
    },
  );

  it.for(['nginx', 'caddy'] as const)('loses none of thousands of requests through %s', async (name, { skip }) => {
    skip(!hasProxy(name), `${name} is not on this machine`);
    // the shipped timeouts, about a thousand times shorter
    const { port, connections, timedOut } = await aServer(1, () => new Response('ok'));
    const proxy = await startProxy(name, { upstream: port, idle: `${idleMs}ms` });
    closing.push(proxy.stop);
    const statuses = await send(proxy.origin);
    expect(Object.fromEntries(statuses)).toEqual({ 200: workers * rounds * burst });
    expect(connections()).toBeLessThan((workers * rounds * burst) / 5);
    expect(timedOut()).toBe(0);
  });
});

describe('a proxy with the shipped settings', () => {
  it.for(['nginx', 'caddy'] as const)('of %s redirects pages to https, and refuses calls', async (name, { skip }) => {
    skip(!hasProxy(name), `${name} is not on this machine`);
    const { port } = await aServer(5, () => new Response('from the shop'));
    const proxy = await startProxy(name, { upstream: port, idle: '60s' });
    closing.push(proxy.stop);
    const answer = async (path: string, method = 'GET') => {
      const { status, headers } = await fetch(`${proxy.plain}${path}`, { method, redirect: 'manual' });
      return [status, headers.get('location')];
    };
    expect(await answer('/')).toEqual([301, 'https://127.0.0.1/']);
    expect(await answer('/plans?lang=pt')).toEqual([301, 'https://127.0.0.1/plans?lang=pt']);
    for (const path of ['/api/user/login/v1', '/oauth/token', '/webhooks/stripe'])
      expect(await answer(path, 'POST'), path).toEqual([403, null]);
  });
});

describe('HAProxy with the shipped settings', { timeout: 60_000 }, () => {
  it('sends requests to ready processes, and to all of them while none is', async ({ skip }) => {
    skip(!existsSync('/usr/sbin/haproxy'), 'haproxy is not on this machine');
    const ready = [true, true];
    const process = (index: number) =>
      aServer(5, (request) => {
        const { pathname, hostname } = new URL(request.url);
        // a check without a host is refused, as an unknown host is
        if (pathname === '/readyz')
          return new Response('', { status: ready[index] && hostname === 'localhost' ? 200 : 421 });
        return new Response(`${index} ${request.headers.get('x-forwarded-for')}`);
      });
    const ports = [(await process(0)).port, (await process(1)).port];
    const endings = openEndings();
    closing.push(endings.run);
    const front = await startWebBalancer(endings, ports, 9);
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    const answers = async () => {
      const seen = Array.from({ length: 8 }, async () =>
        (await fetch(`http://127.0.0.1:${front}/`, { headers })).text(),
      );
      return [...new Set(await Promise.all(seen))].sort();
    };
    const both = ['0 127.0.0.1', '1 127.0.0.1'];
    await expect.poll(answers, { timeout: 20_000 }).toEqual(both);
    ready[1] = false;
    await expect.poll(answers, { timeout: 20_000 }).toEqual(['0 127.0.0.1']);
    ready[0] = false;
    await expect.poll(answers, { timeout: 20_000 }).toEqual(both);
    ready[1] = true;
    await expect.poll(answers, { timeout: 20_000 }).toEqual(['1 127.0.0.1']);
    expect((await fetch(`http://127.0.0.1:${front}/metrics`)).status).toBe(404);
  });
});

describe('an upload through nginx', () => {
  it.for([
    { limit: 'the shipped limit', front: {}, says: 'ok: 4 MiB reach the shop' },
    {
      limit: 'its default of 1 MB',
      front: { without: 'client_max_body_size' },
      says: 'wrong: a proxy refuses 4 MiB; raise its limit (nginx: client_max_body_size 5m)',
    },
  ])('is checked by the doctor with $limit', async ({ front, says }, { skip }) => {
    skip(!hasProxy('nginx'), 'nginx is not on this machine');
    const shop = await testApp();
    closing.push(() => shop.close());
    const { port } = await aServer(5, shop.app.fetch);
    const proxy = await startProxy('nginx', { upstream: port, idle: '60s', ...front });
    closing.push(proxy.stop);
    const found = await checkUploads(proxy);
    expect(`${found.state}: ${found.says}`).toBe(says);
  });
});

describe('the port of the server', () => {
  it('answers by IPv4, IPv6 and name, with any host header', async () => {
    const shop = await testApp();
    closing.push(() => shop.close());
    const { port } = await aServer(5, shop.app.fetch);
    for (const host of [`127.0.0.1:${port}`, `[::1]:${port}`, `localhost:${port}`]) {
      for (const path of ['/healthz', '/readyz', '/api/site/theme/v1']) {
        expect((await fetch(`http://${host}${path}`)).status, host + path).toBe(200);
      }
    }
  });
});
