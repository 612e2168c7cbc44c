/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test';
import { visit } from '#tests/fixtures/checkout.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { desktop, smartTv, tablet, tv } from '#tests/fixtures/screens.ts';
import { ssoLink } from '#tests/fixtures/sso-link.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { turnOnBox } from '#tests/fixtures/tv-box.ts';

/** What only the looks of a TV have: they are dark whatever the system wishes, and their words are read from a sofa. */
async function looks(page: Page): Promise<{ dark: boolean; text: number }> {
  const [background, text] = await page.locator('html').evaluate((html) => {
    const { backgroundColor } = getComputedStyle(html);
    return [backgroundColor, Number.parseFloat(getComputedStyle(document.body).fontSize)] as const;
  });
  const shades = background.match(/\d+/g)?.map(Number) ?? [];
  return { dark: shades.length > 2 && shades.slice(0, 3).every((shade) => shade < 80), text };
}

const ofTv = { dark: true, text: 22 };
const near = { dark: false, text: 15 };
const orders = (page: Page): Locator => page.getByRole('heading', { level: 1, name: 'Your orders' });

test('a phone that scanned the QR of a TV looks like a phone wherever it goes, and its orders are those of the TV @slow', async ({
  page,
  server,
  customer,
}) => {
  const { orderId } = await buyByCard(customer, '101');
  const { token: login_token } = await ssoLink(server, { account: customer.account, src: 'qr' });
  const box = await turnOnBox(server.origin, { target: 'orders', login_token });
  await page.goto(box.link);
  await page.getByRole('button', { name: 'Yes, the same code' }).click();
  await expect(page).toHaveURL('/stb-orders');
  await expect(orders(page)).toBeVisible();
  expect(await looks(page)).toEqual(near);
  for (const address of ['/pricing-table', '/payment?planId=101', '/account']) {
    await visit(page, address);
    expect(await looks(page), address).toEqual(near);
  }
  // It still leads where the box wants it, and a tab of its own is the phone's again.
  const later = await page.context().newPage();
  await visit(later, `/paymentResult?orderId=${orderId}`);
  await expect(later.getByRole('link', { name: 'View my orders' })).toHaveAttribute('href', '/orders');
  await visit(page, `/paymentResult?orderId=${orderId}`);
  await page.getByRole('link', { name: 'View my orders' }).click();
  await expect(page).toHaveURL('/stb-orders');
});

test.describe('at a desktop', () => {
  test.use(desktop);

  test('a link of a TV looks like a desktop, and takes the arrows for what they always are there @slow', async ({
    page,
  }) => {
    await visit(page, '/pricing-table?st=STB');
    expect(await looks(page)).toEqual(near);
    await page.locator('input[name="period"]').first().focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.locator('input[name="period"]').nth(1)).toBeChecked();
  });
});

test.describe('on a tablet', () => {
  test.use(tablet);

  test('a link of a TV looks like a tablet, although its browser names itself as that of a box does @slow', async ({
    page,
  }) => {
    await visit(page, '/pricing-table?releaseId=BX-7');
    expect(await looks(page)).toEqual(near);
  });
});

test.describe('on a box with a browser like any other', () => {
  test.use(tv);

  test('a link of the box gives it the looks of a TV from the first paint, and for as long as it is open', async ({
    page,
  }) => {
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.request().isNavigationRequest()),
      visit(page, '/pricing-table?releaseId=BX-7'),
    ]);
    expect(/<html[^>]*>/.exec(await answer.text())?.[0]).toContain('data-screen="TV"');
    expect(await looks(page)).toEqual(ofTv);
    await visit(page, '/help');
    expect(await looks(page)).toEqual(ofTv);
  });

  test('a tab that is opened later, without any parameter, is that of the box in its looks and its calls @slow', async ({
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
    expect(await looks(later)).toEqual(ofTv);
  });
});

test.describe('on a TV whose browser says so', () => {
  test.use(smartTv);

  test('every page has the looks of a TV and follows the arrows, whatever led there @slow', async ({ page }) => {
    await visit(page, '/pricing-table');
    expect(await looks(page)).toEqual(ofTv);
    // what follows the arrows comes when the page is at rest, and a person presses again
    await expect(async () => {
      await page.keyboard.press('ArrowDown');
      await expect(page.getByRole('main').locator(':focus')).toHaveCount(1, { timeout: 500 });
    }).toPass();
    await visit(page, '/login');
    expect(await looks(page)).toEqual(ofTv);
  });

  test.describe('before any script has run', () => {
    test.use({ javaScriptEnabled: false });

    test('the page is that of a TV @slow', async ({ page }) => {
      await page.goto('/help');
      await expect(page.locator('html')).toHaveAttribute('data-screen', 'TV');
    });
  });
});
