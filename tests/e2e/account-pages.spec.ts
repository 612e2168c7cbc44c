/// <reference lib="dom" />
import { addCoupon } from '#contract/index.ts';
import { waitForHydration, visit } from '#tests/fixtures/checkout.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { waitForWorker } from '#tests/fixtures/worker-ready.ts';
import { main, openFromAccount } from '#tests/fixtures/account-pages.ts';

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

// A phone was signed out. No app is installed in the test browser.
test.use({ expectedErrors: /status of (401|422|429)|Failed to launch 'lumen:/ });

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
  await expect(access).toContainText('Your plans in order');
  await expect(access.getByRole('listitem')).toContainText([
    /Monthly\s*1\sdevice\s*now,\suntil/,
    /Monthly\sFamily\s*3\sdevices/,
  ]);
  await expect(main(page)).toContainText('0 of 1');
  await access.getByRole('link', { name: 'Open the app' }).click();
  await expect(access.getByText('Unable to open Lumen app')).toBeVisible();
  await expect(access.getByRole('link', { name: 'Install Lumen' })).toHaveAttribute('href', /^https:\/\//);
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
