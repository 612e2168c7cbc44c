import { waitForHydration, nextButton, visit } from '#tests/fixtures/checkout.ts';
import { overlappingText, brokenText, doubleTextSize, fixedContentShare } from '#tests/fixtures/overlapping-text.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { widthFaults } from '#tests/fixtures/faults.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';

const publicAddresses = ['/', '/pricing-table', '/help', '/login', '/register'];

test.describe('with text twice as large', () => {
  test.use({ viewport: { width: 412, height: 915 }, isMobile: false, locale: 'pt-BR' });

  test('all text is readable and none overlaps @slow', async ({ page, server, customer, logIn }) => {
    const { orderId } = await buyByCard(customer, '101');
    const faults: string[] = [];
    const checkPage = async (address: string) => {
      await doubleTextSize(page);
      for (const fault of [...(await overlappingText(page)), ...(await brokenText(page)), ...(await widthFaults(page))])
        faults.push(`${address}: ${fault}`);
    };
    const checkPages = async (addresses: readonly string[]) => {
      for (const address of addresses) {
        await page.goto(server.origin + address);
        await waitForHydration(page);
        await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
        await checkPage(address);
      }
    };
    await checkPages(publicAddresses);
    await logIn(page, customer);
    await checkPages([
      '/orders',
      '/account',
      '/settings',
      `/receipt?orderId=${orderId}`,
      `/paymentResult?orderId=${orderId}`,
      '/payment?planId=102',
    ]);
    await nextButton(page).click();
    await expect(page.getByLabel('Número do cartão')).toBeVisible();
    await checkPage('details');
    expect(faults).toEqual([]);
  });
});

test.describe('on a desktop with a zoom of 400%', () => {
  test.use({ ...desktop, viewport: { width: 320, height: 256 } });

  test('fixed elements do not cover the content @slow', async ({ page, server, customer, logIn }) => {
    for (const address of publicAddresses) {
      await page.goto(server.origin + address);
      await waitForHydration(page);
      expect(await fixedContentShare(page), address).toBeLessThan(0.3);
    }
    await logIn(page, customer);
    await page.goto('/payment?planId=102');
    await expect(nextButton(page)).toBeVisible();
    expect(await fixedContentShare(page)).toBeLessThan(0.3);
  });
});

test('a navigation is announced by the name of the page, and fields announce whether they are required @slow', async ({
  page,
  server,
}) => {
  await page.goto('/pricing-table');
  await waitForHydration(page);
  const name = page.locator('[data-page-name]');
  await expect(name).toBeEmpty();
  await page.getByRole('link', { name: 'Help' }).first().click();
  await expect(name).toHaveText('Help and contact · Lumen');
  await visit(page, '/forgot-password');
  const hiddenHeight = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  expect(await hiddenHeight(), 'what is only heard makes no page higher than the screen').toBe(0);
  await visit(page, `${server.brandOrigin('mego')}/register`);
  await page.getByText('Add a nickname').click();
  await expect(page.getByRole('textbox', { name: 'Password', exact: true })).toHaveAttribute('aria-required', 'true');
  await expect(page.getByRole('textbox', { name: 'Nickname (optional)' })).toHaveAttribute('aria-required', 'false');
  await expect(page.locator('html')).toHaveAttribute('dir', 'ltr');
});
