import type { Page } from '@playwright/test';
import { maskAccount } from '#contract/mask.ts';
import { waitForHydration, chooseMethod, fillPayer, nextButton, pressAtBank, visit } from '#tests/fixtures/checkout.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { messageTo, linkIn } from '#tests/fixtures/outbox.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

test.use({ locale: 'pt-BR' });

const slipLine = /^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/;
/** The last day to pay, five days from now in the time zone of Brasília, in the format of the page. */
const lastDay = new Intl.DateTimeFormat('pt-BR', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'America/Sao_Paulo',
})
  .format(Date.now() + 5 * 86_400_000)
  .replaceAll('-', '\u2011');

const line = (page: Page) => page.locator('figure code');

test('a customer gets a slip, opens it on every device and on paper, and pays it at the bank @slow', async ({
  page,
  context,
  browser,
  server,
  customer,
  beSignedIn,
  logIn,
}) => {
  const t = await loadTranslate('pt');
  const paid = { name: t('Payment received') };
  await beSignedIn(page, customer);
  await visit(page, '/payment?planId=101');
  await chooseMethod(page, 'boleto');
  await fillPayer(page);
  const address = {
    zipCode: '01310100',
    city: 'São Paulo',
    street: 'Avenida Paulista',
    streetNumber: '1578',
  };
  await page.locator('form select[name="state"]').selectOption('SP');
  for (const [name, value] of Object.entries(address)) await page.locator(`form input[name="${name}"]`).fill(value);
  await nextButton(page).click();

  // The slip has a barcode, its digits, the amount and the due date.
  await expect(page).toHaveURL(/\/payment-step\?/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    t('Pay with {methodName}', { methodName: 'Boleto bancário' }),
  );
  await page.getByRole('button', { name: t('Show barcode') }).click();
  await expect(page.getByRole('img', { name: t('Boleto barcode: scan it with your bank’s app') })).toBeVisible();
  await expect(line(page)).toHaveText(slipLine);
  await expect(page.getByText(t('Pay by {day}', { day: lastDay }))).toBeVisible();
  await expect(page.getByRole('main')).toContainText(/R\$\s19,90/);
  await expect(page.getByText(t('Waiting for your boleto payment. This page updates automatically.'))).toBeVisible();
  await expectNoFaults(page);
  const numbers = await line(page).innerText();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: t('Copy number') }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(numbers);

  // It prints on one page, with brand and order and without buttons.
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(/^Lumen · [A-Z0-9]+$/)).toBeVisible();
  await expect(page.getByRole('button').filter({ visible: true })).toHaveCount(0);
  await page.emulateMedia({ media: null });
  const paper = await page.pdf({ format: 'A4' });
  expect(paper.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);

  // It is emailed with a link to the page.
  await page.getByRole('button', { name: t('Email me the details') }).click();
  await expect(page.getByText(t('Sent to {sentTo}.', { sentTo: maskAccount(customer.account) }))).toBeVisible();
  const mail = await messageTo(server.origin, customer.account, ({ text }) => text.includes(numbers));
  const { search } = new URL(page.url());
  expect(linkIn(mail)).toContain(`/payment-step${search}`);

  // It is the same after Back, after a reload and on another device.
  await page.goBack();
  await expect(page).toHaveURL(/\/payment\?/);
  await page.getByRole('button', { name: t('Continue payment') }).click();
  await expect(line(page)).toHaveText(numbers);
  await page.reload();
  await expect(line(page)).toHaveText(numbers);
  const laptop = await browser.newContext({
    baseURL: server.origin,
    locale: 'pt-BR',
    viewport: { width: 1280, height: 800 },
  });
  const laptopPage = await laptop.newPage();
  await logIn(laptopPage, customer);
  await laptopPage.goto('/orders');
  await waitForHydration(laptopPage);
  await laptopPage
    .getByRole('button', { name: t('Continue payment') })
    .first()
    .click();
  await expect(line(laptopPage)).toHaveText(numbers);

  // The payment on the other device updates this page.
  await laptopPage.getByRole('link', { name: t('Open my bank') }).click();
  await pressAtBank(laptopPage, 'Pay now');
  await expect(laptopPage.getByRole('heading', { name: 'Paid' })).toBeVisible();
  await laptop.close();
  await expect(page.getByRole('heading', paid)).toBeVisible({ timeout: 30_000 });
  await page.getByRole('link', { name: t('Receipt') }).click();
  await expect(page.getByRole('article')).toContainText(/R\$\s19,90/);
  await expect(page.getByRole('article')).toContainText('Boleto bancário');
});
