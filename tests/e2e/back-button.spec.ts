/// <reference lib="dom" />
import { findChromium } from '../../.scripts/chromium.ts';
import { alive, readyToPay, visit } from '#tests/fixtures/checkout.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { watchPixels } from '#tests/fixtures/private-pixels.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { waitForWorker } from '#tests/fixtures/worker-ready.ts';

test.use({ serviceWorkers: 'allow' });
// one worker for both, because each would start a shop and a whole Chromium
test.describe.configure({ mode: 'default' });

// Playwright switches off what keeps a page as it was for the Back button, and Chromium's shell has no such thing.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({
      ...launchOptions,
      executablePath: findChromium({ whole: true }) ?? '',
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    }),
  // another site has no icon
  expectedErrors: /status of 404/,
});

test('a page that the browser has kept for the Back button shows nothing of who has logged out since @slow', async ({
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
  // a worker that becomes active meanwhile lets go of every page that is kept
  await waitForWorker(page, 'en');
  await page.waitForLoadState('networkidle');
  await page.evaluate((to) => location.assign(to), `http://127.0.0.1:${server.port}/readyz`);
  await page.waitForURL(/readyz/);
  const other = await context.newPage();
  await visit(other, '/account');
  await other.getByRole('button', { name: 'Log out' }).click();
  await expect(other).toHaveURL('/');

  // not `goBack`, which waits for a page that loads
  await page.evaluate(() => void setTimeout(() => history.back()));
  await page.waitForURL(/\/login\?return=%2Forders/);
  await alive(page);
  expect(await seen()).toEqual([]);
});

test('a checkout that the browser has kept for the Back button hears that its plan was paid meanwhile @slow', async ({
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
  const told = page.getByRole('dialog', { name: 'You paid for this plan a few minutes ago' });
  await expect(told).toBeVisible();
  // it was that very page, as it had been left
  await expect(page.locator('html')).toHaveAttribute('data-kept', 'true');
  await told.getByRole('button', { name: 'Do not pay again' }).click();
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
});
