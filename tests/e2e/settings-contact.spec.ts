import { accountText } from '#contract/mask.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { buyByCard, confirmAddress, freshAccount, registerByPhone } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { scan } from '#tests/fixtures/mail-scanner.ts';
import { codeTo, linkTo, messageTo } from '#tests/fixtures/outbox.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { button, field, reload, title } from '#tests/fixtures/settings-page.ts';

// The tests enter a wrong password, a wrong code and an address in use, and open an expired link.
test.use({ expectedErrors: /status of 4(00|01|09|10)/ });

test('a new address logs in after its code was entered, and the previous address is notified @slow', async ({
  page,
  server,
  registerAt,
  beSignedIn,
  logIn,
}) => {
  const origin = server.brandOrigin('mego');
  const [customer, other] = [await registerAt(origin), await registerAt(origin)];
  await confirmAddress(origin, customer);
  const wanted = freshAccount();
  await beSignedIn(page, customer);
  await visit(page, `${origin}/settings`);
  await button(page, 'Change Email').click();
  await expect(field(page, 'account')).toBeFocused();
  await field(page, 'account').fill(other.account);
  await button(page, 'Continue').click();
  await expect(field(page, 'password')).toBeFocused();
  await field(page, 'password').fill('not my password');
  await button(page, 'Continue').click();
  await expect(field(page, 'password')).toHaveAccessibleDescription(/./);
  await expectNoFaults(page);
  // The typed address is there again.
  await button(page, 'Cancel').click();
  await expect(field(page, 'account')).toHaveValue(other.account);
  await expect(field(page, 'account')).toBeFocused();
  await button(page, 'Continue').click();
  await field(page, 'password').fill(customer.password);
  await button(page, 'Continue').click();

  // Only a customer who can read the code learns that the address is in use.
  await expect(field(page, 'code')).toBeFocused();
  await field(page, 'code').fill(await codeTo(origin, other.account));
  await expect(page.getByRole('alert').filter({ hasText: 'already in use' })).toBeVisible();
  await expectNoFaults(page);
  await button(page, 'Use another address').click();

  // The password does not have to be entered again.
  await expect(field(page, 'password')).toHaveCount(0);
  await field(page, 'account').fill(wanted);
  await button(page, 'Continue').click();
  const code = await codeTo(origin, wanted);
  await field(page, 'code').fill(code === '0000' ? '1111' : '0000');
  await expect(field(page, 'code')).toHaveAccessibleDescription(/You have 2 tries left/);
  await expectNoFaults(page);
  await field(page, 'code').fill(code);
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(page.getByRole('main').getByText(wanted)).toBeVisible();
  await expect(button(page, 'Change Email')).toBeFocused();
  await reload(page);
  await expect(page.getByRole('main').getByText(wanted)).toBeVisible();

  const notification = await messageTo(origin, customer.account, ({ subject }) => subject.includes('new email'));
  expect(notification.text).toContain('/restoreEmail?');
  const fresh = await page.context().browser()?.newContext();
  if (!fresh) throw new Error('no browser');
  const elsewhere = await fresh.newPage();
  await elsewhere.goto(`${origin}/login?return=%2Faccount&language=en`);
  await logIn(elsewhere, { account: wanted, password: customer.password });
  await expect(elsewhere).toHaveURL(/\/account/);
  await fresh.close();
});

test('a customer without an email adds one from a receipt, and comes back to have it emailed', async ({
  page,
  server,
  beSignedIn,
}) => {
  const origin = server.brandOrigin('mego');
  const customer = await registerByPhone(origin, `916${String(Date.now()).slice(-7)}`);
  const { orderId } = await buyByCard(customer, '201', 'USD');
  const email = freshAccount();
  await beSignedIn(page, customer);
  await visit(page, `${origin}/receipts`);
  const row = page.getByRole('listitem').filter({ hasText: orderId });
  await row.getByRole('link', { name: 'Add an email' }).click();
  await expect(field(page, 'account')).toBeFocused();
  await expectNoFaults(page);
  await field(page, 'account').fill(email);
  await button(page, 'Continue').click();
  await field(page, 'password').fill(customer.password);
  await button(page, 'Continue').click();
  await field(page, 'code').fill(await codeTo(origin, email));

  await expect(page).toHaveURL(`${origin}/receipts`);
  await row.getByRole('button', { name: 'Email it to me' }).click();
  await expect(row.getByRole('status')).toHaveText(/We’ve emailed a\*\*\*@example\.com/);
  const sent = await messageTo(origin, email, ({ text }) => text.includes(orderId));
  expect(sent.text).toContain('/receipt?orderId=');
});

