import type { Page } from '@playwright/test';
import { chooseMethod, nextButton, pressAtBank, visit } from '#tests/fixtures/checkout.ts';
import { expect, test } from '#tests/fixtures/test.ts';

const atWallet = /\/sandbox\/bank\/wallet\//;
const atBank = /\/sandbox\/bank\/challenge\//;

/** A card of UseePay whose bank requires a verification. */
const challengeCard = '4000000000003220';

/** Pays with this card, up to the page of its bank. */
async function payByChallengedCard(page: Page): Promise<void> {
  await chooseMethod(page, 'card');
  const typed = { number: challengeCard, expiry: '12/39', code: '123', firstName: 'Ana', lastName: 'Souza' };
  for (const [name, text] of Object.entries(typed)) await page.locator(`form input[name="${name}"]`).fill(text);
  await nextButton(page).click();
  await expect(page).toHaveURL(atBank, { timeout: 20_000 });
}

// Requests fail while there is no network.
test.use({ expectedErrors: /net::ERR_INTERNET_DISCONNECTED/ });

test('an abandoned payment continues from the orders, at an address that is valid for one visit @slow', async ({
  page,
  browser,
  server,
  registerAt,
  beSignedIn,
}) => {
  const mego = server.brandOrigin('mego');
  const customer = await registerAt(mego);
  await beSignedIn(page, customer);
  await visit(page, `${mego}/payment?planId=201`);
  await payByChallengedCard(page);
  const usedAddress = page.url();

  // The phone closes the browser and retains its storage.
  const savedState = await page.context().storageState({ indexedDB: true });
  await page.close();
  const phone = await browser.newContext({ storageState: savedState });
  const again = await phone.newPage();
  await visit(again, `${mego}/orders`);
  await again.getByRole('button', { name: 'Continue payment' }).first().click();
  await expect(again).toHaveURL(/\/payment-redirect\?/);
  await again.getByRole('button', { name: 'Go to payment page' }).click();
  await expect(again).toHaveURL(atBank);
  expect(again.url()).not.toBe(usedAddress);
  await pressAtBank(again, 'Approve');
  await expect(again.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 20_000 });
  expect((await again.goto(usedAddress))?.status()).toBe(404);
  await phone.close();
});

test('a customer who has paid at a slow wallet never reads that nothing was paid', async ({
  page,
  server,
  registerAt,
  beSignedIn,
}) => {
  const mego = server.brandOrigin('mego');
  const customer = await registerAt(mego);
  await beSignedIn(page, customer);
  await visit(page, `${mego}/payment?planId=201&currency=RUB`);
  await chooseMethod(page, 'yoomoney');
  await nextButton(page).click();
  await expect(page).toHaveURL(atWallet);
  await pressAtBank(page, 'Pay, notify later');
  await expect(page).toHaveURL(/\/paymentResult\?/);
  const headings = page.getByRole('heading', { level: 1 });
  await expect(headings).toHaveText('We are checking your payment');
  const seen = new Set<string>();
  await expect(async () => {
    seen.add((await headings.textContent()) ?? '');
    expect([...seen]).toContain('Payment received');
  }).toPass({ timeout: 30_000, intervals: [100] });
  expect([...seen]).toEqual(['We are checking your payment', 'Payment received']);
});

test('a payment at a slow wallet is shown as pending, also after a connection loss @slow', async ({
  page,
  server,
  registerAt,
  beSignedIn,
}) => {
  const mego = server.brandOrigin('mego');
  const customer = await registerAt(mego);
  await beSignedIn(page, customer);
  await visit(page, `${mego}/payment?planId=201`);
  await chooseMethod(page, 'alipay');
  await nextButton(page).click();
  await expect(page).toHaveURL(atWallet);
  await pressAtBank(page, 'Pay, notify later');
  await expect(page).toHaveURL(/\/paymentResult\?/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We are checking your payment');
  await page.context().setOffline(true);
  await expect(page.getByText(/We can’t reach the shop right now|You’re offline/).first()).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 45_000 });
});
