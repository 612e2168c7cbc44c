import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { report } from '#contract/analytics.ts';
import { savedAtHeader } from '#contract/worker.ts';

const origin = 'https://shop.example';
const event = {
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
  },
};
const success = () => Promise.resolve(Response.json({ code: 0, data: {} }));
const away = () => Promise.resolve(new Response('', { status: 503 }));
const dead = () => Promise.reject(new TypeError('Failed to fetch'));

/** what went out: its body, and whose it was */
let sent: { body: string; token: string | null }[] = [];
let answer: () => Promise<Response>;
let registered: string[] = [];
let kept = new Map<string, string>();
let listeners: Record<string, (event: object) => void> = {};

/** A worker's own world, as far as it is used here: one cache, one wire, and the browser's promise to call again. */
function openWorker(sync: object | undefined): void {
  const cache = {
    keys: () => Promise.resolve([...kept.keys()].map((url) => new Request(new URL(url, origin)))),
    match: ({ url }: Request) => Promise.resolve(new Response(kept.get(new URL(url).pathname))),
    put: async (url: string, response: Response) => void kept.set(url, await response.text()),
    delete: (key: Request | string) =>
      Promise.resolve(kept.delete(typeof key === 'string' ? key : new URL(key.url).pathname)),
  };
  vi.stubGlobal('caches', { open: () => Promise.resolve(cache) });
  vi.stubGlobal('self', {
    __WB_DISABLE_DEV_LOGS: true,
    location: { origin, href: `${origin}/sw.js` },
    registration: { sync, scope: origin },
    addEventListener: (type: string, listener: (event: object) => void) => void (listeners[type] = listener),
  });
  vi.stubGlobal('location', { origin, href: `${origin}/` });
  vi.stubGlobal('FetchEvent', Event);
  vi.stubGlobal('fetch', async (asked: Request | string, init?: RequestInit) => {
    const request = new Request(
      new URL(typeof asked === 'string' ? asked : asked.url, origin),
      init ?? (asked as Request),
    );
    sent.push({ body: await request.text(), token: request.headers.get('authorization') });
    return answer();
  });
}

const browser = { register: (tag: string) => Promise.resolve(void registered.push(tag)) };

beforeEach(() => {
  [sent, registered] = [[], []];
  kept = new Map();
  listeners = {};
  answer = success;
  vi.resetModules();
});
afterEach(() => vi.unstubAllGlobals());

/** Sends a report through the worker, as a page with a session does. */
async function reportBy(sync: object | undefined, body: unknown = { events: [event] }): Promise<Response> {
  openWorker(sync);
  const { sendReports } = await import('./late-reports.ts');
  sendReports();
  const request = new Request(`${origin}${report.path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { Authorization: 'a-token-of-a-customer-0123456789', 'Content-Type': 'application/json' },
  });
  let response: Promise<Response> | undefined;
  const waits: Promise<unknown>[] = [];
  listeners['fetch']?.({
    request,
    respondWith: (given: Promise<Response>) => void (response = given),
    waitUntil: (work: Promise<unknown>) => void waits.push(work),
  });
  if (!response) throw new Error('The worker left the report alone');
  const answered = await response;
  await Promise.all(waits);
  return answered;
}

/** The browser has a network again. */
function callAgain(tag = 'late-reports'): Promise<unknown> {
  let work: Promise<unknown> = Promise.resolve();
  listeners['sync']?.({ tag, waitUntil: (given: Promise<unknown>) => void (work = given) });
  return work;
}

describe('a report without network', () => {
  test.each([
    ['a dead wire', dead],
    ['a proxy without its server', away],
  ])('over %s is kept, the page may forget it, and it is sent once when the browser calls', async (_what, wire) => {
    answer = wire;
    const told = await reportBy(browser);
    expect(await told.json()).toEqual({ code: 0, data: {} });
    // so the page knows that no server has spoken
    expect(told.headers.get(savedAtHeader)).toMatch(/^\d{13}$/);
    expect(registered).toEqual(['late-reports']);
    expect([...kept.values()].join()).not.toContain('token');

    await callAgain('another');
    expect(kept.size).toBe(1);
    sent = [];
    answer = success;
    await callAgain();
    expect(sent).toEqual([{ body: JSON.stringify({ events: [event] }), token: 'null' }]);
    await callAgain();
    expect(sent).toHaveLength(1);
    expect(kept.size).toBe(0);
  });

  test('stays kept while the network is still away, and the browser hears that', async () => {
    answer = dead;
    await reportBy(browser);
    await expect(callAgain()).rejects.toThrow('Failed to fetch');
    answer = away;
    await expect(callAgain()).rejects.toThrow('away');
    expect(kept.size).toBe(1);
  });

  test('is the page’s own to keep where the browser calls nobody, or was told not to', async () => {
    answer = dead;
    expect((await reportBy(undefined)).type).toBe('error');
    const forbidden = { register: () => Promise.reject(new DOMException('denied', 'NotAllowedError')) };
    expect((await reportBy(forbidden)).type).toBe('error');
    answer = away;
    expect((await reportBy(forbidden)).status).toBe(503);
    expect(kept.size).toBe(0);
  });

  test('that is none is never kept', async () => {
    answer = dead;
    expect((await reportBy(browser, { events: [event], password: 'secret' })).type).toBe('error');
    expect(kept.size).toBe(0);
  });
});

test('a report that arrives goes out as it is, with what was kept before it', async () => {
  answer = dead;
  await reportBy(browser);
  [sent, answer] = [[], success];
  await reportBy(browser);
  expect(sent.map(({ token }) => token)).toEqual(['a-token-of-a-customer-0123456789', 'null']);
  expect(kept.size).toBe(0);
});
