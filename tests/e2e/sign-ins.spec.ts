/// <reference lib="dom" />
import type { Browser, Page } from '@playwright/test';
import { orders } from '#contract/index.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import type { Customer } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';
import { expect, test } from '#tests/fixtures/test.ts';

// Expected refusals: a phone that was signed out, a refused code, a second email too soon.
test.use({ expectedErrors: /status of (401|422|429)/ });

/** Opens another phone of the same customer and logs in there. */
async function openOtherPhone(browser: Browser, origin: string, logIn: (page: Page) => Promise<void>): Promise<Page> {
  const page = await browser.newPage();
  await visit(page, `${origin}/login?language=en`);
  await logIn(page);
  return page;
}

const isSessionValid = (origin: string, { token }: Pick<Customer, 'token'>) =>
  callShop(origin, orders, { body: { page: 1, size: 1 } }, { token }).then(
    () => true,
    () => false,
  );

test('a customer signs out a lost phone from another one, and then every other device @slow', async ({
  page,
  browser,
  server,
  customer,
  logIn,
}) => {
  const lost = await openOtherPhone(browser, server.origin, (phone) => logIn(phone, customer));
  await visit(page, '/login');
  await logIn(page, customer);
  await visit(page, '/account');
  const rows = page.getByRole('region', { name: 'Recent logins' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: 'This device' }).getByRole('button')).toHaveCount(0);
  await expectNoFaults(page);

  const signOut = rows.nth(1).getByRole('button', { name: /^Log out/ });
  await signOut.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(signOut).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Log out this device' }).click();
  await expect(signOut).toHaveCount(0);
  await visit(lost, `${server.origin}/orders`);
  await lost.waitForURL(/\/login/);
  await lost.close();

  expect(await isSessionValid(server.origin, customer)).toBe(true);
  await page.getByRole('button', { name: 'Log out other devices' }).click();
  await page.getByRole('button', { name: 'Log out all others' }).click();
  await expect(page.getByRole('button', { name: 'Log out other devices' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Recent logins' })).toBeFocused();
  expect(await isSessionValid(server.origin, customer)).toBe(false);
  await page.reload();
  await expect(rows.filter({ hasText: 'This device' })).toHaveCount(1);
});

test.describe('on a desktop, with only a keyboard', () => {
  test.use(desktop);

  test('a customer signs a device out after reading what that means', async ({ page, customer, logIn }) => {
    await visit(page, '/login');
    await logIn(page, customer);
    await visit(page, '/account');
    await page.getByRole('button', { name: /^Log out Unknown device/ }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
    await expectNoFaults(page);
    await dialog.getByRole('button', { name: 'Log out this device' }).focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Recent logins' })).toBeFocused();
  });
});