test('a phone number is added by an SMS code and removed again, and both changes are emailed @slow', async ({
  page,
  server,
  registerAt,
  beSignedIn,
}) => {
  const origin = server.brandOrigin('mego');
  const customer = await registerAt(origin);
  await confirmAddress(origin, customer);
  const digits = String(Date.now()).slice(-7);
  const shown = accountText(`7916${digits}`);
  await beSignedIn(page, customer);
  await visit(page, `${origin}/settings`);
  await button(page, 'Change Phone number').click();
  await expect(field(page, 'phone')).toBeFocused();
  await page.getByRole('combobox', { name: 'Country code' }).selectOption('7');
  await field(page, 'phone').fill(`916 ${digits}`);
  await button(page, 'Continue').click();
  await field(page, 'password').fill(customer.password);
  await button(page, 'Continue').click();
  await expect(page.getByText(`We’ve sent a code to ${shown}.`)).toBeVisible();
  // Focusing the field scrolled the page, so that the tabs are partly under the header.
  await page.evaluate(() => scrollTo(0, 0));
  await expectNoFaults(page);
  await field(page, 'code').fill(await codeTo(origin, `7916${digits}`));
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await reload(page);
  await expect(page.getByRole('main').getByText(shown)).toBeVisible();
  const notification = await messageTo(origin, customer.account, ({ subject }) => subject.includes('new number'));
  expect(notification.text).toContain('/restoreEmail?');

  await button(page, 'Remove number').click();
  await expect(field(page, 'password')).toBeFocused();
  await expectNoFaults(page);
  await button(page, 'Cancel').click();
  await expect(button(page, 'Remove number')).toBeFocused();
  await button(page, 'Remove number').click();
  await field(page, 'password').fill(customer.password);
  await button(page, 'Remove number').click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(page.getByRole('main').getByText(shown)).toHaveCount(0);
  await expect(button(page, 'Change Phone number')).toBeFocused();
  await messageTo(origin, customer.account, ({ subject }) => subject.includes('no longer has a number'));
});

test('a customer recovers a hijacked account by the email to the previous address @slow', async ({
  page,
  server,
  registerAt,
  beSignedIn,
}) => {
  const origin = server.brandOrigin('mego');
  const customer = await registerAt(origin);
  await confirmAddress(origin, customer);
  await beSignedIn(page, customer);
  await visit(page, `${origin}/settings`);
  await button(page, 'Change Email').click();
  const attackerAddress = freshAccount();
  await field(page, 'account').fill(attackerAddress);
  await button(page, 'Continue').click();
  // Confirmed by a code to the previous address instead of the password.
  await button(page, 'Send a code instead').click();
  await button(page, 'Send code').click();
  await expect(field(page, 'code')).toBeFocused();
  await field(page, 'code').fill(await codeTo(origin, customer.account));
  await expectNoFaults(page);
  await button(page, 'Continue').click();
  await expect(page.getByText(`We’ve sent a code to ${attackerAddress}.`)).toBeVisible();
  await field(page, 'code').fill(await codeTo(origin, attackerAddress));
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  const link = await linkTo(origin, customer.account, '/restoreEmail');
  expect(await scan(link)).toEqual([200, 200, 200]);
  await visit(page, link);
  await expect(title(page)).toHaveText('Wasn’t this you?');
  await expectNoFaults(page);
  await button(page, 'Recover my account').click();
  await expect(title(page)).toHaveText('You have your account back');
  await expectNoFaults(page);
  await linkTo(origin, customer.account, '/resetPassword');
  await visit(page, `${origin}/settings`);
  await expect(page).toHaveURL(/\/login/);
});
