/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { chooseMethod, fillCard, nextButton } from '#tests/fixtures/checkout.ts';
import { registerCustomer } from '#tests/fixtures/customer.ts';
import { median, ms, type Figure } from './figures.ts';
import { launchBrowser, observe, seenOn, openPhone } from './phone.ts';

/** How long a page may take to prefetch the pages of its visible links. */
const prefetchMs = 4000;
const runs = 3;

const waitForHydration = (page: Page) => page.locator('html[data-hydrated]').waitFor();

/** Taps a link that was visible for a while; returns the milliseconds until its page was painted. */
async function paintAfterTap(page: Page, link: string): Promise<number> {
  await page.locator(link).first().scrollIntoViewIfNeeded();
  await page.waitForTimeout(prefetchMs);
  await page.evaluate(watchPaint, link);
  await page.locator(link).first().tap();
  return page.evaluate(() => (globalThis as unknown as { painted: Promise<number> }).painted); // as: set by watchPaint()
}

/** Runs in the page: measures from the tap until the frame after the heading of the new page. */
function watchPaint(link: string): void {
  const before = document.querySelector('h1');
  const painted = new Promise<number>((resolve) => {
    document.querySelector(link)?.addEventListener(
      'click',
      ({ timeStamp }) => {
        const look = () => {
          const heading = document.querySelector('h1');
          if (heading && heading !== before) requestAnimationFrame(() => resolve(performance.now() - timeStamp));
          else requestAnimationFrame(look);
        };
        look();
      },
      { capture: true },
    );
  });
  Object.assign(globalThis, { painted });
}

const minimalPage = `<!doctype html><meta name="viewport" content="width=device-width"><h1>Before</h1><a href="#">On</a>`;

/** The minimal time of a tap on this machine: on a page with a link that replaces its heading. */
async function measureMinimalTap(page: Page): Promise<{ paint: number; tap: number }> {
  await page.goto('about:blank');
  await page.setContent(minimalPage);
  await page.evaluate(() =>
    document.querySelector('a')?.addEventListener('click', (event) => {
      event.preventDefault();
      const heading = document.createElement('h1');
      heading.textContent = 'After';
      document.querySelector('h1')?.replaceWith(heading);
    }),
  );
  const paint = await paintAfterTap(page, 'a');
  await page.waitForTimeout(1000);
  return { paint, tap: (await seenOn(page)).slowestTap };
}

/**
 * Measures a purchase by card with a slow processor: the delays of taps and keys, and the paint of prefetched pages.
 */
export async function measurePurchase(origin: string): Promise<Figure[]> {
  const browser = await launchBrowser();
  const next: number[] = [];
  const taps: number[] = [];
  const minimal: Awaited<ReturnType<typeof measureMinimalTap>>[] = [];
  for (let run = 0; run < runs; run += 1) {
    const customer = await registerCustomer(origin);
    const { context, page } = await openPhone(browser);
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.addInitScript(observe);
    minimal.push(await measureMinimalTap(page));
    await page.goto(origin);
    await waitForHydration(page);
    next.push(await paintAfterTap(page, 'main a[href="/pricing-table"]'));
    next.push(await paintAfterTap(page, 'main a[href="/plan-details/303"]'));
    taps.push((await seenOn(page)).slowestTap);
    await page.goto(`${origin}/login?return=%2Fpayment%3FplanId%3D303`);
    await waitForHydration(page);
    await page.locator('input[name="account"]').pressSequentially(customer.account);
    await page.locator('input[name="password"]').pressSequentially(customer.password);
    await page.locator('main form button[type="submit"]').tap();
    await page.waitForURL(/\/payment\?/);
    await chooseMethod(page, 'card');
    await fillCard(page);
    await nextButton(page).tap();
    await page.waitForURL(/\/paymentResult|orderId=/, { timeout: 30_000 });
    await page.waitForTimeout(1000);
    taps.push((await seenOn(page)).slowestTap);
    await context.close();
  }
  await browser.close();
  const beside = (all: readonly number[], key: 'paint' | 'tap') =>
    `worst ${ms(Math.max(...all))}; a heading alone ${ms(median(minimal.map((one) => one[key])))}`;
  return [
    {
      what: 'a prefetched page after the tap on its link, median',
      measured: ms(median(next)),
      against: beside(next, 'paint'),
      target: 'at most 100 ms',
      met: median(next) <= 100,
    },
    {
      what: 'slowest tap or key of a purchase by card, median',
      measured: ms(median(taps)),
      against: beside(taps, 'tap'),
      target: 'at most 100 ms',
      met: median(taps) <= 100,
    },
  ];
}
