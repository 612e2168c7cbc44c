import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { visit } from '#tests/fixtures/checkout.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { tabTo } from '#tests/fixtures/keyboard.ts';
import { scan } from '#tests/fixtures/mail-scanner.ts';
import { asOperator } from '#tests/fixtures/operator.ts';
import { messageTo } from '#tests/fixtures/outbox.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { button, field, reload, title } from '#tests/fixtures/settings-page.ts';

// Some of the calls are refused.
test.use({ expectedErrors: /status of 4(00|01|09|10)/ });

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
  await expect(page.getByText('Te escribimos en Español.')).toBeVisible();

  await reload(page);
  await expect(title(page)).toHaveText('Ajustes');
  await expect(page.getByText('Ana Lúcia')).toBeVisible();
  await expect(page.getByText('Te escribimos en Español.')).toBeVisible();
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
  await button(page, 'Stop offers').click();
  await expect(title(page)).toHaveText('You won’t get any more offers');
  await expectNoFaults(page);
  await button(page, 'Send me offers again').click();
  await expect(title(page)).toHaveText('Offers are back on');

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
