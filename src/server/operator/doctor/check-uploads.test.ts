import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { uploadLimitBytes } from '#contract/limits.ts';
import { checkUploads } from './check-from-outside.ts';

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

async function found(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // as: a listening TCP server has a port
  const { state, says } = await checkUploads({ origin: `http://127.0.0.1:${port}` });
  return `${state}: ${says}`;
}

test('an upload that a proxy refuses is reported with the setting that allows it', async () => {
  const said = await found((request, response) => {
    request.resume().on('end', () => response.writeHead(413).end('<html>Request Entity Too Large</html>'));
  });
  expect(said).toMatch(/^wrong: a proxy refuses 4 MiB; .*client_max_body_size 5m/);
});

test('an upload that the shop itself refuses has passed the proxy completely', async () => {
  let size = 0;
  const said = await found((request, response) => {
    request.on('data', (chunk: Buffer) => (size += chunk.length));
    request.on('end', () => response.writeHead(401, { 'content-type': 'application/json' }).end('{"errCode":21}'));
  });
  expect(said).toBe('ok: 4 MiB reach the shop');
  expect(size).toBe(uploadLimitBytes);
});
