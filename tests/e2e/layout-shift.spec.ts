/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { addCoupon } from '#contract/index.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { waitForHydration } from '#tests/fixtures/checkout.ts';
import { aCustomerOf, addressesOf } from '#tests/fixtures/every-page.ts';
import { waitForIdle } from '#tests/fixtures/idle.ts';
import { lastMethodKey } from '#web/features/checkout/method/last-method.ts';
import { expect, storeOnce, test } from '#tests/fixtures/test.ts';

// The notices and results of unknown orders are refused.
test.use({ expectedErrors: /status of 4\d\d/ });

/** The layout shift that Core Web Vitals call good is 0.1; a fifth of it is not noticed. */
const limit = 0.02;

/** How many pages are open at the same time. */
const atOnce = 4;

/** Runs in the browser, before the scripts of the page: sums the shifts that no input has caused, with their elements. */
function watchShifts(): void {
  const shifts = { sum: 0, moved: [] as string[] };
  Object.assign(globalThis, { shifts });
  type Shift = PerformanceEntry & {
    value: number;
    hadRecentInput: boolean;
    sources: readonly { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
  };
  const nameOf = (node: Node | null) =>
    `${node instanceof Element ? node.localName : node?.nodeName} "${node?.textContent?.slice(0, 30)}"`;
  const record = ({ value, hadRecentInput, sources }: Shift) => {
    if (hadRecentInput) return;
    shifts.sum += value;
    const [first] = sources;
    if (first)
      shifts.moved.push(
        `${value.toFixed(4)} ${nameOf(first.node)} from ${first.previousRect.y} to ${first.currentRect.y}`,
      );
  };
  // as: the entry type says so (Layout Instability)
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => record(entry as Shift))).observe({
    type: 'layout-shift',
    buffered: true,
  });
}

/** How long a page requests nothing once its parts have arrived, in milliseconds; what it polls comes later. */
const quietMs = 700;

/**
 * Answers arrive one after the other, as on a slow network: together they would hide what moves. Returns whether there
 * were no calls for a while.
 */
async function spreadAnswers(page: Page): Promise<() => boolean> {
  let calls = 0;
  let lastAt = Date.now();
  await page.route('**/api/**', async (route) => {
    calls += 1;
    await new Promise((resolve) => setTimeout(resolve, 60 * (calls % 9)));
    lastAt = Date.now();
    // the page may be closed by now
    await route.continue().catch(() => undefined);
  });
  return () => Date.now() - lastAt > quietMs;
}

async function shiftsOf(page: Page, address: string): Promise<string[]> {
  const isQuiet = await spreadAnswers(page);
  await page.goto(address);
  await waitForHydration(page);
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  await expect.poll(isQuiet).toBe(true);
  await waitForIdle(page);
  // as: set by watchShifts()
  const { sum, moved } = await page.evaluate(() => (globalThis as unknown as { shifts: Shifts }).shifts);
  return sum > limit ? [`${address} by ${sum.toFixed(4)}`, ...moved] : [];
}

interface Shifts {
  readonly sum: number;
  readonly moved: readonly string[];
}

const visits = [
  { brand: 'mego', screen: 'a phone', viewport: undefined },
  { brand: 'mego', screen: 'a desktop', viewport: { width: 1280, height: 1600 } },
  { brand: 'lumen', screen: 'a phone', viewport: undefined },
  { brand: 'lumen', screen: 'a desktop', viewport: { width: 1280, height: 1600 } },
];

for (const { brand, screen, viewport } of visits) {
  test(`no page of a customer of ${brand} on ${screen} moves while its parts arrive @slow`, async ({
    context,
    server,
    registerAt,
    beSignedIn,
  }) => {
    test.setTimeout(300_000);
    const origin = server.brandOrigin(brand);
    const { customer, orders, plan, paid } = await customerOf(brand, origin, registerAt);
    const first = await context.newPage();
    await beSignedIn(first, customer);
    await context.addInitScript(watchShifts);
    await context.addInitScript(storeOnce, { [lastMethodKey.key]: 'card' });
    // without saved copies each page is a first visit
    await context.addInitScript(() => Object.defineProperty(globalThis, 'indexedDB', { value: undefined }));
    const open = async (path: string) => {
      const page = await context.newPage();
      if (viewport) await page.setViewportSize(viewport);
      const shifts = await shiftsOf(page, origin + path);
      await page.close();
      return shifts;
    };
    const found: string[] = [];
    const addresses = [
      ...addressesOf('app', orders, plan),
      `/payment?planId=${plan}&step=details`,
      `/receipt?orderId=${paid}`,
    ];
    const paths = addresses.filter((address) => orders || !address.endsWith('orderId='));
    // a page waits for most of its time
    for (let next = 0; next < paths.length; next += atOnce)
      found.push(...(await Promise.all(paths.slice(next, next + atOnce).map(open))).flat());
    expect(found).toEqual([]);
  });
}

async function customerOf(brand: string, origin: string, registerAt: Parameters<typeof aCustomerOf>[1]) {
  if (brand === 'mego') {
    const { customer, orders } = await aCustomerOf(origin, registerAt);
    return { customer, orders, plan: '202', paid: orders.paid };
  }
  const customer = await registerAt(origin);
  await customer.call(addCoupon, { body: { code: 'LUMEN15' } });
  const { orderId: paid } = await buyByCard(customer, '101');
  return { customer, orders: undefined, plan: '101', paid };
}
