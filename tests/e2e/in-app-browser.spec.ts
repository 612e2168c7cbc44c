import { visit } from '#tests/fixtures/checkout.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { expect, test } from '#tests/fixtures/test.ts';

test.use({
  userAgent:
    'Mozilla/5.0 (Linux; Android 14; SM-S918B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 Instagram 358.0.0.51.87 Android (34/14; 480dpi)',
});

test('inside another app, the login does not lead to a refusal by Google, and no download is offered', async ({
  page,
  customer,
  beSignedIn,
}) => {
  for (const path of ['/login', '/register']) {
    await visit(page, path);
    await expect(page.getByText('Google works only in your browser')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Copy this page’s address' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Continue with Google' })).toHaveCount(0);
    await expect(page.locator('input[name="account"]')).toBeVisible();
  }
  const { orderId } = await buyByCard(customer, '101');
  await beSignedIn(page, customer);
  await visit(page, '/my-data');
  await expect(page.getByText('Open this page in your browser to download')).toBeVisible();
  await expect(page.getByRole('button', { name: 'My data (JSON)' })).toHaveCount(0);
  await visit(page, `/receipt?orderId=${orderId}`);
  await expect(page.getByRole('button', { name: /^Email it to me/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save as PDF' })).toHaveCount(0);
});
