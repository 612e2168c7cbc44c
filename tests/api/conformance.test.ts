import { afterAll, beforeAll, expect, it } from 'vitest';
import { capabilities } from '#contract/capabilities.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
import { mutants, mutantsOfCustomers } from '#tests/builders/conformance-mutants.ts';
import { checkConformance } from '#tests/tools/conformance/conformance.ts';
import type { Send } from '#tests/tools/conformance/backend.ts';
import { startForeignApi } from '#tests/fixtures/foreign-api/server.ts';
import { withFault } from '#tests/tools/conformance/faults.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(async () => shop?.close());

/** The server by its HTTP interface, with the header that Node adds. */
const send: Send = async (path, request) => {
  const answer = await shop.app.request(`http://mego.localhost${path}`, request);
  answer.headers.set('date', new Date(shop.clock.now).toUTCString());
  return answer;
};

it('this server conforms to the contract in every level', async () => {
  const book = await checkConformance({ send, levels: capabilities, accounts: [] });
  expect(book.problems).toEqual([]);
  expect(book.table().split('\n').length).toBeGreaterThan(100);
  expect(book.junit()).not.toContain('<failure>');
}, 120_000);

it('a backend of another company conforms in the levels that it has', async () => {
  const api = await startForeignApi({ port: 0, shopOrigin: 'http://localhost:8080' });
  const overHttp: Send = (path, request) => fetch(new URL(path, api.origin), request);
  try {
    const book = await checkConformance({ send: overHttp, levels: undefined, accounts: [] });
    expect(book.problems).toEqual([]);
  } finally {
    await api.close();
  }
}, 120_000);

it.each([...mutants, ...mutantsOfCustomers])(
  'a server with this fault is found: $fault',
  { timeout: 120_000 },
  async (mutant) => {
    const [call, check] = mutant.at;
    const book = await checkConformance({ send: withFault(mutant, send), levels: ['buyByRedirect'], accounts: [] });
    expect(book.problems.map((problem) => problem.slice(0, problem.indexOf(':')))).toContain(`${call}, ${check}`);
    shop.clock.advance(3_600_000);
  },
);
