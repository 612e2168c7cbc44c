import * as fake from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { report } from '#contract/analytics.ts';
import { savedAtHeader, workerHeader } from '#contract/worker.ts';

const origin = 'https://shop.example';
const token = 'a-token-of-a-customer-0123456789';
const syncTag = 'workbox-background-sync:late-reports';
const dayMs = 24 * 60 * 60 * 1000;
const eventOf = (duration: number) => ({
  name: 'membersite_event',
  at: 1_795_262_400_000,
  fieldsMap: {
    version: '2.3.2',
    entrance_way: 'memberSite',
    session_id: '00000000-0000-4000-8000-000000000000',
    page_id: 1,
    page_name: 'home',
    language: 'en',
    terminal_type: 'WAP',
    event_content: 'page_view',
    duration,
  },
});
const bodyOf = (duration: number) => ({ events: [eventOf(duration)] });
const textOf = (duration: number) => JSON.stringify(bodyOf(duration));

const success = () => Promise.resolve(Response.json({ code: 0, data: {} }));
const refusal = () => Promise.resolve(Response.json({ code: 5000, errCode: 5000 }, { status: 400 }));
const away = () => Promise.resolve(new Response('', { status: 503 }));
const noNetwork = () => Promise.reject(new TypeError('Failed to fetch'));

/** What was sent: the body and the token. */
let sent: { body: string; token: string | null }[] = [];
let answer: () => Promise<Response>;
let registered: string[] = [];
let listeners: Record<string, ((event: object) => void)[]> = {};

const sync = { register: (tag: string) => Promise.resolve(void registered.push(tag)) };
const forbidden = { register: () => Promise.reject(new DOMException('denied', 'NotAllowedError')) };
/** A browser without Background Sync. */
const noSync = null;

const sentBodies = () => sent.map(({ body }) => body);
const sentDurations = () => sent.map(({ body }) => Number(/"duration":(\d+)/.exec(body)?.[1]));

/** Starts a worker with the database that the previous one left. */
async function startWorker(browserSync: object | null = sync): Promise<void> {
  vi.resetModules();
  listeners = {};
  vi.stubGlobal('self', {
    __WB_DISABLE_DEV_LOGS: true,
    location: { origin, href: `${origin}/sw.js` },
    registration: { ...(browserSync && { sync: browserSync }), scope: origin },
    addEventListener: (type: string, listener: (event: object) => void) => void (listeners[type] ??= []).push(listener),
  });
  const { sendReports } = await import('./late-reports.ts');
  sendReports();
}

/** Dispatches an event to the worker and waits for all that it extends the event with. */
async function dispatch(type: string, event: object): Promise<void> {
  const waits: Promise<unknown>[] = [];
  const extended = { ...event, waitUntil: (work: Promise<unknown>) => void waits.push(work) };
  for (const listener of listeners[type] ?? []) listener(extended);
  // work may extend the event while it is awaited
  for (const work of waits) await work;
}

