/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { addCoupon } from '#contract/index.ts';
import { waitForHydration, visit } from '#tests/fixtures/checkout.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { messageTo } from '#tests/fixtures/outbox.ts';
import { press as pressOk } from '#tests/fixtures/remote-control.ts';
import { desktop, tv } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';
import { waitForWorker } from '#tests/fixtures/worker-ready.ts';

/** Every page of the account, with the navigation entry that is current on it. */
const pagesOfAccount = {
  '/orders': '/orders',
  '/account': '/account',
  '/coupons': '/account',
  '/receipts': '/account',
  '/my-cloud': '/account',
  '/connect-tv': '/account',
  '/settings': '/settings',
  '/passkeys': '/settings',
  '/my-data': '/settings',
};

const main = (page: Page) => page.getByRole('main');
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** Opens a page by its link on the account page. */
async function openFromAccount(page: Page, place: string): Promise<void> {
  await visit(page, '/account');
  await main(page).getByRole('link', { name: place, exact: true }).click();
  await expect(heading(page, place)).toBeVisible();
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
}

// The tests enter refused codes, request a second email too soon and use a phone that was signed out. No app is
// installed in the test browser.
test.use({ expectedErrors: /status of (401|422|429)|Failed to launch 'mach:/ });

test('a customer adds a coupon by its code and uses it, and no address contains the code', async ({
  page,
  customer,
  beSignedIn,
}) => {
  const addresses: string[] = [];
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  page.on('request', (request) => addresses.push(request.url()));
  await beSignedIn(page, customer);
  await openFromAccount(page, 'Coupons');
  await expect(main(page)).toContainText('You have no coupons now');
  await expectNoFaults(page);

  const code = page.getByLabel('Coupon code');
  const add = page.getByRole('button', { name: 'Add', exact: true });
  await add.click();
  await expect(code).toHaveAccessibleDescription('Enter coupon code to continue');
  await expect(code).toBeFocused();
  await code.fill('no such');
  await page.keyboard.press('Enter');
  await expect(code).toHaveAccessibleDescription('This coupon is not valid');
  await code.fill('lastcall');
  await add.click();
  await expect(code).toHaveAccessibleDescription(/maximum/i);
  await expectNoFaults(page);

  await code.fill('welcome10');
  await add.click();
  await expect(page.getByRole('status').filter({ hasText: 'The coupon WELCOME10 is yours.' })).toBeVisible();
  await expect(code).toHaveValue('');
  const ticket = main(page).getByRole('listitem').filter({ hasText: 'WELCOME10' });
  await expect(ticket).toContainText('10% off');
  await expect(ticket).toContainText('For every plan');
  await expect(ticket).toContainText('For your first purchase');
  await expect(code, 'nothing is red beside the success').not.toHaveAttribute('aria-invalid');
  await add.click();
  await expect(code).toHaveAccessibleDescription('Enter coupon code to continue');
  await expect(page.getByText('The coupon WELCOME10 is yours.')).toHaveCount(0);
  await expect(ticket).toContainText('Until December 31, 2035');
  await expectNoFaults(page);

  await ticket.getByRole('button', { name: 'Use it' }).click();
  await expect(heading(page, 'Choose your plan')).toBeVisible();
  await expect(page.getByText('Your coupon WELCOME10 is filled in at the checkout.').first()).toBeVisible();
  await page
    .getByRole('link', { name: /^Choose/ })
    .filter({ visible: true })
    .first()
    .click();
  await page.getByRole('link', { name: 'Buy now' }).filter({ visible: true }).first().click();
  await expect(page.getByText('Coupon WELCOME10 applied')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Coupon WELCOME10 applied')).toBeVisible();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Add a coupon' })).toBeVisible();
  expect(addresses.filter((address) => /welcome10/i.test(address))).toEqual([]);
});

test('the checkout offers the coupons that apply, and used coupons are collapsed in the account @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await customer.call(addCoupon, { body: { code: 'WELCOME10' } });
  await customer.call(addCoupon, { body: { code: 'LUMEN15' } });
  await beSignedIn(page, customer);
  await visit(page, '/payment?planId=101');
  const offered = page.getByRole('list', { name: 'Your coupons' }).getByRole('button');
  await expect(offered).toHaveText([/WELCOME10\s· 10% off/]);
  await expectNoFaults(page);
  await offered.click();
  await expect(page.getByText('Coupon WELCOME10 applied')).toBeVisible();
  await page.locator('[data-sticky-bar] button[type="submit"]').click();

  await buyByCard(customer, '101');
  await visit(page, '/coupons');
  await expect(main(page).getByRole('listitem').filter({ visible: true })).toContainText(['LUMEN15']);
  await page.getByText('Used and expired (1)').click();
  const usedCoupon = main(page).getByRole('listitem').filter({ hasText: 'WELCOME10' });
  await expect(usedCoupon).toContainText('No longer available');
  await expectNoFaults(page);
  // The coupon is valid for two plans, so the list of plans opens first.
  await page.getByRole('button', { name: 'Use it LUMEN15' }).click();
  await expect(heading(page, 'Choose your plan')).toBeVisible();
});

