import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { waitForHydration, visit } from '#tests/fixtures/checkout.ts';
import { confirmAddress, freshAccount } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { tabTo } from '#tests/fixtures/keyboard.ts';
import { scan } from '#tests/fixtures/mail-scanner.ts';
import { asOperator } from '#tests/fixtures/operator.ts';
import { codeTo, linkTo, messageTo } from '#tests/fixtures/outbox.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';

// The tests enter a wrong password, a wrong code and an address in use, and open an expired link.
test.use({ expectedErrors: /status of 4(00|01|09|10)/ });

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);
const title = (page: Page) => page.getByRole('heading', { level: 1 });
const reload = async (page: Page) => {
  await page.reload();
  await waitForHydration(page);
};

test('each changed setting persists after a reload @slow', async ({ page, customer, beSignedIn }) => {
  await beSignedIn(page, customer);
  await visit(page, '/account');
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
  await expect(title(page)).toHaveText('Settings');
  await expectNoFaults(page);

  await button(page, 'Change Nickname').click();
  await expect(field(page, 'nickname')).toBeFocused();
  await field(page, 'nickname').fill('Ana <3');
  await button(page, 'Save').click();
  await expect(field(page, 'nickname')).toHaveAccessibleDescription(/must not contain special characters/);
  await expectNoFaults(page);
  await reload(page);
  await button(page, 'Change Nickname').click();
  // Typed but not saved: the draft was retained.
  await expect(field(page, 'nickname')).toHaveValue('Ana <3');
  await field(page, 'nickname').fill('Ana Lúcia');
  await field(page, 'nickname').press('Enter');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(button(page, 'Change Nickname')).toBeFocused();

  await page.getByRole('checkbox', { name: 'Send me offers by email' }).uncheck();
  await expect(page.getByText('Saved', { exact: true })).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Currency' }).selectOption('USD');
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectNoFaults(page);
  await page.getByRole('main').getByRole('combobox', { name: 'Language' }).selectOption('es');
  await expect(title(page)).toHaveText('Ajustes');
  await expect(page.getByText('Nuestros correos te llegan en Español.')).toBeVisible();

  await reload(page);
  await expect(title(page)).toHaveText('Ajustes');
  await expect(page.getByText('Ana Lúcia')).toBeVisible();
  await expect(page.getByText('Nuestros correos te llegan en Español.')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Moneda' })).toHaveValue('USD');
  await expect(page.getByRole('radio', { name: 'Oscuro' })).toBeChecked();
  await expect(page.getByRole('checkbox')).not.toBeChecked();
  await visit(page, '/pricing-table');
  await expect(
    page
      .getByRole('main')
      .getByText(/35[.,]99/)
      .first(),
  ).toBeVisible();
});

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
  await beSignedIn(page, customer);
  await visit(page, `${origin}/settings`);
  await button(page, 'Change Phone number').click();
  await expect(field(page, 'phone')).toBeFocused();
  await page.getByRole('combobox', { name: 'Country code' }).selectOption('7');
  await field(page, 'phone').fill(`916 ${digits}`);
  await button(page, 'Continue').click();
  await field(page, 'password').fill(customer.password);
  await button(page, 'Continue').click();
  await expect(page.getByText(`A code is on its way to +7 916${digits}.`)).toBeVisible();
  // Focusing the field scrolled the page, so that the tabs are partly under the header.
  await page.evaluate(() => scrollTo(0, 0));
  await expectNoFaults(page);
  await field(page, 'code').fill(await codeTo(origin, `7916${digits}`));
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await reload(page);
  await expect(page.getByRole('main').getByText(`+7916${digits}`)).toBeVisible();
  const notification = await messageTo(origin, customer.account, ({ subject }) => subject.includes('new number'));
  expect(notification.text).toContain('/restoreEmail?');

  await button(page, 'Remove the number').click();
  await expect(field(page, 'password')).toBeFocused();
  await expectNoFaults(page);
  await button(page, 'Cancel').click();
  await expect(button(page, 'Remove the number')).toBeFocused();
  await button(page, 'Remove the number').click();
  await field(page, 'password').fill(customer.password);
  await button(page, 'Remove the number').click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(page.getByRole('main').getByText(`+7916${digits}`)).toHaveCount(0);
  await expect(button(page, 'Change Phone number')).toBeFocused();
  await messageTo(origin, customer.account, ({ subject }) => subject.includes('no number any more'));
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
  await button(page, 'Send me a code instead').click();
  await button(page, 'Send code').click();
  await expect(field(page, 'code')).toBeFocused();
  await field(page, 'code').fill(await codeTo(origin, customer.account));
  await expectNoFaults(page);
  await button(page, 'Continue').click();
  await expect(page.getByText(`A code is on its way to ${attackerAddress}.`)).toBeVisible();
  await field(page, 'code').fill(await codeTo(origin, attackerAddress));
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  const link = await linkTo(origin, customer.account, '/restoreEmail');
  expect(await scan(link)).toEqual([200, 200, 200]);
  await visit(page, link);
  await expect(title(page)).toHaveText('Was it not you?');
  await expectNoFaults(page);
  await button(page, 'Take my account back').click();
  await expect(title(page)).toHaveText('Your account is yours again');
  await expectNoFaults(page);
  await linkTo(origin, customer.account, '/resetPassword');
  await visit(page, `${origin}/settings`);
  await expect(page).toHaveURL(/\/login/);
});

