import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { answerBy } from '#server/http/shop-server.ts';
import { checkProxy } from '#server/operator/doctor/check-proxy.ts';
import { testApp } from '#tests/builders/test-app.ts';

const METRICS_TOKEN = 'a-token-of-metrics';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  // as: a listening TCP server has an address with a port
  return (server.address() as AddressInfo).port;
}

async function aShop(env: Record<string, string>): Promise<number> {
  const shop = await testApp({ env: { METRICS_TOKEN, ...env } });
  closing.push(() => shop.close());
  return listening(createServer(answerBy(shop.app.fetch)));
}

type Headers = Record<string, string | string[] | undefined>;

/** A proxy that connects from an address of its own, and changes the headers. */
async function aProxy(
  to: number,
  from: string,
  headersOf: (given: IncomingHttpHeaders, client: string) => Headers,
): Promise<number> {
  return listening(
    createServer((incoming, outgoing) => {
      const { method, url: path, headers, socket } = incoming;
      const client = socket.remoteAddress ?? '';
      const changed = { ...headers, ...headersOf(headers, client) };
      const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
      const target = { host: '127.0.0.1', port: to, localAddress: from, method, path, headers: given, agent: false };
      const onward = request(target, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      incoming.pipe(onward);
    }),
  );
}

/** Each address is a machine of its own: the doctor is at 127.0.0.1. */
const [inner, outer] = ['127.0.0.2', '127.0.0.3'];

const https = { 'x-forwarded-proto': 'https' };
const replacing = (_: IncomingHttpHeaders, client: string) => ({ ...https, 'x-forwarded-for': client });
const appending = (given: IncomingHttpHeaders, client: string) => ({
  ...https,
  'x-forwarded-for': [given['x-forwarded-for'], client].filter(Boolean).join(', '),
});

async function found(port: number, token: string = METRICS_TOKEN): Promise<string> {
  const findings = await checkProxy(new URL(`http://localhost:${port}`), token);
  return findings.map(({ state, says }) => `${state} ${says}`).join('\n');
}

describe('the doctor at the proxies of a shop', { timeout: 60_000 }, () => {
  it('finds nothing wrong with one or two proxies that TRUST_PROXY names', async () => {
    const shop = await aShop({ TRUST_PROXY: `${inner},${outer}` });
    const near = await aProxy(shop, inner, appending);
    expect(await found(near)).toBe('ok is in TRUST_PROXY, and passes on address and scheme');
    expect(await found(await aProxy(near, outer, replacing))).toMatch(/^ok /);
  });

  it('finds a proxy that TRUST_PROXY does not name, and names its address', async () => {
    const shop = await aShop({ TRUST_PROXY: outer });
    expect(await found(await aProxy(shop, inner, replacing))).toBe(
      'wrong at 127.0.0.2 is not in TRUST_PROXY, so all customers share one address, and the mistakes of a few lock ' +
        'out everyone; add 127.0.0.2 to TRUST_PROXY',
    );
  });

  it('finds a second proxy in front that is not trusted, or whose address is replaced', async () => {
    const shop = await aShop({ TRUST_PROXY: inner });
    const near = await aProxy(shop, inner, appending);
    const says = /^wrong takes another proxy at 127\.0\.0\.3 for the customer/;
    expect(await found(await aProxy(near, outer, appending))).toMatch(says);
    const cdn = (_: IncomingHttpHeaders, client: string) => ({ 'cf-connecting-ip': client });
    expect(await found(await aProxy(await aProxy(shop, inner, replacing), outer, cdn))).toMatch(says);
  });

  it('finds one that does not pass on the address or the scheme of customers', async () => {
    const shop = await aShop({ TRUST_PROXY: inner });
    expect(await found(await aProxy(shop, inner, () => https))).toMatch(
      /^wrong at 127\.0\.0\.2 does not pass on the address of customers/,
    );
    const plain = await aProxy(shop, inner, (_, client) => ({ 'x-forwarded-for': client }));
    expect(await found(plain)).toMatch(/^wrong passes on the wrong scheme, so links lead to http; .*X-Forwarded-Proto/);
  });

  it('finds that callers can choose their address', async () => {
    const passing = (given: IncomingHttpHeaders, client: string) => ({
      ...https,
      'x-forwarded-for': given['x-forwarded-for'] ?? client,
    });
    const shop = await aShop({ TRUST_PROXY: inner });
    expect(await found(await aProxy(shop, inner, passing))).toMatch(/^wrong lets callers choose their address/);
  });

  it('says what it cannot find out: another token, no token, no answer', async () => {
    const shop = await aShop({ TRUST_PROXY: inner });
    const near = await aProxy(shop, inner, replacing);
    expect(await found(near, 'another-token-of-metrics')).toMatch(/^note .*\/healthz\/caller does not say/);
    expect(await checkProxy(new URL(`http://localhost:${near}`), undefined)).toEqual([]);
    const plain = await fetch(`http://localhost:${near}/healthz/caller`);
    expect([plain.status, await plain.text()]).toEqual([404, 'not found']);
  });
});