test('a brand with cloud storage offers the cloud page, and a brand without it does not @slow', async ({
  page,
  server,
  customer,
  registerAt,
  browser,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await openFromAccount(page, 'My cloud');
  await expect(page.getByRole('heading', { name: '50 GB of storage' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open my cloud' })).toHaveAttribute(
    'href',
    'https://app.lumen.example/cloud',
  );
  await expectNoFaults(page);

  const mego = server.brandOrigin('mego');
  const other = await browser.newPage();
  await beSignedIn(other, await registerAt(mego));
  await visit(other, `${mego}/account?language=en`);
  await expect(main(other).getByRole('link', { name: 'Coupons' })).toBeVisible();
  await expect(main(other).getByRole('link', { name: 'My cloud' })).toHaveCount(0);
  await visit(other, `${mego}/my-cloud`);
  await other.waitForURL(`${mego}/404`);
  await other.close();
});

test('receipts are listed by year, open for printing, and are emailed on request @slow', async ({
  page,
  server,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await openFromAccount(page, 'Receipts');
  await expect(main(page)).toContainText('You have no receipts yet');
  await expectNoFaults(page);
  const { orderId } = await buyByCard(customer, '101');
  const { orderId: second } = await buyByCard(customer, '301');
  await visit(page, '/receipts');
  const year = String(new Date().getFullYear());
  const rows = page.getByRole('region', { name: year }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(second);
  await expectNoFaults(page);

  const row = rows.filter({ hasText: orderId });
  const since = Date.now();
  await row.getByRole('button', { name: 'E-mail it to me' }).click();
  await expect(row.getByRole('status')).toHaveText(/An e-mail is on its way to a\*\*\*@example\.com/);
  const sent = await messageTo(server.origin, customer.account, ({ at, text }) => at > since && text.includes(orderId));
  expect(sent.text).toContain(`/receipt?orderId=${orderId}`);
  await row.getByRole('button', { name: 'E-mail it to me' }).click();
  await expect(row.getByRole('status')).toContainText('You can have another one in 1 minute.');
  await expectNoFaults(page);

  await row.getByRole('link', { name: 'Open and print' }).click();
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
});

test('the account lists current and later plans, connects a TV, and reports an app that does not open @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await buyByCard(customer, '101');
  await buyByCard(customer, '301');
  await beSignedIn(page, customer);
  await visit(page, '/account');
  const access = page.getByRole('region', { name: 'Your access' });
  await expect(access).toContainText('One plan after the other');
  await expect(access.getByRole('listitem')).toContainText([
    /Monthly\s*1\sdevice\s*now,\suntil/,
    /Monthly\sFamily\s*3\sdevices/,
  ]);
  await expect(main(page)).toContainText('0 of 1');
  await access.getByRole('link', { name: 'Open the app' }).click();
  await expect(access.getByText('Unable to open Mach app')).toBeVisible();
  await main(page).getByRole('link', { name: 'Connect a TV' }).click();
  await expect(page.getByLabel('Code on the TV')).toBeVisible();
});

for (const [language, tag] of [
  ['pt', ''],
  ['es', ' @slow'],
  ['en', ' @slow'],
] as const) {
  test.describe(`on the narrowest phone, in dark mode, in ${language}${tag}`, () => {
    test.use({ viewport: { width: 320, height: 640 }, colorScheme: 'dark' });

    test('the account pages with content are accessible and share one layout', async ({
      page,
      customer,
      beSignedIn,
    }) => {
      test.setTimeout(90_000);
      await customer.call(addCoupon, { body: { code: 'LUMEN15' } });
      await buyByCard(customer, '101');
      await beSignedIn(page, customer);
      for (const [path, place] of Object.entries(pagesOfAccount)) {
        await page.goto(`${path}?language=${language}`);
        await waitForHydration(page);
        await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
        await expect(main(page).getByRole('heading', { level: 1 })).toHaveCount(1);
        const places = main(page).locator(':has(> h1) + nav a');
        await expect(places).toHaveCount(3);
        await expect(main(page).locator(':has(> h1) + nav a[aria-current]')).toHaveAttribute('href', place);
        // The bottom bar has no entry for the settings.
        const inBar = page.locator('header nav a[aria-current]');
        await expect(inBar).toHaveAttribute('href', place === '/orders' ? '/orders' : '/account');
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
        await expectNoFaults(page);
      }
    });
  });
}

test.describe('offline, after an earlier visit', () => {
  test.use({ serviceWorkers: 'allow', expectedErrors: /net::ERR_(INTERNET_DISCONNECTED|FAILED)|network unreachable/ });

  test('coupons, receipts and cloud open from the saved copy @slow', async ({
    page,
    context,
    customer,
    beSignedIn,
  }) => {
    const savedCopy = /Saved copy from .*20\d\d/;
    await customer.call(addCoupon, { body: { code: 'LUMEN15' } });
    const { orderId } = await buyByCard(customer, '101');
    await beSignedIn(page, customer);
    const shown = { '/coupons': 'LUMEN15', '/receipts': orderId, '/my-cloud': '50 GB of storage' };
    for (const [path, text] of Object.entries(shown)) {
      await visit(page, path);
      await expect(main(page)).toContainText(text);
    }
    await waitForWorker(page, 'en');
    await context.setOffline(true);
    for (const [path, text] of Object.entries(shown)) {
      await page.goto(path);
      await expect(main(page)).toContainText(text);
      await expect(page.getByText(savedCopy)).toBeVisible();
    }
    // An action explains why it is not possible offline.
    await page.goto('/coupons');
    await page.getByLabel('Coupon code').fill('WELCOME10');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(main(page).getByRole('alert')).toContainText('Check your connection');
  });
});

test.describe('on a desktop, with only a keyboard', () => {
  test.use(desktop);

  test('a customer opens a coupon from the account and uses it for its plan @slow', async ({
    page,
    customer,
    beSignedIn,
  }) => {
    await customer.call(addCoupon, { body: { code: 'LUMEN15' } });
    await beSignedIn(page, customer);
    await visit(page, '/account');
    await main(page).getByRole('link', { name: 'Coupons' }).focus();
    await page.keyboard.press('Enter');
    await expect(main(page).getByRole('listitem').filter({ hasText: 'LUMEN15' })).toContainText(/R\$\s?15\.00 off/);
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Use it LUMEN15' }).focus();
    await page.keyboard.press('Enter');
    await expect(heading(page, 'Choose your plan')).toBeVisible();
    // The coupon does not apply to this plan, and is applied to one that it is for.
    await visit(page, '/payment?planId=101');
    await expect(page.getByRole('button', { name: 'Add a coupon' })).toBeVisible();
    await visit(page, '/payment?planId=103');
    await expect(page.getByText('Coupon LUMEN15 applied')).toBeVisible();
  });
});

test.describe('on a TV, in Russian, with only the arrows and OK', () => {
  test.use({ ...tv, locale: 'ru-RU' });

  test('a customer opens the receipts and has one emailed @slow', async ({ page, server, registerAt, beSignedIn }) => {
    const t = await loadTranslate('ru');
    const origin = server.brandOrigin('mego');
    const customer = await registerAt(origin);
    await buyByCard(customer, '201', 'USD');
    await beSignedIn(page, customer);
    await visit(page, `${origin}/account?st=STB&language=ru`);
    await pressOk(page, main(page).getByRole('link', { name: t('Receipts') }));
    await expect(heading(page, t('Receipts'))).toBeVisible();
    await pressOk(page, page.getByRole('button', { name: t('E-mail it to me') }));
    await expect(main(page).getByRole('listitem').getByRole('status')).toContainText('a***@example.com');
    await expectNoFaults(page);
    // From there to the pages below the settings, and back.
    await pressOk(page, main(page).getByRole('link', { name: t('Settings'), exact: true }));
    await pressOk(page, main(page).getByRole('link', { name: t('My data') }));
    await expect(heading(page, t('My data'))).toBeVisible();
    await expectNoFaults(page);
    await pressOk(page, main(page).getByRole('link', { name: t('Settings'), exact: true }));
    await pressOk(page, main(page).getByRole('link', { name: t('Passkeys') }));
    await expect(heading(page, t('Passkeys'))).toBeVisible();
    await pressOk(page, main(page).getByRole('link', { name: t('Account'), exact: true }));
    await pressOk(page, main(page).getByRole('link', { name: t('Connect a TV') }));
    await expect(heading(page, t('Connect a TV'))).toBeVisible();
  });
});
