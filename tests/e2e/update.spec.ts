/// <reference lib="dom" />
import { startDeployment, type Deployment } from '#tests/fixtures/deployment.ts';
import { expect, test as base } from '#tests/fixtures/test.ts';
import { newBuildArrives, waitForWorker } from '#tests/fixtures/worker-ready.ts';
import type { Page } from '@playwright/test';

const test = base.extend<{ deployment: Deployment }>({
  deployment: async ({ server }, use) => {
    const deployment = await startDeployment(server.port);
    await use(deployment);
    await deployment.close();
  },
});

const accountField = (page: Page) => page.locator('input[name="account"]');
const offer = (page: Page) => page.getByRole('button', { name: 'Update now' });

/** A mark that a reload wipes away. */
const mark = (page: Page) => page.evaluate(() => void (document.title += ' (not reloaded)'));
const isMarked = async (page: Page) => (await page.title()).endsWith('(not reloaded)');

test.use({ serviceWorkers: 'allow' });

test('a new build is offered, taken by a tap, and the customer stays on the page', async ({ page, deployment }) => {
  await page.goto(`${deployment.origin}/help`);
  await waitForWorker(page, 'en');
  await mark(page);
  await newBuildArrives(page, deployment);
  await expect(offer(page)).toBeVisible();
  expect(await isMarked(page)).toBe(true);

  await offer(page).click();
  await expect.poll(() => isMarked(page).catch(() => true)).toBe(false);
  await expect(page).toHaveURL(/\/help$/);
  await expect(offer(page)).toHaveCount(0);
});

test('a customer who does not want it now is not asked again on this page @slow', async ({ page, deployment }) => {
  await page.goto(`${deployment.origin}/help`);
  await waitForWorker(page, 'en');
  await newBuildArrives(page, deployment);
  await page.getByRole('button', { name: 'Later' }).click();
  await page.waitForTimeout(1500);
  await expect(offer(page)).toHaveCount(0);
});

test('who is typing is not disturbed: the offer waits until nothing can be lost @slow', async ({
  page,
  deployment,
}) => {
  await page.goto(`${deployment.origin}/register`);
  await waitForWorker(page, 'en');
  const account = accountField(page);
  await account.fill('ana@example.com');
  await mark(page);
  await newBuildArrives(page, deployment);
  await page.waitForTimeout(1500);
  await expect(offer(page)).toHaveCount(0);
  await expect(account).toHaveValue('ana@example.com');
  expect(await isMarked(page)).toBe(true);

  await account.fill('');
  await expect(offer(page)).toBeVisible();
});

test('who is typing in another tab keeps the update away from both @slow', async ({ page, context, deployment }) => {
  await page.goto(`${deployment.origin}/help`);
  await waitForWorker(page, 'en');
  const other = await context.newPage();
  await other.goto(`${deployment.origin}/register`);
  await other.waitForFunction(() => 'hydrated' in document.documentElement.dataset);
  await accountField(other).fill('ana@example.com');
  // the worker and what answers other tabs start when the tab is idle
  await other.waitForTimeout(1000);
  await page.bringToFront();
  await newBuildArrives(page, deployment);
  await mark(page);
  await offer(page).click();
  await expect(page.getByText(/another tab/)).toBeVisible();
  expect(await isMarked(page)).toBe(true);
  await expect(accountField(other)).toHaveValue('ana@example.com');
});

test.describe('a part of the page is gone after a deploy', () => {
  // the worker would have kept the part
  test.use({ serviceWorkers: 'block', expectedErrors: /404|A part of the page is missing/ });

  test('the page is loaded anew once, and then says what happened @slow', async ({ page, deployment }) => {
    await page.goto(`${deployment.origin}/`);
    await page.waitForFunction(() => 'hydrated' in document.documentElement.dataset);
    let loads = 0;
    page.on('load', () => (loads += 1));
    deployment.lose(/^\/assets\/.*\.js$/);
    await page.getByRole('link', { name: /plans/i }).first().click();
    await expect.poll(() => loads).toBe(1);
    await page.waitForTimeout(2000);
    expect(loads).toBe(1);

    // the deploy is complete now
    deployment.mend();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

  test('whoever is on the way to another page gets there, and is not brought back @slow', async ({
    page,
    deployment,
  }) => {
    await page.goto(`${deployment.origin}/`);
    await page.waitForFunction(() => 'hydrated' in document.documentElement.dataset);
    deployment.lose(/^\/assets\/.*\.js$/);
    const missing = page.waitForEvent('console', { predicate: (message) => message.text().includes('404') });
    let answer = () => {};
    const late = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/privacy', async (route) => {
      await late;
      await route.continue();
    });
    await page.evaluate(() => {
      location.assign('/privacy');
      // what may be tapped next is fetched ahead
      setTimeout(() => document.querySelector<HTMLElement>('header a[href="/help"]')?.focus());
    });
    await missing;
    // as long as the page asks whether there is a network
    await page.waitForTimeout(500);
    deployment.mend();
    answer();
    await page.waitForURL(/\/privacy$/);
    await expect(page.getByRole('heading', { level: 1, name: /privacy/i })).toBeVisible();
  });
});
