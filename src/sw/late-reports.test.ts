import { describe, expect, test, vi } from 'vitest';
import { savedAtHeader } from '#contract/worker.ts';
import {
  answers,
  bodyOf,
  noSync,
  reportWorker,
  storedReports,
  syncTag,
  textOf,
  token,
} from '#tests/fixtures/report-worker.ts';

const worker = reportWorker(async () => (await import('./late-reports.ts')).sendReports());
const { away, noNetwork, refusal, success } = answers;

const forbidden = { register: () => Promise.reject(new DOMException('denied', 'NotAllowedError')) };

describe('a report without network', () => {
  test.each([
    ['the network fails', noNetwork],
    ['a proxy answers without its server', away],
  ])('is stored where %s, leaves the page, and is sent once by the sync event', async (_what, wire) => {
    worker.answer = wire;
    await worker.start();
    const response = await worker.reportFromPage();
    expect(await response.json()).toEqual({ code: 0, data: {} });
    // so the page knows that no server has answered
    expect(response.headers.get(savedAtHeader)).toMatch(/^\d{13}$/);
    expect(worker.registered).toEqual([syncTag]);

    await worker.fireSync('another');
    expect(await storedReports()).toHaveLength(1);
    worker.sent = [];
    worker.answer = success;
    await worker.fireSync();
    expect(worker.sent).toEqual([{ body: textOf(1), token: 'null' }]);
    await worker.fireSync();
    expect(worker.sent).toHaveLength(1);
    expect(await storedReports()).toEqual([]);
  });

  test('is stored as its events alone, without a token or an address of the page', async () => {
    worker.answer = noNetwork;
    await worker.start();
    await worker.reportFromPage();
    const [stored = ''] = await storedReports();
    expect(stored).toContain('membersite_event');
    expect(stored).not.toContain(token);
    expect(JSON.parse(stored)).toMatchObject({
      requestData: {
        headers: { authorization: 'null', 'content-type': 'application/json' },
        referrer: 'about:client',
      },
    });
  });

  test('stays stored while the network is away, and the sync event fails so that the browser repeats it', async () => {
    worker.answer = noNetwork;
    await worker.start();
    await worker.reportFromPage();
    await expect(worker.fireSync()).rejects.toThrow('Failed to fetch');
    worker.answer = away;
    await expect(worker.fireSync()).rejects.toThrow('away');
    expect(await storedReports()).toHaveLength(1);
  });

  test('is not sent again after the server has refused it', async () => {
    worker.answer = noNetwork;
    await worker.start();
    await worker.reportFromPage();
    worker.answer = refusal;
    await worker.fireSync();
    expect(await storedReports()).toEqual([]);
  });

  test('is sent when a worker starts where the browser has no Background Sync', async () => {
    worker.answer = noNetwork;
    await worker.start(noSync);
    expect((await worker.reportFromPage()).headers.has(savedAtHeader)).toBe(true);
    worker.sent = [];
    await worker.start(noSync);
    await vi.waitFor(async () => expect([worker.sent.length, (await storedReports()).length]).toEqual([1, 1]));
    [worker.sent, worker.answer] = [[], success];
    await worker.start(noSync);
    await vi.waitFor(() => expect(worker.sent).toEqual([{ body: textOf(1), token: 'null' }]));
    await vi.waitFor(async () => expect(await storedReports()).toEqual([]));
  });

  test('is sent after the next one that arrives where the customer has forbidden Background Sync', async () => {
    worker.answer = noNetwork;
    await worker.start(forbidden);
    expect((await worker.reportFromPage(bodyOf(1))).headers.has(savedAtHeader)).toBe(true);
    [worker.sent, worker.answer] = [[], success];
    await worker.reportFromPage(bodyOf(2));
    expect(worker.sentBodies()).toEqual([textOf(2), textOf(1)]);
  });

  test('is never stored where it is not a report', async () => {
    worker.answer = noNetwork;
    await worker.start();
    expect((await worker.reportFromPage({ ...bodyOf(1), password: 'secret' })).type).toBe('error');
    expect(await storedReports()).toEqual([]);
  });

  test('is not stored where the page has aborted it, because the page retains it', async () => {
    const controller = new AbortController();
    worker.answer = () => {
      controller.abort();
      return noNetwork();
    };
    await worker.start();
    expect((await worker.reportFromPage(bodyOf(1), controller.signal)).type).toBe('error');
    expect(await storedReports()).toEqual([]);
  });
});

test('a report that arrives is sent unchanged, and the stored ones after it', async () => {
  worker.answer = noNetwork;
  await worker.start();
  await worker.reportFromPage();
  [worker.sent, worker.answer] = [[], success];
  await worker.reportFromPage();
  expect(worker.sent.map((one) => one.token)).toEqual([token, 'null']);
  expect(await storedReports()).toEqual([]);
});
