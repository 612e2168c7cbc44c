/// <reference lib="dom" />
import { startDeployment, type Deployment } from '#tests/fixtures/deployment.ts';
import { waitForIdle } from '#tests/fixtures/idle.ts';
import { expect, test as base } from '#tests/fixtures/test.ts';
import { newBuildArrives, waitForWorker } from '#tests/fixtures/worker-ready.ts';
import type { Page } from '@playwright/test';

/** Longer than the page polls whether the customer is still busy. */
const pollMs = 1500;

const test = base.extend<{ deployment: Deployment }>({
  deployment: async ({ server }, use) => {
    const deployment = await startDeployment(server.port);
    await use(deployment);
    await deployment.close();
  },
});

const accountField = (page: Page) => page.locator('input[name="account"]');
const offer = (page: Page) => page.getByRole('button', { name: 'Update now' });

/** Changes the title, which a reload resets. */
const markTitle = (page: Page) => page.evaluate(() => void (document.title += ' (not reloaded)'));
const isMarked = async (page: Page) => (await page.title()).endsWith('(not reloaded)');

test.use({ serviceWorkers: 'allow' });

test('a new build is offered and installed by a tap, and the customer stays on the page', async ({
  page,
  deployment,
}) => {
  await page.goto(`${deployment.origin}/help`);
  await waitForWorker(page, 'en');
  await markTitle(page);
  await newBuildArrives(page, deployment);
  await expect(offer(page)).toBeVisible();
  expect(await isMarked(page)).toBe(true);

  await offer(page).click();
  await expect.poll(() => isMarked(page).catch(() => true)).toBe(false);
  await expect(page).toHaveURL(/\/help$/);
  await expect(offer(page)).toHaveCount(0);
});

test('a customer who postpones the update is not offered it again on this page @slow', async ({ page, deployment }) => {
  await page.clock.install();
  await page.goto(`${deployment.origin}/help`);
  await waitForWorker(page, 'en');
  await newBuildArrives(page, deployment);
  await page.getByRole('button', { name: 'Later' }).click();
  await expect(offer(page)).toHaveCount(0);
  await page.clock.runFor(pollMs);
  await expect(offer(page)).toHaveCount(0);
});

test('a customer who is typing is not interrupted: the update waits until no input can be lost @slow', async ({
  page,
  context,
  deployment,
}) => {
  await page.clock.install();
  await page.goto(`${deployment.origin}/register`);
  await waitForWorker(page, 'en');
  const account = accountField(page);
  await account.fill('ana@example.com');
  await markTitle(page);
  // In a tab without input, the update is offered at once.
  const idleTab = await context.newPage();
  await idleTab.goto(`${deployment.origin}/help`);
  await newBuildArrives(idleTab, deployment);
  await expect(offer(idleTab)).toBeVisible();
  await page.bringToFront();
  await page.clock.runFor(pollMs);
  await waitForIdle(page);
  await expect(offer(page)).toHaveCount(0);
  await expect(account).toHaveValue('ana@example.com');
  expect(await isMarked(page)).toBe(true);

  await account.fill('');
  await expect(offer(page)).toBeVisible();
});

/** Runs in the page: whether another tab answers. Its listener starts when that tab is idle. */
async function isOtherTabBusy(): Promise<boolean> {
  const channel = new BroadcastChannel('marquee.busy');
  const answer = new Promise<boolean>((resolve) => {
    channel.addEventListener('message', ({ data }) => resolve(data === 'busy'));
    setTimeout(resolve, 300, false);
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
  channel.postMessage('anyone busy?');
  return answer.finally(() => channel.close());
}

test('typed data in another tab prevents the update in both tabs @slow', async ({ page, context, deployment }) => {
  await page.goto(`${deployment.origin}/help`);
  await waitForWorker(page, 'en');
  const other = await context.newPage();
  await other.goto(`${deployment.origin}/register`);
  await other.waitForFunction(() => 'hydrated' in document.documentElement.dataset);
  await accountField(other).fill('ana@example.com');
  await page.bringToFront();
  await expect.poll(() => page.evaluate(isOtherTabBusy)).toBe(true);
  await newBuildArrives(page, deployment);
  await markTitle(page);
  await offer(page).click();
  await expect(page.getByText(/another tab/)).toBeVisible();
  expect(await isMarked(page)).toBe(true);
  await expect(accountField(other)).toHaveValue('ana@example.com');
});

test.describe('when a script of the page is missing after a deploy', () => {
  // The worker would have cached the script.
  test.use({ serviceWorkers: 'block', expectedErrors: /404|A part of the page is missing/ });

  test('the page reloads once, and loads completely after the deploy @slow', async ({ page, deployment }) => {
    await page.goto(`${deployment.origin}/`);
    await page.waitForFunction(() => 'hydrated' in document.documentElement.dataset);
    let loads = 0;
    page.on('load', () => (loads += 1));
    deployment.lose(/^\/assets\/.*\.js$/);
    await page.getByRole('link', { name: /plans/i }).first().click();
    await expect.poll(() => loads).toBe(1);
    await page.waitForTimeout(2000);
    expect(loads).toBe(1);

    // The deploy is complete.
    deployment.mend();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

  test('a customer who navigates to another page gets there, and is not sent back @slow', async ({
    page,
    deployment,
  }) => {
    await page.goto(`${deployment.origin}/`);
    await page.waitForFunction(() => 'hydrated' in document.documentElement.dataset);
    deployment.lose(/^\/assets\/.*\.js$/);
    const missing = page.waitForEvent('console', { predicate: (message) => message.text().includes('404') });
    const networkChecked = page.waitForEvent('console', (message) => message.text() === 'network checked');
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/privacy', async (route) => {
      await released;
      await route.continue();
    });
    await page.evaluate(() => {
      const { fetch } = globalThis;
      // Nothing can be evaluated during a navigation, so the page reports when it has handled the answer.
      globalThis.fetch = async (...request) => {
        const answer = await fetch(...request);
        if (request[0] === '/readyz') setTimeout(() => console.info('network checked'));
        return answer;
      };
      location.assign('/privacy');
      // Focusing a link prefetches its page.
      setTimeout(() => document.querySelector<HTMLElement>('header a[href="/help"]')?.focus());
    });
    await missing;
    await networkChecked;
    deployment.mend();
    release();
    await page.waitForURL(/\/privacy$/);
    await expect(page.getByRole('heading', { level: 1, name: /privacy/i })).toBeVisible();
  });
});

test('a page that is on its way while the worker becomes active is controlled by it, too', async ({
  context,
  cutter,
}) => {
  const [early, page] = [await context.newPage(), await context.newPage()];
  const release = cutter.hold('/help');
  const arrived = early.goto(`${cutter.origin}/help`);
  await expect.poll(() => cutter.held('/help')).toBe(1);
  await page.goto(`${cutter.origin}/pricing-table`);
  await waitForWorker(page, 'en');
  release();
  await arrived;
  await waitForWorker(early, 'en');
});
