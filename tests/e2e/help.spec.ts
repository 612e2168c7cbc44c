import { waitForHydration, visit } from '#tests/fixtures/checkout.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

test('a customer who has forgotten the password finds the reset page in the help', async ({ page }) => {
  await visit(page, '/help');
  await page.getByText('I forgot my password').click();
  await expectNoFaults(page);
  await page.getByRole('link', { name: 'Choose a new password' }).click();
  await expect(page).toHaveURL('/forgot-password');
  await waitForHydration(page);
  await expect(page.locator('input[autocomplete^="username"]')).toBeVisible();
});

test.describe('in Russian, at a brand with other payment methods', () => {
  test.use({ locale: 'ru-RU', baseURL: async ({ server }, use) => use(server.brandOrigin('mego')) });

  test('help explains the payment methods of the brand, and none of another brand @slow', async ({ page }) => {
    const t = await loadTranslate('ru');
    await visit(page, '/help?language=ru');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('How can we help?'));
    await page.getByText('Как можно оплатить?').click();
    await expect(page.getByRole('main')).toContainText('PayPal, ЮMoney, Alipay');
    await expect(page.getByRole('main')).not.toContainText(/Pix|Boleto|M-Pesa/);
    await expectNoFaults(page);
  });
});
