/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test';
import { chooseMethod, fillPayer, nextButton, pressAtBank, visit } from '#tests/fixtures/checkout.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { install, test, watchPhone } from '#tests/fixtures/installed-app.ts';
import { smartTv } from '#tests/fixtures/screens.ts';
import { expect } from '#tests/fixtures/test.ts';

const back = (page: Page): Locator => page.getByRole('button', { name: 'Back', exact: true });
const offer = (page: Page): Locator => page.getByRole('complementary', { name: /at hand/ });
const manifest = (page: Page): Locator => page.locator('link[rel="manifest"]');

/** Fills in a Pix checkout up to the pay button. */
async function fillPix(app: Page): Promise<void> {
  await app.waitForURL(/\/payment\?/);
  await chooseMethod(app, 'pix');
  await fillPayer(app);
}

test.use({ serviceWorkers: 'allow' });

test('the account offers to install the app, and never again after a refusal @slow', async ({
  phone,
  customer,
  logIn,
}) => {
  const page = phone.pages()[0] ?? (await phone.newPage());
  await logIn(page, customer);
  await visit(page, '/account');
  await expect(offer(page).getByRole('button', { name: /^Install / })).toBeVisible();
  const devtools = await phone.newCDPSession(page);
  expect((await devtools.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([]);
  expect((await devtools.send('Page.getAppManifest')).errors).toEqual([]);

  await offer(page).getByRole('button', { name: 'No thanks' }).click();
  await expect(offer(page)).toHaveCount(0);
  // The browser does not know of the refusal and fires its event on every page.
  await page.addInitScript(() => addEventListener('beforeinstallprompt', () => performance.mark('asked')));
  await visit(page, '/account');
  await page.waitForFunction(() => performance.getEntriesByName('asked').length > 0);
  await expect(page.getByRole('button', { name: 'Log out', exact: true })).toBeVisible();
  await expect(offer(page)).toHaveCount(0);
});

test('the installed app protects a form from shortcuts, and shows a badge while a Pix payment is pending @slow', async ({
  phone,
  customer,
  logIn,
}) => {
  const readPhone = await watchPhone(phone);
  const tab = phone.pages()[0] ?? (await phone.newPage());
  await logIn(tab, customer);
  const { launch } = await install(tab);
  // First opened by a deep link: the history is empty.
  const app = await launch('/help');
  await back(app).click();
  await expect(app).toHaveURL('/');
  await expect(back(app)).toHaveCount(0);

  await launch('/payment?planId=101');
  await fillPix(app);
  // A shortcut is opened while the form is being filled in.
  await launch('/orders');
  await expect(app.getByRole('region', { name: 'Notice' })).toContainText('Finish what you started here');
  await expect(app).toHaveURL(/step=details/);
  await nextButton(app).click();
  await expect(app).toHaveURL(/\/payment-pix\?/);
  await app.getByRole('button', { name: 'Share' }).click();
  await expect.poll(() => readPhone(app)).toMatchObject({ badge: 1, lit: 1 });
  await app.getByText('Show code as text').click();
  expect((await readPhone(app)).shared).toEqual([await app.locator('code').innerText()]);

  // The icon brings the app forward unchanged. A shortcut opens another page, and Back returns.
  await launch();
  await launch('/help');
  await expect(app).toHaveURL('/help');
  await expect.poll(() => readPhone(app)).toMatchObject({ badge: 1, lit: 0 });
  await back(app).click();
  await expect(app).toHaveURL(/\/payment-pix\?/);
  await expect.poll(() => readPhone(app)).toMatchObject({ badge: 1, lit: 1 });
});

test('after a payment the installed app clears its badge, shares the receipt and offers Back on every page @slow', async ({
  phone,
  customer,
  logIn,
}) => {
  const readPhone = await watchPhone(phone);
  const tab = phone.pages()[0] ?? (await phone.newPage());
  await logIn(tab, customer);
  const { launch } = await install(tab);
  const app = await launch('/help');
  await expect(back(app)).toBeVisible();
  await launch('/payment?planId=101');
  await fillPix(app);
  await nextButton(app).click();
  await expect(app).toHaveURL(/\/payment-pix\?/);
  await expect.poll(() => readPhone(app)).toMatchObject({ badge: 1, lit: 1 });
  await tab.goto((await app.getByRole('link', { name: 'Open my bank' }).getAttribute('href')) ?? '');
  await pressAtBank(tab, 'Pay');

  await expect(app.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 30_000 });
  await expect.poll(() => readPhone(app)).toMatchObject({ badge: 0, lit: 0 });
  await expect(offer(app)).toHaveCount(0);
  await app.getByRole('link', { name: 'Receipt' }).click();
  await app.getByRole('button', { name: 'Share' }).click();
  // A file that the server has generated.
  await expect.poll(async () => (await readPhone(app)).shared.at(-1)).toMatch(/\w{8,}\.pdf$/);
  await back(app).click();
  await expect(app).toHaveURL(/\/paymentResult/);
  // Only the checkout precedes the result.
  await back(app).click();
  await expect(app).toHaveURL('/orders');
  await expect(back(app)).toHaveCount(0);
});

test.describe('on an iPhone', () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  });

  test('the first purchase ends with pictures of how to add the app to the home screen, once @slow', async ({
    page,
    customer,
    beSignedIn,
  }) => {
    // Safari does not have this event.
    await page.addInitScript(() => Reflect.deleteProperty(window, 'onbeforeinstallprompt'));
    const { orderId } = await buyByCard(customer, '101');
    await beSignedIn(page, customer);
    await visit(page, `/paymentResult?orderId=${orderId}`);
    await offer(page).getByRole('button', { name: 'Show me how' }).click();
    const steps = page.getByRole('dialog', { name: /to your home screen/ }).getByRole('listitem');
    await expect(steps).toHaveText([/Share/, /Add to Home Screen/, /Add/]);
    await expect(steps.locator('svg')).toHaveCount(3);
    await page.getByRole('button', { name: 'Done, it’s there' }).click();
    await expect(offer(page)).toHaveCount(0);
    await visit(page, `/receipt?orderId=${orderId}`);
    await expect(page.getByRole('article')).toBeVisible();
    await expect(offer(page)).toHaveCount(0);
  });
});

