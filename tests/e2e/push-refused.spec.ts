import { expect, test } from '#tests/fixtures/test.ts';
import { waitingPix } from '#tests/fixtures/waiting-pix.ts';

test.use({ serviceWorkers: 'allow' });

test('whose browser refuses messages reads so beside the code, and is not asked @slow', async ({
  page,
  customer,
  logIn,
}) => {
  const { login } = await waitingPix(customer);
  await page.goto(login);
  await logIn(page, customer);
  // Chromium without a window refuses all messages by itself
  await expect(page.getByText('Messages from this shop are blocked')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Tell me when it is paid' })).toHaveCount(0);
});
