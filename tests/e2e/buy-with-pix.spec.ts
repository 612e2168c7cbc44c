import { goodsValuation } from '#contract/billing.ts';
import { formatMoney } from '#contract/money.ts';
import { chooseMethod, fillPayer, nextButton, visit } from '#tests/fixtures/checkout.ts';
import { expect, test } from '#tests/fixtures/test.ts';

test('a customer pays by Pix at a bank on another device, and the page updates by itself', async ({
  page,
  context,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await visit(page, '/payment?planId=101');
  await chooseMethod(page, 'pix');
  await fillPayer(page);
  // R$ 19.90 minus the 5% of Pix, which are 99.5 centavos, rounded half up.
  await expect(page.locator('[data-sticky-bar]')).toContainText(formatMoney({ amount: 1890, currency: 'BRL' }, 'en'));
  await nextButton(page).click();

  await expect(page).toHaveURL(/\/payment-pix\?/);
  await expect(page.getByRole('heading', { name: 'Pay with Pix' })).toBeVisible();
  await expect(page.getByText('Your bank shows LUMEN as the recipient.')).toBeVisible();
  await expect(page.getByRole('img', { name: /Pix code/ })).toBeHidden();
  await page.getByRole('button', { name: 'Show QR code' }).click();
  await expect(page.getByRole('img', { name: /Pix code/ })).toBeVisible();
  await page.getByText('Show code as text').click();
  await expect(page.locator('code')).toContainText('br.gov.bcb.pix', { ignoreCase: true });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy Pix code' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await page.locator('code').innerText());

  const bankUrl = await page.getByRole('link', { name: 'Open my bank' }).getAttribute('href');
  const bank = await context.newPage();
  await bank.goto(bankUrl ?? '');
  await bank.getByRole('button', { name: 'Pay' }).click();
  await expect(bank.getByRole('heading', { name: 'Paid' })).toBeVisible();
  await bank.close();

  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 30_000 });
  await page.getByRole('link', { name: 'View my account' }).click();
  await expect(page.getByRole('main')).toContainText('30 days left');
});

test('a tap on the pay button before the price has loaded creates the order once it has', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await beSignedIn(page, customer);
  await visit(page, '/payment?planId=101');
  // the form is shown with the price of the first method
  await expect(page.locator('input[name="method"]').first()).toBeVisible();
  const price = Promise.withResolvers<void>();
  await page.route(`**${goodsValuation.path}`, async (route) => {
    await price.promise;
    await route.continue();
  });
  await chooseMethod(page, 'pix');
  await fillPayer(page);
  const pay = nextButton(page);
  await expect(pay).toHaveAttribute('aria-busy');
  // Clicks without waiting for the busy state, as a customer does.
  await pay.click({ force: true });
  price.resolve();
  await expect(page).toHaveURL(/\/payment-pix\?/);
});

test('a phone whose clock is three hours slow shows its payment as quickly as any other @slow', async ({
  page,
  context,
  customer,
  beSignedIn,
}) => {
  await page.addInitScript(() => {
    const { now } = Date;
    Date.now = () => now() - 3 * 60 * 60_000;
  });
  await beSignedIn(page, customer);
  await visit(page, '/payment?planId=101');
  await chooseMethod(page, 'pix');
  await fillPayer(page);
  await nextButton(page).click();
  const bankUrl = await page.getByRole('link', { name: 'Open my bank' }).getAttribute('href');
  // A new page has to learn the server time again.
  await page.reload();
  await expect(page.getByRole('button', { name: 'Copy Pix code' })).toBeVisible();
  const bank = await context.newPage();
  await bank.goto(bankUrl ?? '');
  await bank.getByRole('button', { name: 'Pay' }).click();
  await expect(bank.getByRole('heading', { name: 'Paid' })).toBeVisible();
  await bank.close();
  // The page polls every two seconds. After a wait of hours it would poll every fifteen.
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 8000 });
});
