/// <reference lib="dom" />
import type { Browser } from '@playwright/test';
import { buyByCard, registerCustomer, type Customer } from '#tests/fixtures/customer.ts';
import { ownerKey, sessionKey } from '#web/platform/session/storage/keys.ts';
import { median, ms, times, type Figure } from './figures.ts';
import { launchBrowser, observe, openPhone, seenOn } from './phone.ts';

const runs = Number(process.env['BENCH_RUNS'] ?? 5);
/** How long a page is watched after its load event; the slowest has all its data after a third of that. */
const settleMs = 8000;

/**
 * Measures the first visit of a customer's own pages on a slow phone, alternately with the public pricing page, whose
 * HTML has its data.
 */
export async function measureOwnPages(origin: string): Promise<Figure[]> {
  const browser = await launchBrowser();
  const customer = await registerCustomer(origin);
  await buyByCard(customer, '101');
  const pages = { payment: '/payment?planId=102', account: '/account', orders: '/orders' };
  const pricing: Load[] = [];
  const own: Record<string, Load[]> = {};
  for (let run = 0; run < runs; run += 1) {
    pricing.push(await load(browser, `${origin}/pricing-table`, customer));
    for (const [name, path] of Object.entries(pages))
      (own[name] ??= []).push(await load(browser, origin + path, customer));
  }
  await browser.close();
  const base = median(pricing.map(({ largestPaint }) => largestPaint));
  return Object.entries(own).map(([name, loads]): Figure => {
    const paint = median(loads.map(({ largestPaint }) => largestPaint));
    const shift = Math.max(...loads.map((one) => one.shift));
    const complete = median(loads.map((one) => one.complete));
    return {
      what: `${name}: largest paint, shift`,
      measured: `${ms(paint)} = ${times(paint / base)}, ${shift.toFixed(3)}; complete at ${ms(complete)}`,
      against: `pricing ${ms(base)}`,
      target: 'at most 1.5 times, 0.02',
      met: paint <= 1.5 * base && shift <= 0.02,
    };
  });
}

interface Load {
  /** milliseconds from the start of the navigation */
  readonly largestPaint: number;
  readonly shift: number;
  /** when no placeholder was left, in milliseconds from the start of the navigation */
  readonly complete: number;
}

async function load(browser: Browser, url: string, { session }: Customer): Promise<Load> {
  const { context, page, slowDown } = await openPhone(browser);
  const items = { [sessionKey.key]: session, [ownerKey.key]: session.uid };
  await page.addInitScript((stored) => {
    for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, JSON.stringify(value));
  }, items);
  await page.addInitScript(observe);
  await page.addInitScript(watchPlaceholders);
  await slowDown();
  await page.goto(url, { waitUntil: 'load', timeout: 60_000 });
  await page.waitForTimeout(settleMs);
  const { largestPaint, shift } = await seenOn(page);
  // as: set by watchPlaceholders()
  const complete = await page.evaluate(() => (globalThis as unknown as { complete: number }).complete);
  await context.close();
  return { largestPaint, shift, complete };
}

/** Runs in the page before all other scripts: notes when the last placeholder is replaced. */
function watchPlaceholders(): void {
  let waited = false;
  new MutationObserver(() => {
    const waits = document.querySelector('[aria-busy="true"]') !== null;
    if (waited && !waits) Object.assign(globalThis, { complete: performance.now() });
    waited = waits;
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-busy'] });
}
