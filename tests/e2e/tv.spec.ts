import type { Page } from '@playwright/test';
import { queryInfo } from '#contract/index.ts';
import { waitForHydration, nextButton } from '#tests/fixtures/checkout.ts';
import { cards, type Customer } from '#tests/fixtures/customer.ts';
import { press, typeInto } from '#tests/fixtures/remote-control.ts';
import { desktop, tv } from '#tests/fixtures/screens.ts';
import { startServer } from '#tests/fixtures/server-process.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';
import { ssoLink } from '#tests/fixtures/sso-link.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { startTvDevice, type TvDevice } from '#tests/fixtures/tv-device.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

/** The account of the session that a TV device received. */
async function accountOf(origin: string, token: string | undefined, { uid, account }: Customer): Promise<string> {
  return (await callShop(origin, queryInfo, { body: { uid, account, type: 'email' } }, { token })).account;
}

/** The code in other letters and spacing. */
const carelessly = (code: string) => ` ${code.toLowerCase().replace('-', ' ')} `;

/** Opens the QR code of a TV on a signed-out phone. */
async function scan(page: Page, tvDevice: TvDevice): Promise<void> {
  await page.goto(tvDevice.link);
  await expect(page.getByRole('heading', { name: 'Does your TV show this code?' })).toBeVisible();
  await expect(page.getByRole('main').getByText(tvDevice.userCode)).toBeVisible();
  expect(page.url()).not.toContain(tvDevice.userCode);
}

const confirmButton = (page: Page) => page.getByRole('button', { name: 'Yes, same code' });

test('a TV device without a session gets the account of the phone that logs in @slow', async ({
  page,
  server,
  customer,
  logIn,
}) => {
  const tvDevice = await startTvDevice(server.origin, { device: 'Xiaomi', model: 'MIBOX4', target: 'orders' });
  await scan(page, tvDevice);
  const main = page.getByRole('main');
  await expect(main).toContainText('Xiaomi Mi Box S');
  expect(await tvDevice.ask()).toMatchObject({ status: 400, error: 'authorization_pending' });

  await confirmButton(page).click();
  await expect(page).toHaveURL(/\/login\?/);
  expect(page.url()).not.toContain(tvDevice.userCode);
  await logIn(page, customer);
  await expect(page.getByText(`The TV will be logged in as ${customer.account}.`)).toBeVisible();
  await confirmButton(page).click();
  await expect(page.getByRole('heading', { name: 'Done! Look at your TV' })).toBeVisible();
  const { token } = await tvDevice.ask();
  expect(await accountOf(server.origin, token, customer)).toBe(customer.account);
});

test('a signed-in TV device brings its account and its orders to the phone, with phone styles @slow', async ({
  page,
  server,
  customer,
}) => {
  const { token: login_token } = await ssoLink(server, { account: customer.account, src: 'qr' });
  const tvDevice = await startTvDevice(server.origin, { target: 'orders', login_token });
  await scan(page, tvDevice);
  await expect(
    page.getByText('This device will be logged in as a***@example.com, the account on the TV.'),
  ).toBeVisible();
  await confirmButton(page).click();
  await expect(page).toHaveURL('/stb-orders');
  await expect(page.locator('html')).not.toHaveAttribute('data-screen');
  await expect(page.getByText(customer.account)).toBeVisible();
  const { token } = await tvDevice.ask();
  expect(await accountOf(server.origin, token, customer)).toBe(customer.account);
});

test('a payment that was begun on the TV continues on the phone, with the account of the TV @slow', async ({
  page,
  server,
  customer,
  registerAt,
  logIn,
}) => {
  const other = await registerAt(server.origin);
  await page.goto('/login');
  await logIn(page, other);
  const { token: login_token } = await ssoLink(server, { account: customer.account, src: 'qr' });
  const tvDevice = await startTvDevice(server.origin, { target: 'payment', login_token });
  await page.goto(`${tvDevice.link}&p=101`);
  await expect(page.getByText(`You’re logged in here as ${other.account}.`)).toBeVisible();
  await confirmButton(page).click();
  await expect(page).toHaveURL('/payment?planId=101');
  await expect(page.locator('html')).not.toHaveAttribute('data-screen');
  await expect(page.locator('input[name="method"]').first()).toBeAttached();
  await page.goto('/account');
  await expect(page.getByRole('main').getByText(customer.account).first()).toBeVisible();
});

