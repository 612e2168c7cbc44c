import type { Page } from '@playwright/test';
import { ownSettings } from '#contract/index.ts';
import { nextButton, visit } from '#tests/fixtures/checkout.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { expectFocusSeen, tabTo } from '#tests/fixtures/keyboard.ts';
import { asOperator } from '#tests/fixtures/operator.ts';
import { codeTo, messageTo } from '#tests/fixtures/outbox.ts';
import { ask } from '#tests/fixtures/postgres.ts';
import { expect, test } from '#tests/fixtures/test.ts';

const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const newPassword = 'another song of two rivers';

// The tests send a wrong password, use an ended session and start a purchase that has to wait.
test.use({ expectedErrors: /status of 4(00|01|03)/ });

test('a password change signs out every device, and the new password logs in @slow', async ({
  page,
  browser,
  server,
  customer,
  logIn,
}) => {
  const other = await (await browser.newContext()).newPage();
  await other.goto('/login?return=%2Forders');
  await logIn(other, customer);
  await page.goto('/login?return=%2Fsettings');
  await logIn(page, customer);
  const signInEmail = await messageTo(server.origin, customer.account, ({ subject }) =>
    subject.startsWith('New login'),
  );
  expect(signInEmail.text).toContain('/forgot-password');

  await button(page, 'Change Password').click();
  await expect(field(page, 'currentPassword')).toBeFocused();
  await field(page, 'currentPassword').fill('not my password');
  await field(page, 'password').fill(newPassword);
  await field(page, 'repeated').fill(newPassword);
  await field(page, 'repeated').press('Enter');
  await expect(field(page, 'currentPassword')).toHaveAccessibleDescription(/./);
  await expect(field(page, 'currentPassword')).toBeFocused();
  await expectFocusSeen(page);
  await expect(field(page, 'password')).toHaveValue(newPassword);
  // A link that is partly under the top bar would count as too small to tap.
  await page.evaluate(() => scrollBy(0, 160));
  await expectNoFaults(page);
  await tabTo(page, page.getByRole('contentinfo').getByRole('link').last());
  await field(page, 'currentPassword').fill(customer.password);
  await button(page, 'Change password').click();
  await expect(page).toHaveURL(/\/login/);
  await expect(
    page.getByText('Your password was changed and your passkeys were removed. Please log in again.'),
  ).toBeVisible();
  await expectNoFaults(page);

  await other.getByRole('link', { name: 'Account' }).first().click();
  await expect(other).toHaveURL(/\/login/);
  await expect(other.getByText('Please log in again')).toBeVisible();
  await other.context().close();
  await field(page, 'account').fill(customer.account);
  await field(page, 'password').fill(customer.password);
  await button(page, 'Log in').click();
  await expect(page.getByRole('alert').filter({ hasText: 'These login details are not correct' })).toBeVisible();
  await logIn(page, { account: customer.account, password: newPassword });
  await expect(page).toHaveURL('/account');
});

test('a customer whose password must be reset chooses a new one before buying, and returns to the payment @slow', async ({
  page,
  server,
  registerAt,
  logIn,
}) => {
  test.setTimeout(90_000);
  const origin = server.brandOrigin('mego');
  const customer = await registerAt(origin);
  await asOperator(server, 'customers require-reset', [{ brand: 'mego', account: customer.account }]);
  await visit(page, `${origin}/login?return=%2Fpayment%3FplanId%3D201`);
  await logIn(page, customer);
  await expect(page).toHaveURL(/\/lost-password/);
  await expect(page.getByText(/please choose a new password before you buy/)).toBeVisible();
  await expectNoFaults(page);
  await page.getByRole('button', { name: 'Send a code instead' }).click();
  await expect(page).toHaveURL(/\/reset-password/);
  await field(page, 'code').fill(await codeTo(origin, customer.account));
  await field(page, 'password').fill(newPassword);
  await field(page, 'repeated').fill(newPassword);
  await button(page, 'Change password').click();
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await logIn(page, { account: customer.account, password: newPassword });
  await expect(page).toHaveURL(/\/payment\?planId=201/);
  await nextButton(page).click();
  await expect(field(page, 'number')).toBeVisible();
});

test.describe('for an account without a password', () => {
  test.use({ expectedErrors: /net::ERR_FAILED/ });

  test('the confirmation of the emailed link remains when the settings cannot be reloaded', async ({
    page,
    server,
    customer,
    beSignedIn,
  }) => {
    await ask(server.database, 'update users set password_hash = null where uid = $1', [customer.uid]);
    await beSignedIn(page, customer);
    await visit(page, '/settings');
    await button(page, 'Set a password').click();
    const sent = page.getByText(`We’ve emailed a link to ${customer.account}.`);
    await expect(sent).toBeVisible();
    await page.route(`**${ownSettings.path}`, (route) => route.abort());
    await page.getByRole('checkbox', { name: 'Send me offers by email' }).uncheck();
    // The request is retried before it counts as failed.
    await expect(page.getByText(/^Saved copy from/)).toBeVisible({ timeout: 30_000 });
    await expect(sent).toBeVisible();
  });
});
