import type { Page } from '@playwright/test';
import { alive, chooseMethod, nextButton, pressAtBank, visit } from '../fixtures/checkout.ts';
import { expectFine } from '../fixtures/faults.ts';
import { desktop } from '../fixtures/screens.ts';
import { expect, test } from '../fixtures/test.ts';
import { wordsOf } from '../fixtures/words.ts';

const atWallet = /\/sandbox\/bank\/wallet\//;
const atBank = /\/sandbox\/bank\/challenge\//;

/** A card of UseePay whose bank asks its holder first. */
const challenged = '4000000000003220';

/** Pays by it; it ends at its bank. */
async function payByChallengedCard(page: Page): Promise<void> {
  await chooseMethod(page, 'card');
  const typed = { number: challenged, expiry: '12/39', code: '123', firstName: 'Ana', lastName: 'Souza' };
  for (const [name, text] of Object.entries(typed)) await page.locator(`form input[name="${name}"]`).fill(text);
  await nextButton(page).click();
  await expect(page).toHaveURL(atBank, { timeout: 20_000 });
}

// A story without network is full of requests that fail.
test.use({ expectedErrors: /net::ERR_INTERNET_DISCONNECTED/ });

test('who refuses in the wallet is told so, and pays the same order by a card whose bank asks first', async ({
  page,
  server,
  registerAt,
  logIn,
}) => {
  const mego = server.brandOrigin('mego');
  const customer = await registerAt(mego);
  await page.goto(`${mego}/login?return=%2Fpayment%3FplanId%3D201`);
  await logIn(page, customer);
  await chooseMethod(page, 'alipay');
  await nextButton(page).click();
  await expect(page).toHaveURL(atWallet);
  await pressAtBank(page, 'Refuse');
  await expect(page.getByRole('heading', { name: 'The payment did not go through' })).toBeVisible();
  const orderId = new URL(page.url()).searchParams.get('orderId') ?? '';
  await expect(page.getByText('Nothing was charged. Your order is kept, so you can try again.')).toBeVisible();
  await expectFine(page);

  await page.getByRole('link', { name: 'Try again' }).click();
  await payByChallengedCard(page);
  await pressAtBank(page, 'Approve');
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 20_000 });
  expect(new URL(page.url()).searchParams.get('orderId')).toBe(orderId);
  await visit(page, `${mego}/orders`);
  await expect(page.getByRole('row')).toHaveCount(2);
});

test('a payment that nobody came back from goes on from the orders, at an address that is good for one visit', async ({
  page,
  browser,
  server,
  registerAt,
  logIn,
}) => {
  const mego = server.brandOrigin('mego');
  const customer = await registerAt(mego);
  await page.goto(`${mego}/login?return=%2Fpayment%3FplanId%3D201`);
  await logIn(page, customer);
  await payByChallengedCard(page);
  const spent = page.url();

  // The phone ends the browser, and keeps what was stored.
  const kept = await page.context().storageState({ indexedDB: true });
  await page.close();
  const phone = await browser.newContext({ storageState: kept });
  const again = await phone.newPage();
  await visit(again, `${mego}/orders`);
  await again.getByRole('button', { name: 'Continue payment' }).first().click();
  await expect(again).toHaveURL(/\/payment-redirect\?/);
  await again.getByRole('button', { name: 'Continue to the payment page' }).click();
  await expect(again).toHaveURL(atBank);
  expect(again.url()).not.toBe(spent);
  await pressAtBank(again, 'Approve');
  await expect(again.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 20_000 });
  expect((await again.goto(spent))?.status()).toBe(404);
  await phone.close();
});

test('a wallet that knows the answer later keeps nobody from knowing that they wait', async ({
  page,
  server,
  registerAt,
  logIn,
}) => {
  const mego = server.brandOrigin('mego');
  const customer = await registerAt(mego);
  await page.goto(`${mego}/login?return=%2Fpayment%3FplanId%3D201`);
  await logIn(page, customer);
  await chooseMethod(page, 'alipay');
  await nextButton(page).click();
  await expect(page).toHaveURL(atWallet);
  await pressAtBank(page, 'Pay, tell later');
  await expect(page).toHaveURL(/\/paymentResult\?/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Waiting for your payment');
  await page.context().setOffline(true);
  await expect(page.getByText(/We cannot reach the shop at the moment|You are offline/).first()).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 45_000 });
});

test.describe('at a desktop, in Russian', () => {
  test.use({ ...desktop, locale: 'ru-RU' });

  test('a wallet comes back to another browser, which finishes the payment without knowing whose it is', async ({
    page,
    browser,
    server,
    registerAt,
    logIn,
  }) => {
    const t = await wordsOf('ru');
    const mego = server.brandOrigin('mego');
    const customer = await registerAt(mego);
    await page.goto(`${mego}/login?return=%2Fpayment%3FplanId%3D201%26currency%3DRUB`);
    await alive(page);
    // Mego speaks English until one chooses.
    await page.getByRole('combobox', { name: 'Language' }).selectOption('ru');
    await expect(page.locator('html')).toHaveAttribute('lang', /^ru/);
    await logIn(page, customer);
    await chooseMethod(page, 'yoomoney');
    await expect(page.locator('[data-sticky-bar]')).toContainText('399,00');
    await expectFine(page);
    await nextButton(page).click();
    await expect(page).toHaveURL(atWallet);
    const address = page.url();
    await page.goBack();
    await expect(page.getByRole('heading', { name: t('This payment has to be confirmed') })).toBeVisible();

    const elsewhere = await browser.newContext();
    const other = await elsewhere.newPage();
    await other.goto(address);
    await pressAtBank(other, 'Pay');
    await expect(other.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 20_000 });
    await expect(other.getByRole('main')).not.toContainText(customer.account);
    await elsewhere.close();
    await expect(page.getByRole('heading', { name: t('Payment received') })).toBeVisible({ timeout: 20_000 });
    await expectFine(page);
  });
});