test.describe('on a desktop, in Portuguese', () => {
  test.use({ ...desktop, locale: 'pt-BR', expectedErrors: /status of 4\d\d .*\/api\/user\/device\// });

  test('a customer types a wrong code, then the right one carelessly, and refuses the TV @slow', async ({
    page,
    server,
  }) => {
    const t = await loadTranslate('pt');
    const tvDevice = await startTvDevice(server.origin);
    await page.goto('/device');
    const code = page.getByLabel(t('Code on the TV'));
    await waitForHydration(page);
    const continueButton = page.getByRole('button', { name: t('Continue') });
    await code.fill('bcd');
    await continueButton.click();
    await expect(page.getByText(t('Enter the 8 letters on your TV'))).toBeVisible();
    await code.fill('BBBB-BBBB');
    await continueButton.click();
    await expect(code).toHaveAttribute('aria-invalid', 'true');
    await expect(
      page.getByText(t('No TV is waiting for this code. Compare it with your TV, letter by letter.')),
    ).toBeVisible();
    await code.fill('');
    await code.pressSequentially(carelessly(tvDevice.userCode));
    await expect(code).toHaveValue(tvDevice.userCode);
    await code.press('Enter');
    await expect(page.getByRole('heading', { name: t('Is this TV in front of you?') })).toBeVisible();
    await page.getByRole('button', { name: t('No'), exact: true }).click();
    await expect(page.getByRole('heading', { name: t('No one was logged in') })).toBeVisible();
    expect(await tvDevice.ask()).toMatchObject({ status: 400, error: 'access_denied' });
  });
});

test.describe('a code that expires', () => {
  test.use({ expectedErrors: /status of 4\d\d .*\/api\/user\/device\// });

  test('says so on the open page, and when its link is opened later @slow', async ({ page }) => {
    const server = await startServer({ env: { SSO_QR_SECONDS: '6' } });
    try {
      const tvDevice = await startTvDevice(server.origin);
      await scan(page, tvDevice);
      await expect(page.getByRole('heading', { name: 'Connect your TV' })).toBeVisible();
      const notice = page.getByText('This code has expired. Enter the new one on your TV.');
      await expect(notice).toBeVisible();
      expect(await tvDevice.ask()).toMatchObject({ status: 400, error: 'expired_token' });
      await page.goto(tvDevice.link);
      await expect(notice).toBeVisible();
      await page.close();
    } finally {
      await server.dispose();
    }
  });
});

/** Input for the card form from the keyboard of a TV. */
const typed = {
  number: cards.paid,
  expiry: '1239',
  code: '123',
  firstName: 'Ana',
  lastName: 'Souza',
  document: '52998224725',
  phone: '11987654321',
};

test.describe('on the TV itself, with only the arrows and OK', () => {
  test.use(tv);

  test('a customer goes from the orders to a plan and pays for it by card @slow', async ({
    page,
    server,
    customer,
  }) => {
    const link = (name: string) => page.getByRole('link', { name }).filter({ visible: true });
    const choice = (name: string, value: string) => page.locator(`input[name="${name}"][value="${value}"]`);
    const signOn = await ssoLink(server, { account: customer.account, src: 'qr', to: '/stb-orders' });
    await page.goto(signOn.link);
    await press(page, page.getByRole('button', { name: 'Continue' }));
    await expect(page).toHaveURL('/stb-orders');
    await expect(page.locator('html')).toHaveAttribute('data-screen', 'TV');

    await press(page, link('Choose a plan'));
    await expect(page).toHaveURL('/pricing-table');
    await press(page, choice('period', 'month'));
    await press(page, page.locator('a[href="/plan-details/101"]').first());
    await expect(page).toHaveURL('/plan-details/101');
    await press(page, link('Buy now'));
    await expect(page).toHaveURL(/\/payment\?/);

    // Moving the focus over an option does not select it.
    await press(page, choice('method', 'pix'));
    await press(page, choice('method', 'card'));
    await press(page, nextButton(page));
    for (const [name, text] of Object.entries(typed)) {
      await typeInto(page, page.locator(`form input[name="${name}"]`), text);
    }
    await press(page, nextButton(page));
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 20_000 });
    await press(page, link('View my orders'));
    await expect(page).toHaveURL('/stb-orders');
    await expect(page.getByRole('main')).toContainText('30 days left');
  });
});
