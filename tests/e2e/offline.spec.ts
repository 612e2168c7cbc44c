import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/test.ts';
import { keptPaths, waitForWorker } from '../fixtures/worker-ready.ts';
import { registerCustomer } from '../fixtures/customer.ts';

// A story without network is full of requests that fail.
test.use({
  expectedErrors:
    /net::ERR_(CONNECTION_REFUSED|INTERNET_DISCONNECTED|FAILED|CONNECTION_RESET|EMPTY_RESPONSE)|network unreachable/,
});

const savedCopy = /Saved copy from .*20\d\d/;
const prices = (page: Page) => page.getByText(/R\$/).filter({ visible: true });
const retry = /try again|retry/i;

test('in the tunnel the shop opens and shows its plans from the saved copy, with its time', async ({
  page,
  context,
  server,
}) => {
  await page.goto(`${server.origin}/pricing-table`);
  await waitForWorker(page, 'en');
  const price = await prices(page).first().innerText();
  await expect(page.getByText(savedCopy)).toHaveCount(0);

  await context.setOffline(true);
  await page.goto(`${server.origin}/pricing-table`);
  await expect(prices(page).first()).toHaveText(price);
  await expect(page.getByText(savedCopy)).toBeVisible();

  await context.setOffline(false);
  await expect(page.getByText(savedCopy)).toHaveCount(0, { timeout: 45_000 });
});

test('the shop is down: the app starts, a customer sees what happened, and it comes back by itself', async ({
  page,
  ownServer,
  logIn,
}) => {
  const customer = await registerCustomer(ownServer.origin);
  await page.goto(`${ownServer.origin}/login`);
  await logIn(page, customer);
  await page.goto(`${ownServer.origin}/help`);
  await waitForWorker(page, 'en');

  await ownServer.kill9();
  await page.goto(`${ownServer.origin}/orders`);
  await expect(page.getByRole('button', { name: retry }).first()).toBeVisible({ timeout: 20_000 });
  expect(await page.evaluate(() => navigator.onLine)).toBe(true);
  await page.getByRole('button', { name: retry }).first().click();
  await expect(page.getByRole('button', { name: retry }).first()).toBeVisible({ timeout: 20_000 });

  await ownServer.restart();
  await expect(page.getByRole('button', { name: retry })).toHaveCount(0, { timeout: 45_000 });
  await expect(page).toHaveURL(/\/(orders|account)/);
});

test('a customer without network still sees what the plans cost a visitor, and when that was', async ({
  page,
  ownServer,
  logIn,
}) => {
  const customer = await registerCustomer(ownServer.origin);
  await page.goto(`${ownServer.origin}/login`);
  await logIn(page, customer);
  await page.goto(`${ownServer.origin}/pricing-table`);
  await waitForWorker(page, 'en');

  await ownServer.kill9();
  await page.goto(`${ownServer.origin}/pricing-table`);
  await expect(page.getByText(savedCopy)).toBeVisible({ timeout: 20_000 });
  await expect(prices(page).first()).toBeVisible();
});

test('a plan, the help and the privacy page were never opened and can be read all the same', async ({
  page,
  ownServer,
}) => {
  await page.goto(`${ownServer.origin}/`);
  await waitForWorker(page, 'en');
  await ownServer.kill9();
  for (const path of ['/plan-details/101', '/help', '/privacy', '/']) {
    await page.goto(ownServer.origin + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('button', { name: retry }), path).toHaveCount(0);
  }
});

test('nothing of a customer is ever in the caches of the worker', async ({ page, ownServer, logIn }) => {
  const customer = await registerCustomer(ownServer.origin);
  await page.goto(`${ownServer.origin}/login`);
  await logIn(page, customer);
  await page.goto(`${ownServer.origin}/help`);
  await waitForWorker(page, 'en');
  for (const path of ['/orders', '/pricing-table', '/payment?planId=101']) {
    await page.goto(ownServer.origin + path);
    await page.waitForLoadState('networkidle');
  }
  const personal = (await keptPaths(page)).filter((path) => /^\/api\/(?!site\/)/.test(path));
  expect(personal).toEqual([]);
});
