/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { chooseMethod, fillCard, nextButton } from '#tests/fixtures/checkout.ts';
import { registerCustomer } from '#tests/fixtures/customer.ts';
import { median, ms, type Figure } from './figures.ts';
import { launchBrowser, observe, seenOn, openPhone } from './phone.ts';

/** How long a page may take to fetch what its links in view lead to. */
const warmMs = 4000;
const runs = 3;

const alive = (page: Page) => page.locator('html[data-hydrated]').waitFor();

/** Taps a link that was in view for a while, and answers after how many milliseconds its page was painted. */
async function paintAfterTap(page: Page, link: string): Promise<number> {
  await page.locator(link).first().scrollIntoViewIfNeeded();
  await page.waitForTimeout(warmMs);
  await page.evaluate(watchPaint, link);
  await page.locator(link).first().tap();
  return page.evaluate(() => (globalThis as unknown as { painted: Promise<number> }).painted); // as: set by watchPaint()
}

/** Runs in the page: from the tap until a frame after the new page's heading stands there. */
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

const leastPage = `<!doctype html><meta name="viewport" content="width=device-width"><h1>Before</h1><a href="#">On</a>`;

/** What a tap takes here at the very least: on a page of a heading and a link, which puts another heading in its place. */
async function leastTap(page: Page): Promise<{ paint: number; tap: number }> {
  await page.goto('about:blank');
  await page.setContent(leastPage);
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

/** A whole purchase by card with a slow processor: how soon taps and keys are answered, and warm pages painted. */
export async function measurePurchase(origin: string): Promise<Figure[]> {
  const browser = await launchBrowser();
  const next: number[] = [];
  const taps: number[] = [];
  const least: Awaited<ReturnType<typeof leastTap>>[] = [];
  for (let run = 0; run < runs; run += 1) {
    const customer = await registerCustomer(origin);
    const { context, page } = await openPhone(browser);
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.addInitScript(observe);
    least.push(await leastTap(page));
    await page.goto(origin);
    await alive(page);
    next.push(await paintAfterTap(page, 'main a[href="/pricing-table"]'));
    next.push(await paintAfterTap(page, 'main a[href="/plan-details/303"]'));
    taps.push((await seenOn(page)).slowestTap);
    await page.goto(`${origin}/login?return=%2Fpayment%3FplanId%3D303`);
    await alive(page);
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
    `worst ${ms(Math.max(...all))}; a heading alone ${ms(median(least.map((one) => one[key])))}`;
  return [
    {
      what: 'a warm page after the tap on its link, median',
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
