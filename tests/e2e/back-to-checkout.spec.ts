import type { Page } from '@playwright/test';
import { pay } from '#contract/index.ts';
import { readBooks } from '#tests/fixtures/books.ts';
import {
  waitForHydration,
  chooseMethod,
  fillCard,
  nextButton,
  pressAtBank,
  readyToPay,
  visit,
} from '#tests/fixtures/checkout.ts';
import { buyByCard, cards } from '#tests/fixtures/customer.ts';
import { expect, test } from '#tests/fixtures/test.ts';

const address = '/payment?planId=301';
const received = (page: Page) => page.getByRole('heading', { name: 'Payment received' });
const justPaid = (page: Page) => page.getByRole('dialog', { name: 'You paid for this plan a few minutes ago' });
const paymentTimeout = { timeout: 20_000 };

test('after a card payment, Back always leads to the result, and a reload stays there', async ({
  page,
  context,
  server,
  customer,
  beSignedIn,
}) => {
  let sent = 0;
  context.on('request', (request) => (sent += Number(request.url().endsWith(pay.path))));
  await beSignedIn(page, customer);
  await visit(page, `${server.origin}/plan-details/301`);
  await page.getByRole('link', { name: 'Buy now' }).filter({ visible: true }).click();
  await expect(page).toHaveURL(/\/payment\?/);
  await waitForHydration(page);
  await chooseMethod(page, 'card');
  // Changing the method and choosing it again adds another history entry.
  await page.getByRole('button', { name: 'Change' }).click();
  await chooseMethod(page, 'card');
  await fillCard(page);
  await nextButton(page).click();
  await expect(received(page)).toBeVisible(paymentTimeout);
  for (const press of [1, 2, 3]) {
    await page.goBack();
    await expect(received(page), `Back, ${press}`).toBeVisible();
    await expect(page, `Back, ${press}`).toHaveURL(/\/paymentResult\?/);
    await expect(nextButton(page)).toHaveCount(0);
  }
  await page.reload();
  await expect(received(page)).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/plan-details\/301/);
  await page.close();
  expect(sent).toBe(1);
  const { orders, charges } = await readBooks(server, customer);
  expect(orders).toHaveLength(1);
  expect(charges).toHaveLength(1);
});

test('after the card verification of the bank, Back does not lead to the checkout @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await readyToPay(page, address, cards.challenge);
  await nextButton(page).click();
  await page.waitForURL(/\/sandbox\//);
  await pressAtBank(page, 'Approve');
  await expect(received(page)).toBeVisible(paymentTimeout);
  // Counted in history entries: the page of the bank is between those of this site.
  await page.evaluate(() => history.go(-3));
  await expect(page).toHaveURL(/\/paymentResult\?/);
  await expect(received(page)).toBeVisible(paymentTimeout);
});

test('a checkout opened for a plan that was just paid says so first, and leads to the payment @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  const { orderId } = await buyByCard(customer, '301');
  await beSignedIn(page, customer);
  await visit(page, address);
  await expect(justPaid(page)).toBeVisible();
  await justPaid(page).getByRole('button', { name: 'Don’t pay again' }).click();
  await expect(page).toHaveURL(new RegExp(`/paymentResult\\?orderId=${orderId}`));
  await expect(received(page)).toBeVisible();
  // A customer who wants the plan twice can still buy it.
  await visit(page, address);
  await justPaid(page).getByRole('button', { name: 'Pay again', exact: true }).click();
  await chooseMethod(page, 'card');
  await fillCard(page);
  await nextButton(page).click();
  await expect(received(page)).toBeVisible(paymentTimeout);
});

test('a checkout in a second tab says that the plan is paid as soon as the tab is visible @slow', async ({
  page,
  context,
  customer,
  logIn,
}) => {
  await page.goto('/login');
  await logIn(page, customer);
  const other = await context.newPage();
  await readyToPay(other, address);
  await readyToPay(page, address);
  await nextButton(page).click();
  await expect(received(page)).toBeVisible(paymentTimeout);
  await other.bringToFront();
  await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await expect(justPaid(other)).toBeVisible();
  await justPaid(other).getByRole('button', { name: 'Don’t pay again' }).click();
  await expect(received(other)).toBeVisible();
});
