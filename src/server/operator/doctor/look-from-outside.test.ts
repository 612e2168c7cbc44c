import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookAtClock } from './look-from-outside.ts';

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

/** A clock that says these, one after the other. */
const saying = (...times: number[]) => {
  const left = [...times];
  return () => left.shift() ?? noon;
};

test('a clock that may be right is not called wrong because an answer took long', async () => {
  expect(await lookAtClock(address, saying(noon + 100, noon + 4100))).toMatchObject({
    state: 'ok',
    says: expect.stringMatching(/^is 0 s/),
  });
});

test('a clock that cannot be right is told by how much it is off', async () => {
  const late = await lookAtClock(address, saying(noon - 90_000, noon - 89_000));
  expect(late).toMatchObject({ state: 'wrong', says: expect.stringMatching(/^is 90 s behind/) });
  const early = await lookAtClock(address, saying(noon + 20_000, noon + 21_000));
  expect(early).toMatchObject({ state: 'note', says: expect.stringMatching(/^is 20 s ahead/) });
});
