import type { Page } from '@playwright/test';
import { maskAccount } from '#contract/mask.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { freshAccount } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { scan } from '#tests/fixtures/mail-scanner.ts';
import { codeTo, messagesTo, linkTo } from '#tests/fixtures/outbox.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const newPassword = 'another song of two rivers';

// The tests use an invalid link, a wrong code and an ended session. The browser itself may send the request for an
// email twice when a connection drops.
test.use({ expectedErrors: /status of (4(00|01|10) |429 .*resetPasswordByEmail)/ });

/**
 * Requests the link and returns the whole message without the address in it, so that a difference in one letter is
 * found.
 */
async function requestLink(page: Page, account: string): Promise<string> {
  await field(page, 'account').fill(account);
  await button(page, 'Send me a link').click();
  const message = page.getByRole('status').filter({ hasText: account });
  await expect(message).toBeVisible();
  return (await message.innerText()).replace(account, '…');
}

test('the link of an email changes a forgotten password once, and signs out every device @slow', async ({
  page,
  browser,
  server,
  customer,
  logIn,
}) => {
  test.setTimeout(90_000);
  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto('/login?return=%2Faccount');
  await logIn(elsewhere, customer);
  await expect(elsewhere.getByRole('main')).toContainText(customer.account);

  // The page does not reveal whether an account exists. The address typed at the login is filled in.
  await visit(page, '/login');
  await field(page, 'account').fill(customer.account);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Reset your password' })).toBeVisible();
  await expect(field(page, 'account')).toHaveValue(customer.account);
  const unknownAccount = freshAccount();
  const unknownMessage = await requestLink(page, unknownAccount);
  await expect(button(page, 'Send again in 1:00').or(page.getByRole('button', { name: /0:\d\d/ }))).toBeDisabled();
  await page.getByRole('button', { name: 'Use another address' }).click();
  expect(await requestLink(page, customer.account)).toBe(unknownMessage);
  await expectNoFaults(page);
  const link = await linkTo(server.origin, customer.account, '/resetPassword');
  expect(await messagesTo(server.origin, unknownAccount)).toEqual([]);

  // A mail scanner that opens the link does not consume it.
  expect(await scan(link)).toEqual([200, 200, 200]);
  await visit(page, link);
  await expect(page, 'the token is out of the address').toHaveURL('/reset-password?language=en');
  await expect(page.getByText(maskAccount(customer.account))).toBeVisible();
  await field(page, 'password').fill('short');
  await field(page, 'repeated').fill('other');
  await button(page, 'Change password').click();
  await expect(field(page, 'password')).toHaveAccessibleDescription('Password has to be at least 6 characters long');
  await expect(field(page, 'repeated')).toHaveAccessibleDescription('Passwords do not match');
  await expectNoFaults(page);
  await field(page, 'password').fill(newPassword);
  await field(page, 'repeated').fill(newPassword);
  await button(page, 'Change password').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your password was changed');
  await expectNoFaults(page);

  // the other device may have found out by itself
  const loginAgain = elsewhere.getByText('Please log in again');
  await elsewhere.getByRole('link', { name: 'Orders' }).or(loginAgain).first().click();
  await expect(elsewhere).toHaveURL(/\/login/);
  await expect(loginAgain).toBeVisible();
  await elsewhere.context().close();

  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await expect(field(page, 'account')).toHaveValue(customer.account);
  await logIn(page, { account: customer.account, password: newPassword });
  await page.getByRole('main').getByText(customer.account).waitFor();

  // The same link again, while signed in.
  await visit(page, link);
  await expect(page.getByRole('alert').filter({ hasText: 'This link is no longer available' })).toBeVisible();
  await expectNoFaults(page);
  await page.getByRole('link', { name: 'Send a new link' }).click();
  await expect(page).toHaveURL('/forgot-password');
  await expect(button(page, `Send a link to ${maskAccount(customer.account)}`)).toBeVisible();
});

test('a code changes a forgotten password, in Russian', async ({ page, server, registerAt, logIn }) => {
  const origin = server.brandOrigin('mego');
  const t = await loadTranslate('ru');
  const customer = await registerAt(origin);
  await visit(page, `${origin}/forgot-password?language=ru&return=%2Fplan-details%2F201`);
  await field(page, 'account').fill(customer.account);
  await button(page, t('Send me a code')).click();
  await expect(page).toHaveURL(/\/reset-password/);
  await expect(page.getByRole('main')).toContainText(customer.account);
  await expect(field(page, 'code')).toBeFocused();
  await expectNoFaults(page);
  const code = await codeTo(origin, customer.account);
  await page.keyboard.type(code === '0000' ? '1111' : '0000');

  // The last digit expands the password fields. Back collapses them without losing anything.
  await expect(field(page, 'password')).toBeFocused();
  await page.keyboard.type(newPassword);
  await field(page, 'repeated').fill(newPassword);
  await expect(field(page, 'code')).toHaveValue(/^(0000|1111)$/);
  await page.goBack();
  await expect(field(page, 'password')).toBeHidden();
  await expect(field(page, 'code')).toHaveValue(/^(0000|1111)$/);
  await button(page, t('Continue')).click();
  await expect(field(page, 'repeated')).toHaveValue(newPassword);
  await expectNoFaults(page);
  await button(page, t('Change password')).click();
  await expect(field(page, 'code')).toHaveAccessibleDescription(/2 попытки/);
  await expect(field(page, 'code')).toBeFocused();
  await page.keyboard.type(code);
  await expect(field(page, 'password')).toHaveValue(newPassword);
  await button(page, t('Change password')).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('Your password was changed'));
  await page
    .getByRole('main')
    .getByRole('link', { name: t('Log in') })
    .click();
  await logIn(page, { account: customer.account, password: newPassword });
  await expect(page).toHaveURL(`${origin}/plan-details/201`);
});
