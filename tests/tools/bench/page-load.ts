/// <reference lib="dom" />
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import type { Browser } from '@playwright/test';
import { buildFloor, floorPage } from './floor/build.ts';
import { median, ms, times, type Figure } from './figures.ts';
import { hydrated, launchBrowser, observe, seenOn, openPhone, type Seen } from './phone.ts';

const runs = Number(process.env['BENCH_RUNS'] ?? 11);
/** How long late layout shifts, paints and tasks are awaited at the end. */
const settleMs = 1500;
/** How long a service worker may take to cache the storefront on a fast network. */
const cacheTimeoutMs = 20_000;
const kilobyte = 1024;

interface Visit extends Omit<Seen, 'slowestTap'> {
  /** milliseconds from the start of the navigation */
  readonly hydrated: number;
  /** transferred bytes of the scripts that were loaded at the hydration */
  readonly scripts: number;
  /** their number, and the size of the smallest except the entry */
  readonly scriptCount: number;
  readonly smallestScript: number;
  /** transferred bytes including the scripts that are loaded later, when the page is idle */
  readonly allScripts: number;
}

/** The page without scripts: the same texts and styles. */
function staticCopy(html: string): string {
  return html
    .replaceAll(/<script\b[\s\S]*?<\/script>/g, '')
    .replaceAll(/<link\b[^>]*rel="(modulepreload|manifest|preload)"[^>]*>/g, '')
    .replaceAll(/<link\b[^>]*rel="stylesheet"[^>]*disabled[^>]*>/g, '');
}

/** A minimal page of about a kilobyte: a heading, a sentence, a link. */
function kilobytePage(): string {
  const text = 'Planos e preços para todas as telas da casa. '.repeat(16);
  return `<!doctype html><html lang="pt"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Planos</title><style>body{font:16px/1.5 system-ui;margin:16px}</style><h1>Planos e preços</h1><p>${text}</p><a href="#x">Comprar</a>`;
}

