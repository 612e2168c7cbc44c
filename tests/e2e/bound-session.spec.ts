/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { orders } from '#contract/index.ts';
import * as v from 'valibot';
import { userInfoSchema } from '#contract/user.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';
import { expect, test } from '#tests/fixtures/test.ts';

// a refused token
test.use({ expectedErrors: /status of 401/ });

/** The session as the storefront stores it. */
async function tokenOf(page: Page): Promise<string> {
  const stored = await page.evaluate(() => localStorage.getItem('marquee.me.userInfo'));
  return v.parse(userInfoSchema, JSON.parse(stored ?? '')).token;
}

/** Runs in the page: removes the key of the browser, as when a phone is short of storage. */
async function dropKey(): Promise<void> {
  const request = indexedDB.open('keyval-store');
  await new Promise((resolve) => request.addEventListener('success', resolve));
  const change = request.result.transaction('keyval', 'readwrite');
  change.objectStore('keyval').delete('marquee.site.key');
  await new Promise((resolve) => change.addEventListener('complete', resolve));
}

const seesOrders = (page: Page) => expect(page.getByRole('heading', { level: 1 })).toHaveText('Orders');

test('a stolen token is useless outside of the browser that logged in', async ({
  page,
  context,
  server,
  customer,
  logIn,
}) => {
  await visit(page, `${server.origin}/login?return=%2Forders`);
  await logIn(page, customer);
  await seesOrders(page);
  const stolen = callShop(server.origin, orders, { body: { page: 1, size: 1 } }, { token: await tokenOf(page) });
  await expect(stolen).rejects.toThrow('21');

  // after a reload and in another tab the browser still has its key
  await page.reload();
  await seesOrders(page);
  const tab = await context.newPage();
  await visit(tab, `${server.origin}/account`);
  await expect(tab.getByText('Recent logins')).toBeVisible();

  // without it the customer logs in again and gets back to the same page
  await page.evaluate(dropKey);
  await page.reload();
  await expect(page.getByText('Please log in again')).toBeVisible();
  await logIn(page, customer);
  await seesOrders(page);
});

test('a phone whose clock is wrong logs in and stays logged in', async ({ page, server, customer, logIn }) => {
  for (const days of [-400, 3]) {
    await page.clock.setSystemTime(Date.now() + days * 86_400_000);
    await visit(page, `${server.origin}/login?return=%2Forders`);
    await logIn(page, customer);
    await seesOrders(page);
    await page.reload();
    await seesOrders(page);
    await visit(page, `${server.origin}/account`);
    await page.getByRole('main').getByRole('button', { name: 'Log out', exact: true }).click();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible();
  }
});
