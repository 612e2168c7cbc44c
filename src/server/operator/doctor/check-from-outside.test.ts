import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { certificateFinding, checkClock } from './check-from-outside.ts';

const noon = Date.UTC(2026, 10, 25, 12);
const server = createServer((_, response) => {
  response.setHeader('Date', new Date(noon).toUTCString()).end();
});
let address = '';
beforeAll(async () => {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // as: a listening TCP server has a port
});
afterAll(() => void server.close());

/** The finding for a clock that returns these times in order. */
async function found(...times: number[]): Promise<string> {
  const left = [...times];
  const { state, says } = await checkClock(address, () => left.shift() ?? noon);
  return `${state}: ${says}`;
}

test('a clock that may be right is not reported because a response took long', async () => {
  expect(await found(noon + 100, noon + 4100)).toMatch(/^ok: is 0 s/);
});

test('a wrong clock is reported with its difference', async () => {
  expect(await found(noon - 90_000, noon - 89_000)).toMatch(/^wrong: is 90 s behind/);
  expect(await found(noon + 20_000, noon + 21_000)).toMatch(/^note: is 20 s ahead/);
});

test('a certificate that is valid for weeks only is reported later, because it is renewed later', () => {
  const day = 24 * 60 * 60_000;
  const ofWeeks = (left: number) => certificateFinding('', { start: 0, end: 40 * day, now: (40 - left) * day }).state;
  expect([ofWeeks(11), ofWeeks(9)]).toEqual(['ok', 'note']);
});
