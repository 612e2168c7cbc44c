import type { Page } from '@playwright/test';
import { visit } from '#tests/fixtures/checkout.ts';
import { freshAccount, goodPassword, registerByPhone } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { scan } from '#tests/fixtures/mail-scanner.ts';
import { asOperator } from '#tests/fixtures/operator.ts';
import { linkIn, linkTo, messageTo, messagesTo } from '#tests/fixtures/outbox.ts';
import { expect, test } from '#tests/fixtures/test.ts';

// The tests open links that are no longer valid.
test.use({ expectedErrors: /status of 4(10|22)/ });

const title = (page: Page) => page.getByRole('heading', { level: 1 });

test('the link of an email confirms the address only after a tap on the button @slow', async ({
  page,
  server,
  registerAt,
  beSignedIn,
}) => {
  const origin = server.brandOrigin('mego');
  const customer = await registerAt(origin);
  const welcome = await linkTo(origin, customer.account, '/activate');
  expect(await scan(welcome)).toEqual([200, 200, 200]);
  await visit(page, welcome);
  const confirm = page.getByRole('button', { name: 'Confirm my email' });
  await expect(confirm).toBeVisible();
  await expectNoFaults(page);

  // Opened without a tap, the link confirms nothing, and the account shows a reminder. A later session than that of
  // the sign-up would have to choose a new password.
  await beSignedIn(page, customer);
  await visit(page, `${origin}/account`);
  const reminder = page.getByText(`This way, receipts and password resets always reach you at ${customer.account}.`);
  await expect(reminder).toBeVisible();
  await page.getByRole('button', { name: 'Email me' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'We’ve emailed' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Send again in 0:\d\d/ })).toBeDisabled();
  await expectNoFaults(page);

  // Only the newer email is valid. The older one says so and offers a new one.
  const again = await messageTo(origin, customer.account, ({ subject }) => subject.includes('confirm'));
  await visit(page, welcome);
  await confirm.click();
  await expect(page.getByRole('alert').filter({ hasText: 'This link is no longer available' })).toBeVisible();
  await expect(page.locator('form input[name="account"]')).toHaveValue(customer.account);
  await expectNoFaults(page);
  await visit(page, linkIn(again));
  await confirm.click();
  await expect(title(page)).toHaveText('Your email is confirmed');
  await expectNoFaults(page);
  await page.getByRole('link', { name: 'Go to your account' }).click();
  await expect(page.getByRole('main')).toContainText(customer.account);
  await expect(page.getByRole('heading', { name: 'Your TVs' })).toBeVisible();
  await expect(reminder).toHaveCount(0);

  // A second tap is not an error.
  await visit(page, linkIn(again));
  await confirm.click();
  await expect(title(page)).toHaveText('Your email is confirmed');
});

test('an email address is added to an account by its reader, and to one account only @slow', async ({
  page,
  server,
  logIn,
}) => {
  const origin = server.brandOrigin('mego');
  const numbers = ['9161234567', '9167654321'];
  // An account whose number was never confirmed cannot be given an email address.
  for (const number of numbers) await registerByPhone(origin, number);
  const email = freshAccount();
  const bindings = numbers.map((number) => ({ brand: 'mego', account: `7${number}`, email }));
  await asOperator(server, 'customers bind-email', bindings);
  await expect.poll(async () => (await messagesTo(origin, email)).length).toBe(2);
  const [first = '', second = ''] = (await messagesTo(origin, email)).map(linkIn);

  expect(await scan(first)).toEqual([200, 200, 200]);
  await visit(page, first);
  await expect(title(page)).toHaveText('Add this email to your account?');
  await expectNoFaults(page);
  await page.getByRole('button', { name: 'Add this email' }).click();
  await expect(title(page)).toHaveText('This email is now part of your account');
  await expectNoFaults(page);

  await visit(page, second);
  await page.getByRole('button', { name: 'Add this email' }).click();
  await expect(title(page)).toHaveText('We couldn’t add this email to your account');
  await expectNoFaults(page);

  await visit(page, `${origin}/login?return=%2Faccount`);
  await logIn(page, { account: email, password: goodPassword });
  await expect(page.getByRole('main')).toContainText(/\+7 916 123-45-67|\+7 916 765-43-21/);
});
