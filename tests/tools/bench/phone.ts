/// <reference lib="dom" />
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from '@playwright/test';
import { findChromium } from '../../../.scripts/chromium.ts';
import { chromiumArgs } from '#tests/fixtures/chromium-args.ts';

/** A cheap phone as people hold it: by its screen, a finger, a slow network and a slow processor. */
const profile = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  locale: 'pt-BR',
} as const;

const slowNetwork = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
} as const;
const slowProcessor = { rate: 4 } as const;

export interface Phone {
  readonly context: BrowserContext;
  /** a page that is as slow as the phone, once `slowDown` has run */
  readonly page: Page;
  readonly slowDown: () => Promise<void>;
}

/**
 * Where each line of a script came from, the engine works out when somebody asks. Who watches the network asks at the first
 * request of a script, in the middle of what is measured: 130 ms that no customer waits for.
 */
const positionsAtOnce = '--js-flags=--no-enable-lazy-source-positions';

/** A browser with everything that phones have; the headless shell has no cache for the Back button, for one. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium({ whole: true });
  return chromium.launch({ args: [...chromiumArgs, positionsAtOnce], ...(executablePath && { executablePath }) });
}

/** A phone that was never here. It is fast until it is slowed down, so that what goes before costs no time. */
export async function openPhone(browser: Browser): Promise<Phone> {
  const context = await browser.newContext(profile);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const slowDown = async () => {
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', slowNetwork);
    await session.send('Emulation.setCPUThrottlingRate', slowProcessor);
    await slowWorkers(browser, session);
  };
  return { context, page, slowDown };
}

/**
 * A service worker fetches over a wire of its own, which the page's conditions do not touch: it gets the same ones. Its
 * session is not flat, because Playwright passes no flat ones on.
 */
async function slowWorkers(browser: Browser, session: CDPSession): Promise<void> {
  const { targetInfo } = await session.send('Target.getTargetInfo');
  const whole = await browser.newBrowserCDPSession();
  const { targetInfos } = await whole.send('Target.getTargets');
  const workers = targetInfos.filter(
    ({ type, browserContextId }) => type === 'service_worker' && browserContextId === targetInfo.browserContextId,
  );
  for (const { targetId } of workers) {
    const { sessionId } = await whole.send('Target.attachToTarget', { targetId, flatten: false });
    const send = (id: number, method: string, params: object) =>
      whole.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) });
    await send(1, 'Network.enable', {});
    await send(2, 'Network.emulateNetworkConditions', slowNetwork);
  }
}

export interface Seen {
  readonly largestPaint: number;
  readonly longestTask: number;
  readonly shift: number;
  /** the longest of all taps and keys, from the event to the next picture (Event Timing); steps of 8 ms */
  readonly slowestTap: number;
}

/** Runs in the page before anything else does. */
export function observe(): void {
  const seen = { largestPaint: 0, longestTask: 0, shift: 0, slowestTap: 0 };
  const watch = (type: string, note: (entry: PerformanceEntry) => void, further = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...further });
  watch('largest-contentful-paint', ({ startTime }) => (seen.largestPaint = startTime));
  watch('longtask', ({ duration }) => (seen.longestTask = Math.max(seen.longestTask, duration)));
  // as: the entry type says so (Layout Instability)
  watch('layout-shift', (entry) => (seen.shift += (entry as PerformanceEntry & { value: number }).value));
  // as: the entry type says so (Event Timing)
  const isTap = (entry: PerformanceEntry) => (entry as PerformanceEntry & { interactionId: number }).interactionId > 0;
  watch('event', (entry) => isTap(entry) && (seen.slowestTap = Math.max(seen.slowestTap, entry.duration)), {
    durationThreshold: 16,
  });
  Object.assign(globalThis, { seen });
}

/** What `observe` has seen so far. */
export const seenOn = (page: Page): Promise<Seen> =>
  page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen); // as: set by observe()

/**
 * Resolves when the page has come to life. Asks over the protocol: what Playwright puts into a page before it evaluates
 * something there takes 40 ms of a slow processor, in the middle of what is measured.
 */
export async function hydrated({ context, page }: Pick<Phone, 'context' | 'page'>): Promise<void> {
  const session = await context.newCDPSession(page);
  const expression = `performance.getEntriesByName('marquee:hydrated').length > 0`;
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { result } = await session.send('Runtime.evaluate', { expression });
    if (result.value === true) return;
    if (Date.now() > deadline) throw new Error('The page has not come to life within a minute');
    await page.waitForTimeout(250);
  }
}
