import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBuilds } from '#server/http/pages/builds.ts';
import { mountBuilds } from '#server/http/pages/mount-pages.ts';
import { deploy } from '#tests/builders/a-build.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
let server: Server;
let port: number;
let folder: string;
beforeAll(async () => {
  shop = await testApp();
  // replaces the storefront, which is not built for server tests
  folder = mkdtempSync(join(tmpdir(), 'marquee-builds-'));
  deploy(folder, 'small');
  mountBuilds(shop.app, shop.deps, await openBuilds({ folder }, shop.deps));
  const answer = getRequestListener(shop.app.fetch);
  server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
  await shop.close();
});

/** The complete response to these bytes until the connection is closed. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString();
  });
  // a reset is one way to refuse
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}

const request = (...lines: string[]) => lines.join('\r\n');
const statuses = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
/** A second request that is hidden inside the first. */
const hidden = request('GET /healthz HTTP/1.1', 'Host: localhost', 'Connection: close', '', '');

describe('the end of an HTTP message', () => {
  const post = ['POST /api/user/query/urv HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];

  it.each([
    ['a length and chunks', [...post, 'Content-Length: 5', 'Transfer-Encoding: chunked', '', '0', '', hidden]],
    ['two lengths', [...post, 'Content-Length: 2', `Content-Length: ${hidden.length}`, '', '{}', hidden]],
    ['chunks under a second name', [...post, 'Transfer-Encoding: chunked, identity', '', '0', '', hidden]],
    ['a length that is no number', [...post, 'Content-Length: +2', '', `{}${hidden}`]],
    ['a chunk whose size is none', [...post, 'Transfer-Encoding: chunked', '', 'zz', '{}', '0', '', hidden]],
    ['a header that is folded', [...post, 'X-A: b', ' Content-Length: 0', '', hidden]],
    ['a space before the colon', [...post, 'Content-Length : 2', '', `{}${hidden}`]],
  ])('is unambiguous: %s are refused, and no hidden request is answered', async (_, lines) => {
    expect(statuses(await raw(request(...lines)))).toEqual([400]);
  });

  it('is recognised for pipelined requests: two requests, two responses', async () => {
    const first = request('GET /healthz HTTP/1.1', 'Host: localhost', '', '');
    expect(statuses(await raw(first + hidden))).toEqual([200, 200]);
  });
});

describe('unsupported methods', () => {
  it.each(['TRACE', 'TRACK', 'DEBUG', 'PROPFIND', 'PUT', 'DELETE'])(
    '%s returns and changes nothing',
    async (method) => {
      const received = await raw(
        request(
          `${method} /pricing-table HTTP/1.1`,
          'Host: localhost',
          'X-Canary: seen-4711',
          'Connection: close',
          '',
          '',
        ),
      );
      expect(statuses(received)[0]).toBeGreaterThanOrEqual(400);
      expect(received).not.toContain('seen-4711');
    },
  );

  it('CONNECT opens no tunnel', async () => {
    const received = await raw(request('CONNECT 169.254.169.254:80 HTTP/1.1', 'Host: localhost', '', ''));
    expect(statuses(received).filter((status) => status < 400)).toEqual([]);
  });
});

const get = (path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { Host: 'localhost' }, redirect: 'manual' });

describe('a file on the disk', () => {
  it.each([
    '/.git/HEAD',
    '/.git/config',
    '/.env',
    '/package.json',
    '/src/server/main.ts',
    '/assets/',
    '/icons/',
    '/assets/..%2f..%2f..%2fpackage.json',
    '/icons/%2e%2e/%2e%2e/%2e%2e/package.json',
    '/assets/..%5c..%5cpackage.json',
    '/icons/%00',
    '/.data/secret',
    '/assets/index.js.map',
  ])('is not served at %s', async (path) => {
    const received = await raw(request(`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', '', ''));
    const [status = 0] = statuses(received);
    // refused as invalid, not found, or redirected to the not-found page
    const end = status === 302 ? /location: (\S+)/i.exec(received)?.[1] : status;
    expect(['/404', 404, 400]).toContain(end);
    expect(received).not.toMatch(/"dependencies"|ref: refs|Index of|<pre>/);
  });
});

describe('every response', () => {
  const addresses = ['/', '/manifest.webmanifest', '/healthz', '/readyz', '/api/user/get/config/v1', '/api/nothing'];

  it.each(addresses)('states its type and encoding: %s', async (path) => {
    const { headers, body } = await get(path);
    await body?.cancel();
    const type = headers.get('content-type') ?? '';
    // JSON is always UTF-8 (RFC 8259, 8.1)
    expect(type).toMatch(/^(text\/\w+; ?charset=utf-8|application\/(manifest\+)?json(; ?charset=utf-8)?)$/i);
  });

  it('does not reveal the server software', async () => {
    for (const path of addresses) {
      const { headers, body } = await get(path);
      await body?.cancel();
      expect([...headers.keys()].filter((name) => /^(server|x-powered-by|x-aspnet.*|via)$/.test(name))).toEqual([]);
    }
  });
});
