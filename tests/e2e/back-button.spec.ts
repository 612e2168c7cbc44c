/// <reference lib="dom" />
import { findChromium } from '#scripts/chromium.ts';
import { waitForHydration, readyToPay, visit } from '#tests/fixtures/checkout.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { watchPixels } from '#tests/fixtures/private-pixels.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { waitForWorker } from '#tests/fixtures/worker-ready.ts';

test.use({ serviceWorkers: 'allow' });
// One worker for both tests: each would start a server and a full Chromium.
test.describe.configure({ mode: 'default' });

// Playwright disables the back/forward cache, and the headless shell does not have one.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({
      ...launchOptions,
      executablePath: findChromium({ whole: true }) ?? '',
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    }),
  // The other site has no icon.
  expectedErrors: /status of 404/,
});

test('a page restored from the back/forward cache shows no data of a customer who has logged out @slow', async ({
  page,
  context,
  customer,
  logIn,
  server,
}) => {
  const { orderId } = await buyByCard(customer, '101');
  await visit(page, '/login');
  await logIn(page, customer);
  await visit(page, '/orders');
  const seen = await watchPixels(page, [customer.account, orderId]);
  await expect(page.getByText(orderId, { exact: true }).first()).toBeVisible();
  // A worker that activates in the meantime would evict every page from the cache.
  await waitForWorker(page, 'en');
  await page.waitForLoadState('networkidle');
  await page.evaluate((to) => location.assign(to), `http://127.0.0.1:${server.port}/readyz`);
  await page.waitForURL(/readyz/);
  const other = await context.newPage();
  await visit(other, '/account');
  await other.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(other).toHaveURL('/');

  // `goBack` waits for a page load, which a restored page does not have.
  await page.evaluate(() => void setTimeout(() => history.back()));
  await page.waitForURL(/\/login\?return=%2Forders/);
  await waitForHydration(page);
  expect(await seen()).toEqual([]);
});

test('a checkout restored from the back/forward cache shows that its plan was paid in the meantime @slow', async ({
  page,
  customer,
  logIn,
  server,
}) => {
  await visit(page, '/login');
  await logIn(page, customer);
  await readyToPay(page, '/payment?planId=301');
  await waitForWorker(page, 'en');
  await page.evaluate(() => {
    addEventListener('pageshow', (event) => (document.documentElement.dataset['kept'] = String(event.persisted)));
  });
  await page.evaluate((to) => location.assign(to), `http://127.0.0.1:${server.port}/readyz`);
  await page.waitForURL(/readyz/);
  await buyByCard(customer, '301');
  await page.evaluate(() => void setTimeout(() => history.back()));
  const dialog = page.getByRole('dialog', { name: 'You paid for this plan a few minutes ago' });
  await expect(dialog).toBeVisible();
  // The page was restored, not loaded again.
  await expect(page.locator('html')).toHaveAttribute('data-kept', 'true');
  await dialog.getByRole('button', { name: 'Don’t pay again' }).click();
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
});
