import { expect, test } from '#tests/fixtures/test.ts';
import { waitingPix } from '#tests/fixtures/waiting-pix.ts';

test.use({ serviceWorkers: 'allow' });

test('when the browser blocks notifications, the page says so beside the code and does not offer them @slow', async ({
  page,
  customer,
  logIn,
}) => {
  const { login } = await waitingPix(customer);
  await page.goto(login);
  await logIn(page, customer);
  // Headless Chromium blocks all notifications.
  await expect(page.getByText('Notifications are blocked for this site')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Notify me when it’s paid' })).toHaveCount(0);
});