/** Sends a report through the worker, as a page with a session does. */
async function reportFromPage(body: unknown = bodyOf(1), signal?: AbortSignal): Promise<Response> {
  const request = new Request(`${origin}${report.path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { Authorization: token, 'Content-Type': 'application/json' },
    ...(signal && { signal }),
  });
  let response: Promise<Response> | undefined;
  const waits: Promise<unknown>[] = [];
  for (const listener of listeners['fetch'] ?? [])
    listener({
      request,
      respondWith: (given: Promise<Response>) => void (response = given),
      waitUntil: (work: Promise<unknown>) => void waits.push(work),
    });
  if (!response) throw new Error('The worker did not answer the report');
  const answered = await response;
  await Promise.all(waits);
  return answered;
}

/** The browser has a network again. */
const fireSync = (tag = syncTag) => dispatch('sync', { tag, lastChance: false });

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(new Error(String(request.error))));
  });

/** Every stored report as one text each, with its body readable. */
async function storedReports(): Promise<string[]> {
  const texts: string[] = [];
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    for (const table of database.objectStoreNames)
      for (const value of await done<unknown[]>(database.transaction(table).objectStore(table).getAll()))
        texts.push(
          JSON.stringify(value, (_key, part: unknown) =>
            part instanceof ArrayBuffer ? new TextDecoder().decode(part) : part,
          ),
        );
    database.close();
  }
  return texts;
}

beforeEach(() => {
  [sent, registered] = [[], []];
  answer = success;
  for (const [name, value] of Object.entries(fake)) if (name.startsWith('IDB')) vi.stubGlobal(name, value);
  vi.stubGlobal('indexedDB', new fake.IDBFactory());
  vi.stubGlobal('location', { origin, href: `${origin}/` });
  vi.stubGlobal('FetchEvent', Event);
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push({ body: await request.text(), token: request.headers.get('authorization') });
    return answer();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a report without network', () => {
  test.each([
    ['the network fails', noNetwork],
    ['a proxy answers without its server', away],
  ])('is stored where %s, leaves the page, and is sent once by the sync event', async (_what, wire) => {
    answer = wire;
    await startWorker();
    const response = await reportFromPage();
    expect(await response.json()).toEqual({ code: 0, data: {} });
    // so the page knows that no server has answered
    expect(response.headers.get(savedAtHeader)).toMatch(/^\d{13}$/);
    expect(registered).toEqual([syncTag]);

    await fireSync('another');
    expect(await storedReports()).toHaveLength(1);
    sent = [];
    answer = success;
    await fireSync();
    expect(sent).toEqual([{ body: textOf(1), token: 'null' }]);
    await fireSync();
    expect(sent).toHaveLength(1);
    expect(await storedReports()).toEqual([]);
  });

  test('is stored as its events alone, without a token or an address of the page', async () => {
    answer = noNetwork;
    await startWorker();
    await reportFromPage();
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
    answer = noNetwork;
    await startWorker();
    await reportFromPage();
    await expect(fireSync()).rejects.toThrow('Failed to fetch');
    answer = away;
    await expect(fireSync()).rejects.toThrow('away');
    expect(await storedReports()).toHaveLength(1);
  });

  test('is not sent again after the server has refused it', async () => {
    answer = noNetwork;
    await startWorker();
    await reportFromPage();
    answer = refusal;
    await fireSync();
    expect(await storedReports()).toEqual([]);
  });

  test('is sent when a worker starts where the browser has no Background Sync', async () => {
    answer = noNetwork;
    await startWorker(noSync);
    expect((await reportFromPage()).headers.has(savedAtHeader)).toBe(true);
    sent = [];
    await startWorker(noSync);
    await vi.waitFor(async () => expect([sent.length, (await storedReports()).length]).toEqual([1, 1]));
    [sent, answer] = [[], success];
    await startWorker(noSync);
    await vi.waitFor(() => expect(sent).toEqual([{ body: textOf(1), token: 'null' }]));
    await vi.waitFor(async () => expect(await storedReports()).toEqual([]));
  });

  test('is sent after the next one that arrives where the customer has forbidden Background Sync', async () => {
    answer = noNetwork;
    await startWorker(forbidden);
    expect((await reportFromPage(bodyOf(1))).headers.has(savedAtHeader)).toBe(true);
    [sent, answer] = [[], success];
    await reportFromPage(bodyOf(2));
    expect(sentBodies()).toEqual([textOf(2), textOf(1)]);
  });

  test('is never stored where it is not a report', async () => {
    answer = noNetwork;
    await startWorker();
    expect((await reportFromPage({ ...bodyOf(1), password: 'secret' })).type).toBe('error');
    expect(await storedReports()).toEqual([]);
  });

  test('is not stored where the page has aborted it, because the page retains it', async () => {
    const controller = new AbortController();
    answer = () => {
      controller.abort();
      return noNetwork();
    };
    await startWorker();
    expect((await reportFromPage(bodyOf(1), controller.signal)).type).toBe('error');
    expect(await storedReports()).toEqual([]);
  });
});

test('a report that arrives is sent unchanged, and the stored ones after it', async () => {
  answer = noNetwork;
  await startWorker();
  await reportFromPage();
  [sent, answer] = [[], success];
  await reportFromPage();
  expect(sent.map((one) => one.token)).toEqual([token, 'null']);
  expect(await storedReports()).toEqual([]);
});

describe('the stored reports', () => {
  test('are the twenty newest', async () => {
    answer = noNetwork;
    await startWorker();
    for (let count = 1; count <= 23; count += 1) await reportFromPage(bodyOf(count));
    expect(await storedReports()).toHaveLength(20);
    [sent, answer] = [[], success];
    await fireSync();
    expect(sentDurations()).toEqual(Array.from({ length: 20 }, (_, index) => index + 4));
  });

  test('are deleted unsent after seven days, which a failed attempt does not prolong', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21) });
    answer = noNetwork;
    await startWorker();
    await reportFromPage();
    vi.setSystemTime(Date.now() + 6 * dayMs);
    await expect(fireSync()).rejects.toThrow('Failed to fetch');
    await reportFromPage(bodyOf(2));
    vi.setSystemTime(Date.now() + 2 * dayMs);
    [sent, answer] = [[], success];
    await fireSync();
    expect(sentBodies()).toEqual([textOf(2)]);
    expect(await storedReports()).toEqual([]);
  });
});

test('the kill switch deletes the stored reports', async () => {
  answer = noNetwork;
  await startWorker();
  await reportFromPage(bodyOf(1));
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
  const logOut = () => dispatch('message', { data: { type: 'WIPE' } });

  test('are deleted unsent, and other messages leave them', async () => {
    answer = noNetwork;
    await startWorker();
    await reportFromPage(bodyOf(1));
    await reportFromPage(bodyOf(2));
    await dispatch('message', { data: { type: 'SKIP_WAITING' } });
    expect(await storedReports()).toHaveLength(2);
    await logOut();
    expect(await storedReports()).toEqual([]);
    [sent, answer] = [[], success];
    await fireSync();
    expect(sent).toEqual([]);
  });

  test('do not return when the network fails while one is being sent', async () => {
    answer = noNetwork;
    await startWorker();
    await reportFromPage();
    const { promise, reject } = Promise.withResolvers<Response>();
    answer = () => promise;
    sent = [];
    const synced = fireSync();
    await vi.waitFor(() => expect(sent).toHaveLength(1));
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
    for (const browserSync of [sync, noSync]) {
      await startWorker(browserSync);
      answer = noNetwork;
      expect((await reportFromPage()).type).toBe('error');
      answer = away;
      expect((await reportFromPage()).status).toBe(503);
    }
  });

  test.each(factories)('%s, a report that arrives is answered, and no event waits for long', async (_how, factory) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    vi.stubGlobal('indexedDB', factory);
    await startWorker();
    const both = Promise.all([reportFromPage(), fireSync()]);
    const ended = vi.fn();
    void both.then(([{ status }]) => void ended(status));
    await vi.advanceTimersByTimeAsync(6_000);
    await vi.waitFor(() => expect(ended).toHaveBeenCalledWith(200));
  });

  test('is late, the report is not counted twice: the page retains it and the worker deletes it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answer = noNetwork;
    await startWorker({ register: () => promise });
    expect((await reportFromPage()).type).toBe('error');
    expect(await storedReports()).toHaveLength(1);
    resolve();
    await vi.waitFor(async () => expect(await storedReports()).toEqual([]));
  });
});
