import type { Page } from '@playwright/test';
import { orders, queryInfo } from '#contract/index.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { browserStorageOf, type Kept } from '#tests/fixtures/browser-storage.ts';
import { waitForIdle } from '#tests/fixtures/idle.ts';
import { expect, test } from '#tests/fixtures/test.ts';

// After the clock of a phone was changed, its proofs are refused once, until it knows the time of the server again.
test.use({ serviceWorkers: 'allow', expectedErrors: /status of 401/ });

async function logOut(page: Page): Promise<void> {
  await page.goto('/account');
  await tapLogOut(page);
}

async function tapLogOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page).toHaveURL(({ pathname }) => pathname === '/');
  const personal = async () => (await browserStorageOf(page)).keys.filter((key) => key.startsWith('marquee.me.'));
  await expect.poll(personal).toEqual([]);
}

test('after logout no data of the customer is left on the phone', async ({ page, cutter, customer, logIn }) => {
  const { orderId, resultToken } = await buyByCard(customer, '101');
  await page.goto(`${cutter.origin}/login`);
  await logIn(page, customer);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  for (const path of [
    '/orders',
    '/account',
    `/receipt?orderId=${orderId}`,
    `/paymentResult?orderId=${orderId}`,
    '/payment?planId=102',
  ]) {
    await page.goto(cutter.origin + path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await page.waitForLoadState('networkidle');
  }
  const secrets = [customer.account, customer.uid, customer.token, orderId, resultToken];
  const secretsIn = ({ text }: Kept) => secrets.filter((secret) => text.includes(secret));
  expect(secretsIn(await browserStorageOf(page)), 'the search would find what is kept').not.toEqual([]);

  // A day later, the account page fetches the orders ahead again. No page is open while the clock changes, or its own
  // fetch would be the one that is awaited.
  await page.goto('about:blank');
  await page.clock.setSystemTime(Date.now() + 25 * 60 * 60 * 1000);
  const release = cutter.holdAnswer(orders.path);
  const asked = page.waitForRequest((request) => request.url().endsWith(orders.path));
  await page.goto(`${cutter.origin}/account`);
  const request = await asked;
  await tapLogOut(page);
  await expect.poll(async () => secretsIn(await browserStorageOf(page))).toEqual([]);
  release();
  await request.response();
  await waitForIdle(page);

  const after = await browserStorageOf(page);
  expect(secretsIn(after)).toEqual([]);
  expect(after.keys.filter((key) => key.includes('marquee.me.'))).toEqual([]);
  expect(await page.content()).not.toContain(customer.account);
});

test('"Log out" is visible before the account has loaded, and does not move @slow', async ({
  page,
  cutter,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  const release = cutter.hold(queryInfo.path);
  await visit(page, `${cutter.origin}/account`);
  const logOutButton = page.getByRole('button', { name: 'Log out', exact: true });
  await expect(logOutButton).toBeVisible();
  const place = await logOutButton.boundingBox();
  release();
  for (const name of ['Your details', 'Saved cards', 'Your TVs'])
    await expect(page.getByRole('heading', { name })).toBeVisible();
  expect(await logOutButton.boundingBox()).toEqual(place);
  await logOutButton.click();
  await expect(page).toHaveURL(`${cutter.origin}/`);
});

test('after logout, going back shows no data of the customer, and the token is invalid', async ({
  page,
  customer,
  logIn,
}) => {
  await buyByCard(customer, '101');
  await page.goto('/login');
  await logIn(page, customer);
  await page.goto('/orders');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const token = /token\\?":\\?"([\w-]+)/.exec((await browserStorageOf(page)).text)?.[1];
  await logOut(page);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  await expect(page.getByText(customer.account)).toHaveCount(0);
  const answer = await page.request.post('/api/bill/orders/v1', {
    data: { page: 1, size: 10 },
    headers: { authorization: token ?? '' },
  });
  expect(token).toBeTruthy();
  expect(answer.status()).toBe(401);
});

test('data of one customer is not shown to the next customer of the phone @slow', async ({
  page,
  customer,
  registerAt,
  logIn,
  server,
}) => {
  const { orderId } = await buyByCard(customer, '101');
  await page.goto('/login');
  await logIn(page, customer);
  await page.goto('/orders');
  await expect(page.getByText(orderId, { exact: true })).toBeVisible();
  await logOut(page);
  const next = await registerAt(server.origin);
  await page.goto('/login');
  await logIn(page, next);
  await page.goto('/orders');
  await expect(page.getByText('You have no orders yet')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(page.getByText(orderId)).toHaveCount(0);
});