test.describe('on a TV', () => {
  test.use(smartTv);

  test('a TV offers neither the installation of an app nor sharing @slow', async ({
    page,
    context,
    customer,
    beSignedIn,
  }) => {
    await watchPhone(context);
    const { orderId } = await buyByCard(customer, '101');
    await beSignedIn(page, customer);
    await visit(page, `/receipt?orderId=${orderId}`);
    await expect(page.getByRole('article')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Share' })).toHaveCount(0);
    await expect(offer(page)).toHaveCount(0);
  });
});

test('the manifest follows language and colour scheme, and the login stays within the safe area', async ({
  page,
  context,
}) => {
  const devtools = await context.newCDPSession(page);
  const insets = { top: 47, topMax: 47, bottom: 34, bottomMax: 34, left: 0, right: 0 };
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets });
  await visit(page, '/login');
  await expect(manifest(page)).toHaveAttribute('href', '/manifest.webmanifest?language=en');
  const logo = page.getByRole('banner').getByRole('link');
  expect((await logo.boundingBox())?.y).toBeGreaterThanOrEqual(47 + 16);
  await page.getByRole('combobox', { name: 'Language' }).selectOption('pt');
  await expect(manifest(page)).toHaveAttribute('href', '/manifest.webmanifest?language=pt');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(manifest(page)).toHaveAttribute('href', '/manifest.webmanifest?language=pt&scheme=dark');

  const sideways = { top: 0, bottom: 21, left: 59, leftMax: 59, right: 59, rightMax: 59 };
  await page.setViewportSize({ width: 844, height: 390 });
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: sideways });
  const header = await page.getByRole('banner').boundingBox();
  expect(header?.x).toBeGreaterThanOrEqual(59);
  expect((header?.x ?? 0) + (header?.width ?? 0)).toBeLessThanOrEqual(844 - 59);
});
