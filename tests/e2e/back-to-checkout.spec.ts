import type { Page } from '@playwright/test';
import { pay } from '#contract/index.ts';
import { readBooks } from '#tests/fixtures/books.ts';
import { alive, chooseMethod, fillCard, nextButton, pressAtBank, readyToPay, visit } from '#tests/fixtures/checkout.ts';
import { buyByCard, cards } from '#tests/fixtures/customer.ts';
import { expect, test } from '#tests/fixtures/test.ts';

const address = '/payment?planId=301';
const received = (page: Page) => page.getByRole('heading', { name: 'Payment received' });
const justPaid = (page: Page) => page.getByRole('dialog', { name: 'You paid for this plan a few minutes ago' });
const arrived = { timeout: 20_000 };

test('after a card is paid, Back leads to the result as often as it is pressed, and a reload stays there', async ({
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
  await alive(page);
  await chooseMethod(page, 'card');
  // Forth and back once more: each leaves another page behind.
  await page.getByRole('button', { name: 'Change' }).click();
  await chooseMethod(page, 'card');
  await fillCard(page);
  await nextButton(page).click();
  await expect(received(page)).toBeVisible(arrived);
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

test('who comes back from the bank’s question and presses Back does not meet the checkout either @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await readyToPay(page, address, cards.challenge);
  await nextButton(page).click();
  await page.waitForURL(/\/sandbox\//);
  await pressAtBank(page, 'Approve');
  await expect(received(page)).toBeVisible(arrived);
  // by the entries of this site; the bank's own page is between them
  await page.evaluate(() => history.go(-3));
  await expect(page).toHaveURL(/\/paymentResult\?/);
  await expect(received(page)).toBeVisible(arrived);
});

test('a checkout that is opened anew for a plan paid just now says so first, and leads to the payment @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  const { orderId } = await buyByCard(customer, '301');
  await beSignedIn(page, customer);
  await visit(page, address);
  await expect(justPaid(page)).toBeVisible();
  await justPaid(page).getByRole('button', { name: 'Do not pay again' }).click();
  await expect(page).toHaveURL(new RegExp(`/paymentResult\\?orderId=${orderId}`));
  await expect(received(page)).toBeVisible();
  // The one who does want it twice is not in the way of anything.
  await visit(page, address);
  await justPaid(page).getByRole('button', { name: 'Pay once more' }).click();
  await chooseMethod(page, 'card');
  await fillCard(page);
  await nextButton(page).click();
  await expect(received(page)).toBeVisible(arrived);
});

test('a checkout in a second tab says that the plan is paid as soon as somebody looks at it @slow', async ({
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
  await expect(received(page)).toBeVisible(arrived);
  await other.bringToFront();
  await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await expect(justPaid(other)).toBeVisible();
  await justPaid(other).getByRole('button', { name: 'Do not pay again' }).click();
  await expect(received(other)).toBeVisible();
});
