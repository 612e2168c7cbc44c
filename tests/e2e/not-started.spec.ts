/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { workerPath } from '#contract/worker.ts';
import { freshAccount } from '#tests/fixtures/customer.ts';
import { startDeployment, type Deployment } from '#tests/fixtures/deployment.ts';
import { expect, test as base } from '#tests/fixtures/test.ts';
import { waitForWorker } from '#tests/fixtures/worker-ready.ts';

const test = base.extend<{ deployment: Deployment }>({
  deployment: async ({ server }, use) => {
    const deployment = await startDeployment(server.port);
    await use(deployment);
    await deployment.close();
  },
});

const notice = (page: Page) => page.getByText('This page didn’t load completely');
const hydrated = (page: Page) => page.locator('html[data-hydrated]').waitFor();

/**
 * Runs in the page: the controls of its bars and its footer that something else covers, and the notice if its text is
 * not fully visible. Controls outside of the screen are skipped.
 */
function coveredInBars(): string[] {
  const covers = (x: number, y: number, own: Element) => !own.contains(document.elementFromPoint(x, y));
  const isCovered = (element: Element) => {
    const { left, top, width, height, bottom } = element.getBoundingClientRect();
    if (width === 0 || top < 0 || bottom > innerHeight) return false;
    return covers(left + width / 2, top + height / 2, element);
  };
  const controls = [...document.querySelectorAll(':is(nav, [data-sticky-bar], footer) :is(a, button)')];
  const covered = controls.filter(isCovered).map(({ outerHTML }) => outerHTML);
  const shown = document.querySelector('.not-started p');
  const { left = 0, right = 0, top = 0, bottom = 0 } = shown?.getBoundingClientRect() ?? {};
  const corners = [top + 2, bottom - 2].flatMap((y) => [left + 2, right - 2].map((x) => [x, y] as const));
  const isWhole = shown !== null && bottom <= innerHeight && corners.every(([x, y]) => !covers(x, y, shown));
  return isWhole ? covered : [...covered, `the notice at ${top} to ${bottom}`];
}

/** How often Chromium reported this repair to the server. */
async function reports(origin: string, repair: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('storefront_not_started_total{engine="chromium"'));
  const counts = lines
    .filter((line) => line.includes(`repair="${repair}"`))
    .map((line) => Number(line.split(' ').pop()));
  return counts.reduce((sum, one) => sum + one, 0);
}

test.describe('a page whose modules are all blocked', () => {
  test.use({ expectedErrors: /net::ERR_FAILED|Failed to (load|fetch)/ });
  test.beforeEach(({ page }) => page.route('**/assets/*.js', (route) => route.abort()));

  test('shows instructions, reports the failure, and its links work', async ({ page, server }) => {
    const before = await reports(server.origin, 'plain page');
    await page.goto('/login');
    await expect(notice(page)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Reload' })).toBeVisible();
    await expect.poll(() => reports(server.origin, 'plain page')).toBe(before + 1);
    await page.locator('main input[name="account"]').fill('ana@example.com');
    await page.locator('main form button[type="submit"]').click();
    await expect(page.locator('.not-started')).toBeFocused();
    await expect(page.locator('main input[name="account"]')).toHaveValue('ana@example.com');
    await page.locator('a[href^="/forgot-password"]').first().click();
    await expect(page).toHaveURL(/\/forgot-password/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

  for (const [width, height] of [
    [360, 740],
    [320, 568],
  ] as const) {
    test(`shows a notice above the bars at ${width} px that covers no link`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      for (const address of ['/pricing-table', '/plan-details/101', '/login', '/help']) {
        await page.goto(address);
        await page.locator('html[data-start="failed"]').waitFor();
        await expect(notice(page)).toBeVisible();
        expect(await page.evaluate(coveredInBars), address).toEqual([]);
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        expect(await page.evaluate(coveredInBars), `end of ${address}`).toEqual([]);
      }
    });
  }

  test('sends a form that needs no session', async ({ page }) => {
    await page.goto('/forgot-password');
    await expect(page.locator('html[data-start="failed"]')).toHaveCount(1);
    await page.locator('main input[name="account"]').fill(freshAccount());
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await expect(page.getByText('If this address has an account, we’ve sent it an email.')).toBeVisible();
  });
});

test.describe('a page that lost one of its scripts', () => {
  test.use({ expectedErrors: /Failed to fetch dynamically|net::ERR_FAILED/ });

  test('fetches its scripts again by itself, and retains the typed data', async ({ page, server }) => {
    const before = await reports(server.origin, 'scripts fetched again');
    let arrive = () => {};
    const typed = new Promise<void>((resolve) => (arrive = resolve));
    let lost = true;
    await page.route('**/assets/vendor-*.js', async (route) => {
      // The second request is a fetch by the page. The first one came from the module loader.
      if (route.request().resourceType() === 'fetch') lost = false;
      if (!lost) return route.fallback();
      await typed;
      return route.abort();
    });
    await page.goto('/register', { waitUntil: 'commit' });
    await page.locator('main input[name="account"]').fill('ana@example.com');
    arrive();
    await hydrated(page);
    await expect(page.locator('main input[name="account"]')).toHaveValue('ana@example.com');
    await expect(notice(page)).toBeHidden();
    await expect.poll(() => reports(server.origin, 'scripts fetched again')).toBe(before + 1);
  });
});

test.describe('a service worker with a damaged copy', () => {
  test.use({ serviceWorkers: 'allow', expectedErrors: /SyntaxError|Unexpected|ERR_FAILED/ });

  test('is removed with its caches, and the page starts', async ({ page, deployment }) => {
    await page.goto(`${deployment.origin}/help`);
    await waitForWorker(page, 'en');
    await page.evaluate(async () => {
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys())
          if (request.url.includes('/assets/vendor-'))
            await cache.put(
              request,
              new Response('export const {', { headers: { 'content-type': 'text/javascript' } }),
            );
      }
    });
    const before = await reports(deployment.origin, 'worker removed');
    await page.goto(`${deployment.origin}/privacy`);
    await expect.poll(() => reports(deployment.origin, 'worker removed'), { timeout: 30_000 }).toBe(before + 1);
    await hydrated(page);
  });
});

test.describe('a service worker that fails every request for a script', () => {
  test.use({ serviceWorkers: 'allow', expectedErrors: /Failed to (fetch|load)|ERR_FAILED|FetchEvent/ });

  test('is removed at once, and the page starts', async ({ page, deployment }) => {
    deployment.replaceWorker(`
      addEventListener('install', () => skipWaiting());
      addEventListener('activate', (event) => event.waitUntil(clients.claim()));
      addEventListener('fetch', (event) => event.request.url.includes('/assets/') && event.respondWith(Response.error()));
    `);
    // Not a page of the storefront, which would reload itself for the new worker.
    await page.goto(`${deployment.origin}/robots.txt`);
    await page.evaluate(async (path) => {
      await navigator.serviceWorker.register(path);
    }, workerPath);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    deployment.mend();
    const before = await reports(deployment.origin, 'worker removed');
    await page.goto(`${deployment.origin}/privacy`, { waitUntil: 'commit' });
    await hydrated(page);
    await expect(notice(page)).toBeHidden();
    await expect.poll(() => reports(deployment.origin, 'worker removed')).toBe(before + 1);
  });
});
