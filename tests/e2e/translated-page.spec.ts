import type { Page } from '@playwright/test';
import { chooseMethod, fillCard, fillPayer, nextButton, openCoupon, visit } from '#tests/fixtures/checkout.ts';
import { freshAccount, goodPassword } from '#tests/fixtures/customer.ts';
import { codeTo } from '#tests/fixtures/outbox.ts';
import { ask } from '#tests/fixtures/postgres.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { expectNoOwnTexts, translatePages } from '#tests/fixtures/translator.ts';

const expectTranslated = (page: Page) => expect(page.locator('main font').first()).toBeVisible();

test('a visitor of a translated page signs up and pays the installments that the button shows', async ({
  page,
  server,
}) => {
  await translatePages(page, 'hydration');
  const account = freshAccount();
  await visit(page, '/register?return=%2Fpayment%3FplanId%3D303');
  await page.locator('input[name="account"]').fill(account);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByLabel('Verification code').fill(await codeTo(server.origin, account));
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.getByLabel('Repeat password').fill(goodPassword);
  await page.locator('input[name="agreed"]').check();
  await page.getByRole('button', { name: 'Create account' }).click();

  await expect(page).toHaveURL(/\/payment\?/);
  await chooseMethod(page, 'card');
  await fillCard(page);
  await expect(nextButton(page)).toHaveText(/^Pay 3\s×\sR\$106\.64$/);
  await page.locator('select[name="installments"]').selectOption('2');
  await expect(nextButton(page)).toHaveText(/^Pay 2\s×\sR\$159\.95$/);
  await page.locator('select[name="installments"]').selectOption('1');
  await expect(nextButton(page)).toHaveText(/^Pay R\$319\.90$/);
  await expectTranslated(page);
  await expectNoOwnTexts(page);
  await nextButton(page).click();
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('main')).toContainText('R$319.90');
  await expectNoOwnTexts(page);
  const orderId = new URL(page.url()).searchParams.get('orderId') ?? '';
  const [order] = await ask<{ total: string }>(
    server.database,
    `select total from orders where order_id = '${orderId}'`,
  );
  expect(Number(order?.total)).toBe(31_990);
});

test('a customer of a translated page uses a coupon, copies the Pix code and cancels the order @slow', async ({
  page,
  context,
  customer,
  logIn,
}) => {
  await translatePages(page, 'hydration');
  await visit(page, '/login');
  await logIn(page, customer);
  await visit(page, '/payment?planId=101');
  const coupon = await openCoupon(page);
  await coupon.fill('welcome10');
  await coupon.press('Enter');
  await expect(page.getByText('Coupon WELCOME10 applied')).toBeVisible();
  await chooseMethod(page, 'pix');
  await fillPayer(page);
  await expect(page.locator('[data-sticky-bar]')).toContainText('17.01');
  await expectNoOwnTexts(page);
  await nextButton(page).click();

  await expect(page).toHaveURL(/\/payment-pix\?/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy Pix code' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy Pix code' })).toBeVisible();
  await expectTranslated(page);
  await expectNoOwnTexts(page);

  await page.goto('/orders');
  await page
    .getByRole('button', { name: /^Cancel/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('button', { name: /cancel/i })
    .first()
    .click();
  await expect(page.getByText('Cancelled').first()).toBeVisible();
  await expectNoOwnTexts(page);
});

test('a customer saves a nickname and changes the language on a page translated before hydration', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await translatePages(page, 'start');
  await beSignedIn(page, customer);
  await visit(page, '/settings');
  await page.getByRole('button', { name: 'Change Nickname' }).click();
  await page.locator('input[name="nickname"]').fill('Ana Lúcia');
  await page.locator('input[name="nickname"]').press('Enter');
  await expect(page.getByRole('main')).toContainText('Ana Lúcia');
  await expect(page.getByRole('main')).toContainText('Saved');
  await expectTranslated(page);
  await expectNoOwnTexts(page);
  await page.locator('select').first().selectOption('pt');
  await expect(page.getByRole('main')).toContainText('Apelido');
  await expect(page.getByRole('main')).not.toContainText('Nickname');
  await expectNoOwnTexts(page);
});
