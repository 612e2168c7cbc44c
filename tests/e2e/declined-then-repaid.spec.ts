import { readBooks } from '#tests/fixtures/books.ts';
import { nextButton, readyToPay } from '#tests/fixtures/checkout.ts';
import { cards } from '#tests/fixtures/customer.ts';
import { expect, test } from '#tests/fixtures/test.ts';

test.use({ expectedErrors: /status of 40[02]/ });

test('a declined card is explained, and the next card pays the same order @slow', async ({
  page,
  server,
  customer,
  beSignedIn,
}) => {
  const { origin } = server;
  await beSignedIn(page, customer);
  await readyToPay(page, `${origin}/payment?planId=301`, cards.noFunds);
  await nextButton(page).click();
  await expect(page.getByRole('alert').filter({ hasText: /funds/i })).toBeVisible();
  await expect(page.locator('input[name="number"]')).not.toHaveValue('');
  await expect(page.locator('input[name="code"]')).toHaveValue('');
  await expect(page).toHaveURL(/orderId=[A-Z0-9]+/);
  const orderId = new URL(page.url()).searchParams.get('orderId');

  await page.locator('input[name="number"]').fill(cards.paid);
  await page.locator('input[name="code"]').fill('123');
  await nextButton(page).click();
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 20_000 });
  await page.goto(`${origin}/orders`);
  await expect(page.getByRole('row').filter({ hasText: orderId ?? '' })).toHaveCount(1);
  await expect(page.getByRole('row')).toHaveCount(2);

  await page.close();
  const { orders, attempts, ledger, charges } = await readBooks(server, customer);
  expect(orders).toEqual([{ order_id: orderId, status: 'PAYMENT_SUCCEEDED', total: 3490 }]);
  expect(attempts.map(({ state }) => state)).toEqual(['FAILED', 'SUCCEEDED']);
  expect(ledger).toEqual([{ order_id: orderId, kind: 'capture', amount: 3490 }]);
  expect(charges.filter(({ status }) => status === 'paid')).toHaveLength(1);
});

test('a wrong security code is reported at its field and can be corrected there @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await readyToPay(page, '/payment?planId=301', cards.wrongCode);
  await nextButton(page).click();
  const code = page.locator('input[name="code"]');
  await expect(code).toHaveAttribute('aria-invalid', 'true');
  await expect(code).toBeFocused();
  await code.fill('456');
  await page.locator('input[name="number"]').fill(cards.paid);
  await nextButton(page).click();
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 20_000 });
});
