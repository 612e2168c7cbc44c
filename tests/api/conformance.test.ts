import { afterAll, beforeAll, expect, it } from 'vitest';
import { capabilities } from '#contract/capabilities.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
import { mutants, mutantsOfCustomers } from '#tests/builders/conformance-mutants.ts';
import { mutantsOfProofs } from '#tests/builders/conformance-proof-mutants.ts';
import { checkConformance } from '#tests/tools/conformance/conformance.ts';
import type { Send } from '#tests/tools/conformance/backend.ts';
import { startForeignApi } from '#tests/fixtures/foreign-api/server.ts';
import { withFault } from '#tests/tools/conformance/faults.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(async () => shop?.close());

const origin = 'http://mego.localhost';
/** The address of a brand that binds its sessions to a key of the browser. */
const binding = 'http://localhost';

/** The server by its HTTP interface, with the header that Node adds. */
const sendTo =
  (address: string): Send =>
  async (path, request) => {
    const answer = await shop.app.request(address + path, request);
    answer.headers.set('date', new Date(shop.clock.now).toUTCString());
    return answer;
  };
const send = sendTo(origin);

it('this server conforms to the contract in every level', async () => {
  const book = await checkConformance({ send, origin, levels: capabilities, accounts: [] });
  expect(book.problems).toEqual([]);
  expect(book.table().split('\n').length).toBeGreaterThan(100);
  expect(book.junit()).not.toContain('<failure>');
}, 120_000);

/** The accounts of two customers, whose sign-up needs a code that is sent by email. */
async function twoCustomers() {
  const customers = [await shop.customer(), await shop.customer()];
  return customers.map(({ account, password }) => ({ account, password }));
}

it('this server conforms where it binds sessions to a key of the browser', async () => {
  const levels = ['account'] as const;
  const accounts = await twoCustomers();
  const book = await checkConformance({ send: sendTo(binding), origin: binding, levels, accounts });
  expect(book.problems).toEqual([]);
  expect(book.table()).toMatch(/^saveNickname .*ok/m);
}, 120_000);

it('a backend of another company conforms in the levels that it has', async () => {
  const api = await startForeignApi({ port: 0, shopOrigin: 'http://localhost:8080' });
  const overHttp: Send = (path, request) => fetch(new URL(path, api.origin), request);
  try {
    const book = await checkConformance({ send: overHttp, origin: api.origin, levels: undefined, accounts: [] });
    expect(book.problems).toEqual([]);
  } finally {
    await api.close();
  }
}, 120_000);

it.each([...mutants, ...mutantsOfCustomers])(
  'a server with this fault is found: $fault',
  { timeout: 120_000, tags: 'slow' },
  async (mutant) => {
    const [call, check] = mutant.at;
    const book = await checkConformance({
      send: withFault(mutant, send),
      origin,
      levels: ['buyByRedirect'],
      accounts: [],
    });
    expect(book.problems.map((problem) => problem.slice(0, problem.indexOf(':')))).toContain(`${call}, ${check}`);
    shop.clock.advance(3_600_000);
  },
);

it.each(mutantsOfProofs)(
  'a server with this fault is found: $fault',
  { timeout: 120_000, tags: 'slow' },
  async (mutant) => {
    const [call, check] = mutant.at;
    const accounts = await twoCustomers();
    const faulty = withFault(mutant, sendTo(binding));
    const book = await checkConformance({ send: faulty, origin: binding, levels: ['account'], accounts });
    expect(book.problems.filter((problem) => problem.startsWith(`${call}, ${check}: `))).toHaveLength(1);
    shop.clock.advance(3_600_000);
  },
);
