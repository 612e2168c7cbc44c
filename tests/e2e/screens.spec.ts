/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test';
import { visit } from '#tests/fixtures/checkout.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { desktop, smartTv, tablet, tv } from '#tests/fixtures/screens.ts';
import { ssoLink } from '#tests/fixtures/sso-link.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { startTvDevice } from '#tests/fixtures/tv-device.ts';

/** Styles that only a TV has: dark in every colour scheme, with text that is readable from a distance. */
async function stylesOf(page: Page): Promise<{ dark: boolean; text: number }> {
  const [background, text] = await page.locator('html').evaluate((html) => {
    const { backgroundColor } = getComputedStyle(html);
    return [backgroundColor, Number.parseFloat(getComputedStyle(document.body).fontSize)] as const;
  });
  const shades = background.match(/\d+/g)?.map(Number) ?? [];
  return { dark: shades.length > 2 && shades.slice(0, 3).every((shade) => shade < 80), text };
}

const tvStyles = { dark: true, text: 22 };
const otherStyles = { dark: false, text: 15 };
const orders = (page: Page): Locator => page.getByRole('heading', { level: 1, name: 'Your orders' });

test('a phone that scanned the QR code of a TV has phone styles on every page, and the orders of the TV @slow', async ({
  page,
  server,
  customer,
}) => {
  const { orderId } = await buyByCard(customer, '101');
  const { token: login_token } = await ssoLink(server, { account: customer.account, src: 'qr' });
  const tvDevice = await startTvDevice(server.origin, { target: 'orders', login_token });
  await page.goto(tvDevice.link);
  await page.getByRole('button', { name: 'Yes, same code' }).click();
  await expect(page).toHaveURL('/stb-orders');
  await expect(orders(page)).toBeVisible();
  expect(await stylesOf(page)).toEqual(otherStyles);
  for (const address of ['/pricing-table', '/payment?planId=101', '/account']) {
    await visit(page, address);
    expect(await stylesOf(page), address).toEqual(otherStyles);
  }
  // This tab still leads to the orders of the TV, and a new tab to those of the phone.
  const later = await page.context().newPage();
  await visit(later, `/paymentResult?orderId=${orderId}`);
  await expect(later.getByRole('link', { name: 'View my orders' })).toHaveAttribute('href', '/orders');
  await visit(page, `/paymentResult?orderId=${orderId}`);
  await page.getByRole('link', { name: 'View my orders' }).click();
  await expect(page).toHaveURL('/stb-orders');
});

test.describe('on a desktop', () => {
  test.use(desktop);

  test('a link of a TV has desktop styles, and the arrow keys work as usual @slow', async ({ page }) => {
    await visit(page, '/pricing-table?st=STB');
    expect(await stylesOf(page)).toEqual(otherStyles);
    await page.locator('input[name="period"]').first().focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.locator('input[name="period"]').nth(1)).toBeChecked();
  });
});

test.describe('on a tablet', () => {
  test.use(tablet);

  test('a link of a TV has tablet styles, although the user agent resembles that of a TV device @slow', async ({
    page,
  }) => {
    await visit(page, '/pricing-table?releaseId=BX-7');
    expect(await stylesOf(page)).toEqual(otherStyles);
  });
});

test.describe('on a TV device with an ordinary user agent', () => {
  test.use(tv);

  test('a link of the TV device applies TV styles from the first paint, and on later pages', async ({ page }) => {
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.request().isNavigationRequest()),
      visit(page, '/pricing-table?releaseId=BX-7'),
    ]);
    expect(/<html[^>]*>/.exec(await answer.text())?.[0]).toContain('data-screen="TV"');
    expect(await stylesOf(page)).toEqual(tvStyles);
    await visit(page, '/help');
    expect(await stylesOf(page)).toEqual(tvStyles);
  });

  test('a tab opened later without any parameter applies TV styles and sends the scene of the TV @slow', async ({
    page,
    context,
  }) => {
    await visit(page, '/?st=STB');
    await page.close();
    const later = await context.newPage();
    const [call] = await Promise.all([
      later.waitForRequest((request) => request.url().includes('/api/') && 'scene' in request.headers()),
      visit(later, '/pricing-table'),
    ]);
    expect(call.headers()['scene']).toBe('STB');
    expect(await stylesOf(later)).toEqual(tvStyles);
  });
});

test.describe('on a TV with the user agent of a TV', () => {
  test.use(smartTv);

  test('every page has TV styles and follows the arrow keys, without any parameter @slow', async ({ page }) => {
    await visit(page, '/pricing-table');
    expect(await stylesOf(page)).toEqual(tvStyles);
    // Support for the arrow keys loads when the page is idle. Until then, a customer would press again.
    await expect(async () => {
      await page.keyboard.press('ArrowDown');
      await expect(page.getByRole('main').locator(':focus')).toHaveCount(1, { timeout: 500 });
    }).toPass();
    await visit(page, '/login');
    expect(await stylesOf(page)).toEqual(tvStyles);
  });

  test.describe('when JavaScript is disabled', () => {
    test.use({ javaScriptEnabled: false });

    test('the page has TV styles @slow', async ({ page }) => {
      await page.goto('/help');
      await expect(page.locator('html')).toHaveAttribute('data-screen', 'TV');
    });
  });
});