async function serveStatic(pages: Readonly<Record<string, string | Buffer>>) {
  const bodies = new Map(Object.entries(pages).map(([path, text]) => [path, brotliCompressSync(text)]));
  const server = createServer((incoming, answer) => {
    const path = incoming.url ?? '';
    const body = bodies.get(path);
    const headers = {
      'Content-Type': path.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8',
      ...(path.startsWith('/assets/') && { 'Cache-Control': 'public, max-age=31536000, immutable' }),
      'Content-Encoding': 'br',
      'Content-Length': body?.length ?? 0,
    };
    if (body) answer.writeHead(200, headers).end(body);
    else answer.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // as: a listening TCP server has an address with a port
  const { port } = server.address() as AddressInfo;
  const address = (host: string) => `http://${host}:${port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address, close };
}

interface VisitOptions {
  /** a page of another site to navigate from, so that every visit starts a new renderer process */
  readonly from: string;
  readonly hydrates?: boolean;
  /** a repeat visit, with the service worker and this many files in its cache */
  readonly cachedFiles?: number;
}

/** Measures a visit on a slow phone. */
async function visit(
  browser: Browser,
  url: string,
  { from, hydrates = true, cachedFiles = 0 }: VisitOptions,
): Promise<Visit> {
  const { context, page, slowDown } = await openPhone(browser);
  if (cachedFiles > 0) {
    await page.goto(url);
    await page.waitForFunction(hasCached, cachedFiles, { timeout: cacheTimeoutMs });
    await page.waitForTimeout(settleMs);
  }
  await page.goto(from);
  await slowDown();
  await page.addInitScript(observe);
  await page.goto(url, { waitUntil: 'load', timeout: 60_000 });
  if (hydrates) await hydrated({ context, page });
  await page.waitForTimeout(settleMs);
  const seen = await seenOn(page);
  const loaded = await page.evaluate(readScripts);
  await context.close();
  return { ...seen, ...loaded };
}

/** Runs in the page: whether the service worker controls it and has cached so many files. */
async function hasCached(files: number): Promise<boolean> {
  if (!navigator.serviceWorker.controller) return false;
  const names = await caches.keys();
  const counts = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).length));
  return counts.reduce((sum, count) => sum + count, 0) >= files;
}

/** Runs in the page. */
function readScripts() {
  const hydratedAt = performance.getEntriesByName('marquee:hydrated')[0]?.startTime ?? 0;
  // as: the entry type says so (Resource Timing)
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const scripts = resources.filter(({ name }) => /\/assets\/[^/]+\.js$/.test(name));
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src;
  const first = scripts.filter(({ responseEnd }) => responseEnd <= hydratedAt);
  const sizeOf = (some: PerformanceResourceTiming[]) =>
    some.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  const sizes = first.filter(({ name }) => name !== entry).map(({ encodedBodySize }) => encodedBodySize);
  return {
    hydrated: hydratedAt,
    scripts: sizeOf(first),
    scriptCount: first.length,
    smallestScript: Math.min(...sizes),
    allScripts: sizeOf(scripts),
  };
}

/**
 * Measures the pricing and login pages on a slow phone, alternately with the same page without scripts and a minimal
 * one.
 */
export async function measurePageLoad(origin: string): Promise<Figure[]> {
  const browser = await launchBrowser();
  const figures: Figure[] = [];
  const floorFiles = await buildFloor();
  for (const path of ['/pricing-table', '/login']) {
    const url = origin + path;
    const html = staticCopy(await (await fetch(url, { headers: { 'accept-language': 'pt-BR' } })).text());
    const floor = await floorPage(browser, html, { language: 'pt-BR', path: '/floor' });
    const bare = await serveStatic({ ...floorFiles, '/full': html, '/floor': floor, '/kilobyte': kilobytePage() });
    const bareOrigin = bare.address('127.0.0.1');
    // the storefront is at localhost, so 127.0.0.1 is another site
    const toFloor = { from: `${bare.address('localhost')}/kilobyte` };
    const toBare = { ...toFloor, hydrates: false };
    const toShop = { from: `${bareOrigin}/kilobyte` };
    const all: Visits = { full: [], kilobyte: [], floor: [], floorAgain: [], first: [], again: [] };
    for (let run = 0; run < runs; run += 1) {
      all.kilobyte.push(await visit(browser, `${bareOrigin}/kilobyte`, toBare));
      all.full.push(await visit(browser, `${bareOrigin}/full`, toBare));
      all.first.push(await visit(browser, url, toShop));
      all.floor.push(await visit(browser, `${bareOrigin}/floor`, toFloor));
      all.again.push(await visit(browser, url, { ...toShop, cachedFiles: 41 }));
      all.floorAgain.push(await visit(browser, `${bareOrigin}/floor`, { ...toFloor, cachedFiles: 1 }));
    }
    bare.close();
    figures.push(...figuresOf(path.slice(1), all));
  }
  await browser.close();
  return figures;
}

interface Visits {
  readonly full: Visit[];
  readonly kilobyte: Visit[];
  /** the same libraries without the storefront (`floor/page.ts`), on a first and on a repeat visit */
  readonly floor: Visit[];
  readonly floorAgain: Visit[];
  readonly first: Visit[];
  readonly again: Visit[];
}

const of = (visits: readonly Visit[], key: keyof Visit) => median(visits.map((one) => one[key]));
const worst = (visits: readonly Visit[], key: keyof Visit) => Math.max(...visits.map((one) => one[key]));

function figuresOf(name: string, { full, kilobyte: small, floor, floorAgain, first, again }: Visits): Figure[] {
  const line = (
    what: string,
    value: number,
    reference: readonly [string, readonly Visit[], (keyof Visit)?],
    limit: number,
  ): Figure => {
    const [label, visits, key = 'largestPaint'] = reference;
    const base = of(visits, key);
    return {
      what: `${name}: ${what}`,
      measured: `${ms(value)} = ${times(value / base)}`,
      against: `${label} ${ms(base)}`,
      target: `at most ${limit} x`,
      met: value <= limit * base,
    };
  };
  const same = ['the same without script', full] as const;
  const least = ['one kilobyte', small] as const;
  return [
    line('largest paint', of(first, 'largestPaint'), same, 1.1),
    line('largest paint', of(first, 'largestPaint'), least, 1.3),
    line('first hydrated control', of(first, 'hydrated'), same, 2.7),
    line('first hydrated control', of(first, 'hydrated'), least, 3.5),
    line('hydrated on a repeat visit', of(again, 'hydrated'), same, 1.6),
    line('hydrated', of(first, 'hydrated'), ['its libraries alone', floor, 'hydrated'], 1.1),
    line('hydrated again', of(again, 'hydrated'), ['its libraries alone', floorAgain, 'hydrated'], 1.2),
    ...loadFiguresOf(name, first),
  ];
}

function loadFiguresOf(name: string, first: readonly Visit[]): Figure[] {
  const longest = of(first, 'longestTask');
  const shift = worst(first, 'shift');
  const scripts = of(first, 'scripts');
  const count = of(first, 'scriptCount');
  const smallest = of(first, 'smallestScript');
  return [
    {
      what: `${name}: longest task, median of ${runs}`,
      measured: ms(longest),
      against: `worst run ${ms(worst(first, 'longestTask'))}`,
      target: 'at most 200 ms',
      met: longest <= 200,
    },
    {
      what: `${name}: layout shift, worst run`,
      measured: shift.toFixed(4),
      target: 'at most 0.02',
      met: shift <= 0.02,
    },
    {
      what: `${name}: scripts before hydration`,
      measured: `${(scripts / kilobyte).toFixed(1)} KB in ${count}`,
      against: `with idle ones ${(of(first, 'allScripts') / kilobyte).toFixed(1)} KB`,
      target: 'at most 115 KB in 10, none under 2 KB',
      met: scripts <= 115 * kilobyte && count <= 10 && smallest >= 2 * kilobyte,
    },
  ];
}
