import type { Page } from '@playwright/test';
import { goodsValuation, pay } from '#contract/index.ts';
import { readBooks } from '#tests/fixtures/books.ts';
import { nextButton, readyToPay } from '#tests/fixtures/checkout.ts';
import type { Customer } from '#tests/fixtures/customer.ts';
import type { ShopOnPostgres } from '#tests/fixtures/shop-on-postgres.ts';
import { expect, test } from '#tests/fixtures/test.ts';

test.use({ serviceWorkers: 'allow' });

const address = '/payment?planId=301';
const received = (page: Page) => page.getByRole('heading', { name: 'Payment received' });
const checking = (page: Page) => page.getByText('We are checking your payment. Do not pay again.');
const longTimeout = { timeout: 45_000 };

/** Checks the records of the server and of the bank once all requests have ended. */
async function expectOneCharge(server: ShopOnPostgres, customer: Customer): Promise<void> {
  const { orders, attempts, ledger, charges } = await readBooks(server, customer);
  expect(orders.map(({ status, total }) => [status, total])).toEqual([['PAYMENT_SUCCEEDED', 3490]]);
  expect(attempts.map(({ state }) => state)).toEqual(['SUCCEEDED']);
  expect(ledger.map(({ kind, amount }) => [kind, amount])).toEqual([['capture', 3490]]);
  expect(charges.map(({ status, amount }) => [status, amount])).toEqual([['paid', 3490]]);
}

test.describe.configure({ timeout: 120_000 });
test.use({ expectedErrors: /net::ERR_|Failed to load resource/ });

test.beforeEach(async ({ page, customer, beSignedIn }) => beSignedIn(page, customer));

test('a double tap pays once', async ({ page, cutter, server, customer }) => {
  await readyToPay(page, cutter.origin + address);
  await nextButton(page).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
    button.form?.requestSubmit();
  });
  await expect(received(page)).toBeVisible(longTimeout);
  await page.close();
  expect(cutter.reached(pay.path)).toBe(1);
  await expectOneCharge(server, customer);
});

test('a reload during a payment pays once, and the customer sees the outcome @slow', async ({
  page,
  cutter,
  server,
  customer,
}) => {
  await readyToPay(page, cutter.origin + address);
  const release = cutter.hold(pay.path);
  const sent = page.waitForRequest((request) => request.url().endsWith(pay.path));
  await nextButton(page).click();
  await sent;
  await page.reload();
  await expect(checking(page)).toBeVisible(longTimeout);
  release();
  await expect(received(page)).toBeVisible(longTimeout);
  await page.close();
  await expectOneCharge(server, customer);
});

test('two tabs that pay for the same plan at the same time pay once @slow', async ({
  page,
  context,
  cutter,
  server,
  customer,
}) => {
  const other = await context.newPage();
  await readyToPay(page, cutter.origin + address);
  await readyToPay(other, cutter.origin + address);
  await Promise.all([page, other].map((tab) => nextButton(tab).click()));
  for (const tab of [page, other]) {
    // A tab that pays while the bank still processes the other payment offers to check that one.
    const check = tab.getByRole('button', { name: 'Check payment' });
    const outcome = received(tab).or(tab.getByText('You paid for this plan a few minutes ago'));
    await expect(outcome.or(check).first()).toBeVisible(longTimeout);
    if (!(await check.isVisible())) continue;
    await check.click();
    await expect(received(tab)).toBeVisible(longTimeout);
  }
  await page.close();
  await other.close();
  await expectOneCharge(server, customer);
});

test('a second tab that pays later shows that the plan is already paid @slow', async ({
  page,
  context,
  cutter,
  server,
  customer,
}) => {
  const other = await context.newPage();
  await readyToPay(page, cutter.origin + address);
  await readyToPay(other, cutter.origin + address);
  await nextButton(page).click();
  await expect(received(page)).toBeVisible(longTimeout);
  await nextButton(other).click();
  await expect(other.getByText('You paid for this plan a few minutes ago')).toBeVisible(longTimeout);
  await other.getByRole('button', { name: 'Don’t pay again' }).click();
  await page.close();
  await other.close();
  await expectOneCharge(server, customer);
});

test('a connection that is cut after the charge pays once', async ({ page, cutter, server, customer }) => {
  await readyToPay(page, cutter.origin + address);
  cutter.cutAfter(pay.path);
  await nextButton(page).click();
  await expect(checking(page)).toBeVisible(longTimeout);
  cutter.mend();
  await expect(received(page)).toBeVisible(longTimeout);
  expect(cutter.cuts()).toBeGreaterThan(0);
  await page.close();
  await expectOneCharge(server, customer);
});

test('a connection that is cut before the request arrives pays once, after it is restored @slow', async ({
  page,
  cutter,
  server,
  customer,
}) => {
  await readyToPay(page, cutter.origin + address);
  cutter.cutBefore(pay.path);
  await nextButton(page).click();
  await expect(checking(page)).toBeVisible(longTimeout);
  expect(cutter.reached(pay.path)).toBe(0);
  cutter.mend();
  await expect(received(page)).toBeVisible(longTimeout);
  await page.close();
  await expectOneCharge(server, customer);
});

test('a customer who stops waiting is informed whether anything was sent, and pays once @slow', async ({
  page,
  cutter,
  server,
  customer,
}) => {
  await readyToPay(page, cutter.origin + address);
  const releasePrice = cutter.holdAnswer(goodsValuation.path);
  await nextButton(page).click();
  await expect(page.getByText('Nothing has been sent yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByText('nothing was sent')).toBeVisible();
  releasePrice();
  expect(cutter.reached(pay.path)).toBe(0);

  const releaseAnswer = cutter.holdAnswer(pay.path);
  await nextButton(page).click();
  await expect(page.getByText('Your payment was sent and may have arrived')).toBeVisible();
  await page.getByRole('button', { name: 'Stop waiting' }).click();
  // The response never arrives. The page requests the status of the payment instead.
  await expect(checking(page).or(received(page)).first()).toBeVisible();
  await expect(received(page)).toBeVisible(longTimeout);
  releaseAnswer();
  await page.close();
  expect(cutter.reached(pay.path)).toBe(1);
  await expectOneCharge(server, customer);
});

test('a server that is killed right after the charge restarts with one charge @slow', async ({
  page,
  cutter,
  server,
  customer,
}) => {
  await readyToPay(page, cutter.origin + address);
  cutter.cutAfter(pay.path);
  await nextButton(page).click();
  await expect.poll(() => cutter.cuts(), longTimeout).toBeGreaterThan(0);
  await server.kill9();
  cutter.mend();
  await expect(checking(page)).toBeVisible(longTimeout);
  await server.restart();
  await expect(received(page)).toBeVisible({ timeout: 60_000 });
  await page.close();
  await expectOneCharge(server, customer);
});
