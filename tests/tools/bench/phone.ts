/// <reference lib="dom" />
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from '@playwright/test';
import { findChromium } from '#scripts/chromium.ts';
import { chromiumArgs } from '#tests/fixtures/chromium-args.ts';

/** A cheap phone: its screen, touch, a slow network and a slow processor. */
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
 * V8 computes source positions lazily. The network domain of DevTools requests them at the first fetch of a script,
 * during the measurement: 130 ms that no customer waits for.
 */
const eagerSourcePositions = '--js-flags=--no-enable-lazy-source-positions';

/** Full Chromium: the headless shell lacks features of phones, such as the back/forward cache. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium({ whole: true });
  return chromium.launch({ args: [...chromiumArgs, eagerSourcePositions], ...(executablePath && { executablePath }) });
}

/** A phone without stored data. It is fast until `slowDown`, so that the preparation takes no time. */
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
 * Applies the slow network to service workers too, which the conditions of the page do not affect. Their sessions are
 * not flat, because Playwright does not forward flat ones.
 */
async function slowWorkers(browser: Browser, session: CDPSession): Promise<void> {
  const { targetInfo } = await session.send('Target.getTargetInfo');
  const browserSession = await browser.newBrowserCDPSession();
  const { targetInfos } = await browserSession.send('Target.getTargets');
  const workers = targetInfos.filter(
    ({ type, browserContextId }) => type === 'service_worker' && browserContextId === targetInfo.browserContextId,
  );
  for (const { targetId } of workers) {
    const { sessionId } = await browserSession.send('Target.attachToTarget', { targetId, flatten: false });
    const send = (id: number, method: string, params: object) =>
      browserSession.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) });
    await send(1, 'Network.enable', {});
    await send(2, 'Network.emulateNetworkConditions', slowNetwork);
  }
}

export interface Seen {
  readonly largestPaint: number;
  readonly longestTask: number;
  readonly shift: number;
  /** the longest time from a tap or key to the next frame (Event Timing), in steps of 8 ms */
  readonly slowestTap: number;
}

/** Runs in the page before all other scripts. */
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

/** The measurements of `observe` so far. */
export const seenOn = (page: Page): Promise<Seen> =>
  page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen); // as: set by observe()

/**
 * Resolves when the page is hydrated. Polls over DevTools: the script that Playwright injects before an evaluation
 * takes 40 ms of a slow processor, during the measurement.
 */
export async function hydrated({ context, page }: Pick<Phone, 'context' | 'page'>): Promise<void> {
  const session = await context.newCDPSession(page);
  const expression = `performance.getEntriesByName('marquee:hydrated').length > 0`;
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { result } = await session.send('Runtime.evaluate', { expression });
    if (result.value === true) return;
    if (Date.now() > deadline) throw new Error('The page is not hydrated after a minute');
    await page.waitForTimeout(250);
  }
}
