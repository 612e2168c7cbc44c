/// <reference lib="dom" />
import { findChromium } from '#scripts/chromium.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { standInForPushService } from '#tests/fixtures/push-browser.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { waitingPix } from '#tests/fixtures/waiting-pix.ts';

test.use({ serviceWorkers: 'allow' });

// The headless shell cannot show notifications.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, executablePath: findChromium({ whole: true }) ?? '' }),
});

test('a customer requests a notification for a Pix payment, gets it on another page, and opens the payment @slow', async ({
  page,
  context,
  server,
  customer,
  logIn,
}) => {
  await buyByCard(customer, '101');
  const { orderId, bankUrl, login } = await waitingPix(customer);
  const phone = await standInForPushService(page, server.origin);
  const notifyButton = page.getByRole('button', { name: 'Notify me when it’s paid' });

  await context.grantPermissions(['notifications'], { origin: server.origin });
  await page.goto(login);
  await logIn(page, customer);
  await expect(notifyButton).toBeVisible();
  expect(await page.evaluate(() => window.timesAsked)).toBe(0);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await notifyButton.click();
  await expect(page.getByText('We’ll notify you on this device')).toBeVisible();
  await expect(notifyButton).toBeHidden();

  await page.goto('/account');
  const messages = page.getByRole('region', { name: 'Notifications on your devices' });
  await expect(messages.getByText('Notifies you when your payment arrives')).toBeVisible();
  await messages.getByRole('button', { name: 'Remind me before it ends' }).click();
  await expect(messages.getByText('Reminds you before your access ends')).toBeVisible();

  await page.request.post(bankUrl, { form: { action: 'pay' } });
  await expect.poll(async () => (await phone.read()).length, { timeout: 20_000 }).toBe(1);
  const [message] = await phone.read();
  if (!message) throw new Error('no message');
  expect(message).toMatchObject({ title: 'Lumen', body: 'Your payment has arrived.' });
  await phone.deliver(message);
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title, body }) => `${title}: ${body}`);
    });
  await expect.poll(shown).toEqual(['Lumen: Your payment has arrived.']);
  await phone.tap();
  await expect(page).toHaveURL(new RegExp(`/paymentResult\\?orderId=${orderId}`));
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
  await expect.poll(shown).toEqual([]);

  await page.goto('/account');
  await messages.getByRole('button', { name: 'Turn off' }).click();
  await expect(messages.getByText('this device')).toHaveCount(0);
  await expect(messages.getByRole('button', { name: 'Remind me before it ends' })).toBeVisible();
});
