import { describe, expect, test, vi } from 'vitest';

import { workerHeader } from '#contract/worker.ts';
import { answers, bodyOf, noSync, reportWorker, storedReports, textOf } from '#tests/fixtures/report-worker.ts';

const worker = reportWorker(async () => (await import('./late-reports.ts')).sendReports());
const { away, noNetwork, success } = answers;

const dayMs = 24 * 60 * 60 * 1000;

const sentDurations = () => worker.sent.map(({ body }) => Number(/"duration":(\d+)/.exec(body)?.[1]));

describe('the stored reports', () => {
  test('are the twenty newest', async () => {
    worker.answer = noNetwork;
    await worker.start();
    for (let count = 1; count <= 23; count += 1) await worker.reportFromPage(bodyOf(count));
    expect(await storedReports()).toHaveLength(20);
    [worker.sent, worker.answer] = [[], success];
    await worker.fireSync();
    expect(sentDurations()).toEqual(Array.from({ length: 20 }, (_, index) => index + 4));
  });

  test('are deleted unsent after seven days, which a failed attempt does not prolong', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21) });
    worker.answer = noNetwork;
    await worker.start();
    await worker.reportFromPage();
    vi.setSystemTime(Date.now() + 6 * dayMs);
    await expect(worker.fireSync()).rejects.toThrow('Failed to fetch');
    await worker.reportFromPage(bodyOf(2));
    vi.setSystemTime(Date.now() + 2 * dayMs);
    [worker.sent, worker.answer] = [[], success];
    await worker.fireSync();
    expect(worker.sentBodies()).toEqual([textOf(2)]);
    expect(await storedReports()).toEqual([]);
  });
});

test('the kill switch deletes the stored reports', async () => {
  worker.answer = noNetwork;
  await worker.start();
  await worker.reportFromPage(bodyOf(1));
  expect(await storedReports()).toHaveLength(1);
  vi.stubGlobal('caches', { open: () => Promise.resolve(), keys: () => Promise.resolve([]) });
  const unregister = vi.fn<() => Promise<boolean>>().mockResolvedValue(true);
  // as: the fake of this file
  Object.assign((self as unknown as { registration: object }).registration, { unregister });
  const { applyKillSwitch } = await import('./kill-switch.ts');
  await applyKillSwitch(new Response('', { headers: { [workerHeader]: 'off' } }));
  expect(await storedReports()).toEqual([]);
  expect(unregister).toHaveBeenCalledOnce();
});

describe('at logout, the stored reports', () => {
  const logOut = () => worker.dispatch('message', { data: { type: 'WIPE' } });

  test('are deleted unsent, and other messages leave them', async () => {
    worker.answer = noNetwork;
    await worker.start();
    await worker.reportFromPage(bodyOf(1));
    await worker.reportFromPage(bodyOf(2));
    await worker.dispatch('message', { data: { type: 'SKIP_WAITING' } });
    expect(await storedReports()).toHaveLength(2);
    await logOut();
    expect(await storedReports()).toEqual([]);
    [worker.sent, worker.answer] = [[], success];
    await worker.fireSync();
    expect(worker.sent).toEqual([]);
  });

  test('do not return when the network fails while one is being sent', async () => {
    worker.answer = noNetwork;
    await worker.start();
    await worker.reportFromPage();
    const { promise, reject } = Promise.withResolvers<Response>();
    worker.answer = () => promise;
    worker.sent = [];
    const synced = worker.fireSync();
    await vi.waitFor(() => expect(worker.sent).toHaveLength(1));
    const loggedOut = logOut();
    reject(new TypeError('Failed to fetch'));
    await expect(synced).rejects.toThrow('Failed to fetch');
    await loggedOut;
    expect(await storedReports()).toEqual([]);
  });
});

describe('where the database', () => {
  const never = () => new EventTarget();
  const refuse = () => {
    throw new DOMException('broken for a test', 'SecurityError');
  };
  const factories: readonly (readonly [string, unknown])[] = [
    ['is missing', undefined],
    ['throws', { open: refuse }],
    ['never answers', { open: never }],
  ];

  test.each(factories)('%s, the page retains the report and gets the answer of the network', async (_how, factory) => {
    vi.stubGlobal('indexedDB', factory);
    for (const browserSync of [worker.sync, noSync]) {
      await worker.start(browserSync);
      worker.answer = noNetwork;
      expect((await worker.reportFromPage()).type).toBe('error');
      worker.answer = away;
      expect((await worker.reportFromPage()).status).toBe(503);
    }
  });

  test.each(factories)('%s, a report that arrives is answered, and no event waits for long', async (_how, factory) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    vi.stubGlobal('indexedDB', factory);
    await worker.start();
    const both = Promise.all([worker.reportFromPage(), worker.fireSync()]);
    const ended = vi.fn();
    void both.then(([{ status }]) => void ended(status));
    await vi.advanceTimersByTimeAsync(6_000);
    await vi.waitFor(() => expect(ended).toHaveBeenCalledWith(200));
  });

  test('is late, the report is not counted twice: the page retains it and the worker deletes it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    worker.answer = noNetwork;
    await worker.start({ register: () => promise });
    expect((await worker.reportFromPage()).type).toBe('error');
    expect(await storedReports()).toHaveLength(1);
    resolve();
    await vi.waitFor(async () => expect(await storedReports()).toEqual([]));
  });
});
