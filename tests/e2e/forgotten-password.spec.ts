import type { Page } from '@playwright/test';
import { maskAccount } from '#contract/mask.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { freshAccount } from '#tests/fixtures/customer.ts';
import { expectFine } from '#tests/fixtures/faults.ts';
import { scan } from '#tests/fixtures/mail-scanner.ts';
import { codeTo, messagesTo, linkTo } from '#tests/fixtures/outbox.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { wordsOf } from '#tests/fixtures/words.ts';

const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const newPassword = 'another song of two rivers';

// A link that is gone, a wrong code, a session that has ended; and a request for a mail that the browser itself has sent
// twice, as it may when a connection drops: to the reader it is one.
test.use({ expectedErrors: /status of (4(00|01|10) |429 .*resetPasswordByEmail)/ });

/** What a page says after the mail was asked for, without the address that it names: the whole of it, so that a typing mistake is seen. */
async function askForLink(page: Page, account: string): Promise<string> {
  await field(page, 'account').fill(account);
  await button(page, 'Send me a link').click();
  const told = page.getByRole('status').filter({ hasText: account });
  await expect(told).toBeVisible();
  return (await told.innerText()).replace(account, '…');
}

test('a forgotten password is changed by the link of a mail, once, and every device is signed out @slow', async ({
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

  // Nobody learns who has an account here, and the address that was typed goes along from the login.
  await visit(page, '/login');
  await field(page, 'account').fill(customer.account);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Reset your password' })).toBeVisible();
  await expect(field(page, 'account')).toHaveValue(customer.account);
  const stranger = freshAccount();
  const toStranger = await askForLink(page, stranger);
  await expect(button(page, 'Send again in 1:00').or(page.getByRole('button', { name: /0:\d\d/ }))).toBeDisabled();
  await page.getByRole('button', { name: 'Use another address' }).click();
  expect(await askForLink(page, customer.account)).toBe(toStranger);
  await expectFine(page);
  const link = await linkTo(server.origin, customer.account, '/resetPassword');
  expect(await messagesTo(server.origin, stranger)).toEqual([]);

  // A scanner of mails opens the link, and nothing happens.
  expect(await scan(link)).toEqual([200, 200, 200]);
  await visit(page, link);
  await expect(page, 'the token is out of the address').toHaveURL('/reset-password?language=en');
  await expect(page.getByText(maskAccount(customer.account))).toBeVisible();
  await field(page, 'password').fill('short');
  await field(page, 'repeated').fill('other');
  await button(page, 'Change password').click();
  await expect(field(page, 'password')).toHaveAccessibleDescription('Password has to be at least 6 characters long');
  await expect(field(page, 'repeated')).toHaveAccessibleDescription('Passwords do not match');
  await expectFine(page);
  await field(page, 'password').fill(newPassword);
  await field(page, 'repeated').fill(newPassword);
  await button(page, 'Change password').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your password is changed');
  await expectFine(page);

  await elsewhere.getByRole('link', { name: 'Orders' }).first().click();
  await expect(elsewhere).toHaveURL(/\/login/);
  await expect(elsewhere.getByText('Please log in again')).toBeVisible();
  await elsewhere.context().close();

  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await expect(field(page, 'account')).toHaveValue(customer.account);
  await logIn(page, { account: customer.account, password: newPassword });
  await page.getByRole('main').getByText(customer.account).waitFor();

  // The same link again, signed in as it is.
  await visit(page, link);
  await expect(page.getByRole('alert').filter({ hasText: 'This link is no longer available' })).toBeVisible();
  await expectFine(page);
  await page.getByRole('link', { name: 'Send a new link' }).click();
  await expect(page).toHaveURL('/forgot-password');
  await expect(button(page, `Send a link to ${maskAccount(customer.account)}`)).toBeVisible();
});

test('a forgotten password is changed by a code, in Russian', async ({ page, server, registerAt, logIn }) => {
  const origin = server.brandOrigin('mego');
  const t = await wordsOf('ru');
  const customer = await registerAt(origin);
  await visit(page, `${origin}/forgot-password?language=ru&return=%2Fplan-details%2F201`);
  await field(page, 'account').fill(customer.account);
  await button(page, t('Send me a code')).click();
  await expect(page).toHaveURL(/\/reset-password/);
  await expect(page.getByRole('main')).toContainText(customer.account);
  await expect(field(page, 'code')).toBeFocused();
  await expectFine(page);
  const code = await codeTo(origin, customer.account);
  await page.keyboard.type(code === '0000' ? '1111' : '0000');

  // The last digit unfolds the password below it, and Back folds it up, without a loss.
  await expect(field(page, 'password')).toBeFocused();
  await page.keyboard.type(newPassword);
  await field(page, 'repeated').fill(newPassword);
  await expect(field(page, 'code')).toHaveValue(/^(0000|1111)$/);
  await page.goBack();
  await expect(field(page, 'password')).toBeHidden();
  await expect(field(page, 'code')).toHaveValue(/^(0000|1111)$/);
  await button(page, t('Continue')).click();
  await expect(field(page, 'repeated')).toHaveValue(newPassword);
  await expectFine(page);
  await button(page, t('Change password')).click();
  await expect(field(page, 'code')).toHaveAccessibleDescription(/2 попытки/);
  await expect(field(page, 'code')).toBeFocused();
  await page.keyboard.type(code);
  await expect(field(page, 'password')).toHaveValue(newPassword);
  await button(page, t('Change password')).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('Your password is changed'));
  await page
    .getByRole('main')
    .getByRole('link', { name: t('Log in') })
    .click();
  await logIn(page, { account: customer.account, password: newPassword });
  await expect(page).toHaveURL(`${origin}/plan-details/201`);
});