test('the theme applies before the first paint, on every page, and in other tabs at once @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await beSignedIn(page, customer);
  await page.context().addInitScript(watchPaint);
  await visit(page, '/settings');
  const second = await page.context().newPage();
  await second.emulateMedia({ colorScheme: 'light' });
  await visit(second, '/pricing-table');
  const light = await second.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  await expect(second.locator('html')).toHaveAttribute('data-theme', 'dark');
  for (const address of ['/settings', '/pricing-table', '/login']) {
    await visit(second, address);
    const painted = await second.evaluate(() => (window as Painted).painted ?? []);
    expect(painted.length).toBeGreaterThan(0);
    expect(painted).not.toContain(light);
  }
  const bar = second.locator('meta[name="theme-color"]');
  await expect(bar.nth(1)).toHaveAttribute('media', 'all');
  await page.getByRole('radio', { name: 'System' }).check({ force: true });
  await expect(second.locator('html')).not.toHaveAttribute('data-theme', /./);
  await reload(second);
  expect(await second.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(light);
});

type Painted = typeof window & { painted?: string[] };

/** Runs in the page: records the background of every frame from the first one on. */
function watchPaint(): void {
  const painted: string[] = [];
  (window as Painted).painted = painted;
  const record = () => {
    if (document.body) painted.push(getComputedStyle(document.documentElement).backgroundColor);
    if (painted.length < 60) requestAnimationFrame(record);
  };
  requestAnimationFrame(record);
}

test('offers are cancelled by one tap in the mail program or by the link, and can be resumed @slow', async ({
  page,
  ownServer,
  registerAt,
  beSignedIn,
}) => {
  test.setTimeout(90_000);
  const { origin } = ownServer;
  const customer = await registerAt(origin);
  const file = join(ownServer.dataDir, 'offer.txt');
  writeFileSync(file, 'Half a year for less, until Sunday.\n\nOnly here.');
  const offer = { brand: 'lumen', name: 'spring', subject: 'Half a year for less', 'text-file': file };
  await asOperator(ownServer, 'offers send', [offer, offer]);
  const { text } = await messageTo(origin, customer.account, ({ subject }) => subject === offer.subject);
  const address = /https?:\/\/\S+\/unsubscribe\?\S+/.exec(text)?.[0] ?? '';
  expect(await scan(address)).toEqual([200, 200, 200]);

  await visit(page, address);
  await expect(title(page)).toHaveText('No more offers by email?');
  expect(page.url()).not.toContain('token');
  await expectNoFaults(page);
  await button(page, 'Stop the offers').click();
  await expect(title(page)).toHaveText('You get no more offers');
  await expectNoFaults(page);
  await button(page, 'Send me offers again').click();
  await expect(title(page)).toHaveText('Offers come again');

  // One-click unsubscribe by a mail program (RFC 8058).
  const tapped = await page.request.post(address, { form: { 'List-Unsubscribe': 'One-Click' } });
  expect(tapped.status()).toBe(200);
  await beSignedIn(page, customer);
  await visit(page, `${origin}/settings`);
  await expect(page.getByRole('checkbox', { name: 'Send me offers by email' })).not.toBeChecked();
});

test.describe('on a desktop', () => {
  test.use(desktop);

  test('the settings can be changed with only a keyboard @slow', async ({ page, customer, beSignedIn }) => {
    await beSignedIn(page, customer);
    await visit(page, '/settings');
    await tabTo(page, button(page, 'Change Nickname'));
    await page.keyboard.press('Enter');
    await page.keyboard.type('Ana');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    await tabTo(page, page.getByRole('checkbox', { name: 'Send me offers by email' }));
    await page.keyboard.press('Space');
    await expect(page.getByRole('checkbox')).not.toBeChecked();
    await expectNoFaults(page);
  });
});
