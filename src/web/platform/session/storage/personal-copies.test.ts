import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { anOrder } from '#tests/builders/an-order-response.ts';
import { orders } from '#contract/orders.ts';
import { q } from '#web/platform/api/query.ts';
import { savePersonalCopies } from './personal-copies.ts';
import { openDatabase } from './test-database.ts';

const disk = new Map<string, unknown>();
const list = q(orders, { body: { page: 1, size: 10 } });
const answer = { items: [anOrder({})], total: 1, page: 1 };
const clients: (() => void)[] = [];

/** Waits until the answers are on disk. */
const saved = () => vi.waitFor(() => expect(disk.size).toBeGreaterThan(0));

/** The customer opens the storefront. */
async function visit(uid = 'u1') {
  const client = new QueryClient();
  const copies = savePersonalCopies(client, uid);
  clients.push(copies.close);
  await copies.restored;
  return { client, close: copies.close, shown: () => client.getQueryData(list.queryKey) };
}

const ask = (client: QueryClient, queryFn: () => Promise<typeof answer>) =>
  client.fetchQuery({ queryKey: list.queryKey, meta: { personal: true }, queryFn }).catch(() => undefined);
const lost = () => Promise.reject(new Error('no network'));

beforeEach(() => openDatabase(disk));
afterEach(() => {
  for (const close of clients.splice(0)) close();
  disk.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('an answer is shown at every later visit, however often the server cannot be reached', async () => {
  await ask((await visit()).client, async () => answer);
  await saved();
  for (let opening = 0; opening < 4; opening += 1) {
    const { client, shown } = await visit();
    expect(shown()).toEqual(answer);
    // the refetch fails
    expect(client.getQueryState(list.queryKey)?.isInvalidated).toBe(true);
    await ask(client, lost);
    expect(shown()).toEqual(answer);
  }
});

test('a copy has the time of its answer, and logout removes it as personal', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const at = Date.now();
  await ask((await visit()).client, async () => answer);
  await saved();
  vi.setSystemTime(at + 60_000);
  const { client } = await visit();
  expect(client.getQueryState(list.queryKey)?.dataUpdatedAt).toBe(at);
  expect(client.getQueryCache().find({ queryKey: list.queryKey })?.meta).toEqual({ personal: true });
});

test('nothing is saved after logout, not even a pending answer, and no customer sees another’s copies', async () => {
  const { client, close } = await visit();
  const late = Promise.withResolvers<typeof answer>();
  const asked = ask(client, () => late.promise);
  close();
  late.resolve(answer);
  await asked;

  // the store works in order: a late answer would be on disk before the next one
  const { client: next } = await visit('u1');
  const { queryKey } = q(orders, { body: { page: 2, size: 10 } });
  await next.fetchQuery({ queryKey, meta: { personal: true }, queryFn: async () => answer });
  await saved();
  expect([...disk.values()]).toMatchObject([{ queryKey }]);

  await ask(next, async () => answer);
  await vi.waitFor(() => expect(disk.size).toBe(2));
  expect((await visit('u2')).shown()).toBeUndefined();
});

test('a copy that is restored after logout is not shown', async () => {
  await ask((await visit()).client, async () => answer);
  await saved();
  const client = new QueryClient();
  const { close, restored } = savePersonalCopies(client, 'u1');
  close();
  await restored;
  expect(client.getQueryData(list.queryKey)).toBeUndefined();
});

test('a copy that does not fit the contract, or is older than a session, is dropped', async () => {
  await ask((await visit()).client, async () => answer);
  await saved();
  const [[key = '', value] = []] = disk;
  const copy = value as { data: unknown; at: number }; // as: it was saved above
  disk.set(key, { ...copy, data: { items: 'none' } });
  expect((await visit()).shown()).toBeUndefined();
  expect(disk.has(key)).toBe(false);
  disk.set(key, { ...copy, at: Date.now() - 11 * 86_400_000 });
  expect((await visit()).shown()).toBeUndefined();
  expect(disk.has(key)).toBe(false);
});

test('only answers that are useful offline are saved, and of those the newest', async () => {
  const { client } = await visit();
  await client.fetchQuery({ queryKey: ['listCard', {}], queryFn: async () => [] });
  expect([...disk.keys()]).toEqual([]);
  for (let page = 1; page <= 70; page += 1) {
    client.setQueryData(q(orders, { body: { page, size: 10 } }).queryKey, answer, { updatedAt: Date.now() - page });
  }
  await vi.waitFor(() => expect(disk.size).toBe(70));
  await visit();
  expect(disk.size).toBe(60);
});
