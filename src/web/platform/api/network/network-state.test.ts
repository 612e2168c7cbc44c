import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openBrowser } from '#web/platform/session/storage/test-browser.ts';

const secondMs = 1000;
let answers: (path: string, signal: AbortSignal) => Promise<Pick<Response, 'status'>>;
let asked: number[];

/** A fresh module for each test: it holds the state of one page. */
async function open() {
  vi.resetModules();
  return import('./network-state.ts');
}

beforeEach(() => {
  openBrowser();
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.999);
  asked = [];
  vi.stubGlobal('fetch', (path: string, { signal }: { signal: AbortSignal }) => {
    asked.push(Date.now());
    return answers(path, signal);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const proxyAlone = async () => ({ status: 502 });
const silence = (_: string, signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')));
  });

test.each([
  ['a proxy says that the shop is away', proxyAlone],
  ['nothing answers at all', silence],
  ['the network is gone', () => Promise.reject(new TypeError('Failed to fetch'))],
])('after an hour in which %s, a page comes back within ten seconds of service', async (_, outage) => {
  const { recordNetworkFailure, onReconnect } = await open();
  const back = vi.fn();
  onReconnect(back);
  answers = outage;
  recordNetworkFailure();
  await vi.advanceTimersByTimeAsync(3600 * secondMs);
  expect(back).not.toHaveBeenCalled();
  answers = async () => ({ status: 200 });
  await vi.advanceTimersByTimeAsync(10 * secondMs);
  expect(back).toHaveBeenCalledTimes(1);
  const quiet = asked.length;
  await vi.advanceTimersByTimeAsync(60 * secondMs);
  expect(asked.length).toBe(quiet);
});

test('a server that answers and still fails one URL is probed less and less often', async () => {
  const { recordNetworkFailure, onReconnect } = await open();
  answers = async () => ({ status: 200 });
  // the listener's own request fails again
  onReconnect(() => setTimeout(recordNetworkFailure, 10));
  recordNetworkFailure();
  await vi.advanceTimersByTimeAsync(300 * secondMs);
  const gaps = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
  expect(gaps.at(-1)).toBeGreaterThan(20 * secondMs);
  expect(asked.length).toBeLessThan(20);
});
