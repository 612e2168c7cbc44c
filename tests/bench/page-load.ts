/// <reference lib="dom" />
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { chromium, type Browser } from '@playwright/test';
import { chromiumArgs, findChromium } from '../../.scripts/chromium.mjs';
import { median, ms, times, type Figure } from './figures.ts';

const runs = 15;
/** After the last thing of interest, how long late shifts, paints and tasks are still waited for. */
const settleMs = 1500;
const kilobyte = 1024;

interface Visit {
  /** milliseconds from the start of the navigation */
  readonly largestPaint: number;
  readonly hydrated: number;
  readonly longestTask: number;
  readonly shift: number;
  /** bytes, as they travelled, of the scripts that the page names: what it needs to come alive */
  readonly scripts: number;
  /** the same with what is fetched afterwards, when the phone is idle */
  readonly allScripts: number;
}

/** The page without anything that moves: same words, same styles, no script. */
function staticCopy(html: string): string {
  return html
    .replaceAll(/<script\b[\s\S]*?<\/script>/g, '')
    .replaceAll(/<link\b[^>]*rel="(modulepreload|manifest|preload)"[^>]*>/g, '')
    .replaceAll(/<link\b[^>]*rel="stylesheet"[^>]*disabled[^>]*>/g, '');
}

async function serveStatic(html: string): Promise<{ origin: string; close: () => void }> {
  const body = brotliCompressSync(html);
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Encoding': 'br',
    'Content-Length': body.length,
  };
  const server = createServer((incoming, answer) => {
    if (incoming.url === '/') answer.writeHead(200, headers).end(body);
    else answer.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // as: a listening TCP server has an address with a port
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${port}`, close };
}

/** Runs in the page before anything else does. */
function observe(): void {
  const seen = { largestPaint: 0, longestTask: 0, shift: 0 };
  const watch = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch('largest-contentful-paint', ({ startTime }) => (seen.largestPaint = startTime));
  watch('longtask', ({ duration }) => (seen.longestTask = Math.max(seen.longestTask, duration)));
  // as: the entry type says so (Layout Instability)
  watch('layout-shift', (entry) => (seen.shift += (entry as PerformanceEntry & { value: number }).value));
  Object.assign(globalThis, { seen });
}

/** One cold visit. `scripts` are the paths of those that the page names; a page without any never comes alive. */
async function visit(browser: Browser, url: string, scripts: readonly string[] = []): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'pt-BR' });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(observe);
  await page.goto(url, { waitUntil: 'load', timeout: 60_000 });
  const mark = () => performance.getEntriesByName('marquee:hydrated')[0]?.startTime;
  if (scripts.length > 0) await page.waitForFunction(mark, undefined, { timeout: 60_000 });
  await page.waitForTimeout(settleMs);
  const result = await page.evaluate((named) => {
    const { seen } = globalThis as unknown as { seen: { largestPaint: number; longestTask: number; shift: number } }; // as: set by observe()
    // as: the entry type says so (Resource Timing)
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const loaded = resources.filter(({ name }) => /\.js(\?|$)/.test(name));
    const weigh = (some: PerformanceResourceTiming[]) =>
      some.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    return {
      ...seen,
      hydrated: performance.getEntriesByName('marquee:hydrated')[0]?.startTime ?? 0,
      scripts: weigh(loaded.filter(({ name }) => named.includes(new URL(name).pathname))),
      allScripts: weigh(loaded),
    };
  }, scripts);
  await context.close();
  return result;
}

/** Cold visits of the pricing page on a slow phone and network, in turns with a static page of the same content. */
export async function measurePageLoad(origin: string): Promise<Figure[]> {
  const url = `${origin}/pricing-table`;
  const html = await (await fetch(url, { headers: { 'accept-language': 'pt-BR' } })).text();
  const scripts = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path);
  const bare = await serveStatic(staticCopy(html));
  const executablePath = await findChromium({ whole: true });
  const browser = await chromium.launch({ args: [...chromiumArgs], ...(executablePath && { executablePath }) });
  const ours: Visit[] = [];
  const theirs: Visit[] = [];
  for (let run = 0; run < runs; run += 1) {
    theirs.push(await visit(browser, bare.origin));
    ours.push(await visit(browser, url, scripts));
  }
  await browser.close();
  bare.close();
  return figuresOf(ours, theirs);
}

function figuresOf(ours: readonly Visit[], theirs: readonly Visit[]): Figure[] {
  const of = (visits: readonly Visit[], key: keyof Visit) => median(visits.map((one) => one[key]));
  const paint = of(ours, 'largestPaint');
  const barePaint = of(theirs, 'largestPaint');
  const hydrated = of(ours, 'hydrated');
  const longest = of(ours, 'longestTask');
  const worst = Math.max(...ours.map(({ longestTask }) => longestTask));
  const shift = Math.max(...ours.map((one) => one.shift));
  const scripts = of(ours, 'scripts');
  return [
    {
      what: `largest paint, median of ${runs}`,
      measured: `${ms(paint)} = ${times(paint / barePaint)}`,
      against: `static page ${ms(barePaint)}`,
      target: 'at most 1.35 x',
      met: paint <= 1.35 * barePaint,
    },
    {
      what: 'first hydrated control',
      measured: `${ms(hydrated)} = ${times(hydrated / barePaint)}`,
      against: `static page ${ms(barePaint)}`,
      target: 'at most 4 x',
      met: hydrated <= 4 * barePaint,
    },
    {
      what: 'longest task, median of the runs',
      measured: ms(longest),
      against: `worst run ${ms(worst)}`,
      target: 'at most 200 ms',
      met: longest <= 200,
    },
    { what: 'layout shift, worst run', measured: shift.toFixed(4), target: 'at most 0.02', met: shift <= 0.02 },
    {
      what: 'scripts of the first route',
      measured: `${(scripts / kilobyte).toFixed(1)} KB`,
      against: `with idle ones ${(of(ours, 'allScripts') / kilobyte).toFixed(1)} KB`,
      target: 'at most 125 KB',
      met: scripts <= 125 * kilobyte,
    },
  ];
}
