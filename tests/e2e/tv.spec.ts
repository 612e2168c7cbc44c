import type { Page } from '@playwright/test';
import { queryInfo } from '../../src/contract/index.ts';
import { alive } from '../fixtures/checkout.ts';
import type { Customer } from '../fixtures/customer.ts';
import { keptByBrowser } from '../fixtures/kept-by-browser.ts';
import { press, typeInto, walkTo } from '../fixtures/remote-control.ts';
import { startServer } from '../fixtures/server-process.ts';
import { callShop } from '../fixtures/shop-api.ts';
import { ssoLink } from '../fixtures/sso-link.ts';
import { expect, test } from '../fixtures/test.ts';
import { listenToBrowser } from '../fixtures/told-to-others.ts';
import { turnOnBox, type BoxAnswer, type TvBox } from '../fixtures/tv-box.ts';
import { wordsOf } from '../fixtures/words.ts';
import { look, full } from '/tmp/e2/look.ts';

const tvBrowser = {
  viewport: { width: 1280, height: 720 },
  isMobile: false,
  hasTouch: false,
  deviceScaleFactor: 1,
  userAgent: 'Mozilla/5.0 (Linux; Android 12; MX-9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36',
};

const nearScreen = { ...tvBrowser, viewport: { width: 1280, height: 800 } };

/** The box asks again in its rhythm until it is let in. */
async function letIn(box: TvBox): Promise<BoxAnswer> {
  let answer: BoxAnswer | undefined;
  const ask = async () => (answer = await box.ask()).status;
  await expect.poll(ask, { intervals: [0, 5500, 5500, 5500], timeout: 20_000 }).toBe(200);
  return answer ?? { status: 0, error: undefined, token: undefined };
}

/** Whose session a box has got. */
async function whoIs(origin: string, token: string | undefined, { uid, account }: Customer): Promise<string> {
  return (await callShop(origin, queryInfo, { body: { uid, account, type: 'email' } }, { token })).account;
}

/** The code as somebody types it who does not look closely. */
const carelessly = (code: string) => ` ${code.toLowerCase().replace('-', ' ')} `;

/** Somebody points a phone that knows nothing yet at the QR of a TV. */
async function scan(page: Page, box: TvBox): Promise<void> {
  await page.goto(box.link);
  await expect(page.getByRole('heading', { name: 'Is this TV in front of you?' })).toBeVisible();
  expect(page.url()).not.toContain(box.userCode);
}

const yes = (page: Page) => page.getByRole('button', { name: 'Yes, this is my TV' });

test('a box that nobody has signed in gets the account of the phone that logs in', async ({
  page,
  context,
  server,
  customer,
  logIn,
}) => {
  const told = listenToBrowser(context);
  const box = await turnOnBox(server.origin, { device: 'Sala', model: 'MX-9 Pro', target: 'orders' });
  await scan(page, box);
  const main = page.getByRole('main');
  await expect(main).toContainText('Sala');
  await expect(main).toContainText('MX-9 Pro');
  await expect(main).toContainText(box.userCode);
  await look(page, 'device-ask-nobody');
  expect(await box.ask()).toMatchObject({ status: 400, error: 'authorization_pending' });

  await yes(page).click();
  await expect(page).toHaveURL(/\/login\?/);
  expect(page.url()).not.toContain(box.userCode);
  await logIn(page, customer);
  await expect(page.getByText(`The TV will be signed in as ${customer.account}.`)).toBeVisible();
  await look(page, 'device-ask-mine');
  await yes(page).click();
  await expect(page.getByRole('heading', { name: 'Done, look at your TV' })).toBeVisible();
  await look(page, 'device-done');
  const { token } = await letIn(box);
  expect(await whoIs(server.origin, token, customer)).toBe(customer.account);
  expect(told(box.userCode).filter((place) => !/\/api\/user\/device\//.test(place))).toEqual([]);
  expect((await keptByBrowser(page)).text).not.toContain(box.userCode);
});

test('a box that is signed in brings its account to the phone, and its orders in the looks of a TV', async ({
  page,
  server,
  customer,
}) => {
  const { token: login_token } = await ssoLink(server, { account: customer.account, src: 'qr' });
  const box = await turnOnBox(server.origin, { target: 'orders', login_token });
  await scan(page, box);
  await expect(page.getByText('This device will be signed in as a***@example.com, the account of the TV.')).toBeVisible();
  await look(page, 'device-ask-theirs');
  await yes(page).click();
  await expect(page).toHaveURL('/stb-orders');
  await expect(page.locator('html')).toHaveAttribute('data-scene', 'STB');
  await expect(page.getByText(customer.account)).toBeVisible();
  await look(page, 'stb-orders-phone');
  const { token } = await letIn(box);
  expect(await whoIs(server.origin, token, customer)).toBe(customer.account);
});

test('a payment that was begun on the TV goes on in the hand, and not with the account that was there', async ({
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
  const box = await turnOnBox(server.origin, { target: 'payment', login_token });
  await page.goto(`${box.link}&p=101`);
  await expect(page.getByRole('alert').or(page.getByText(/You are signed in here as/)).first()).toContainText(other.account);
  await look(page, 'device-ask-replaces');
  await yes(page).click();
  await expect(page).toHaveURL('/payment?planId=101');
  await expect(page.locator('html')).toHaveAttribute('data-scene', 'STB');
  await expect(page.locator('input[name="method"]').first()).toBeAttached();
  await look(page, 'stb-payment-phone');
  await page.goto('/account');
  await expect(page.getByRole('main').getByText(customer.account).first()).toBeVisible();
});

test.describe('at a desktop, in Portuguese', () => {
  test.use({ ...nearScreen, locale: 'pt-BR', expectedErrors: /status of 4\d\d .*\/api\/user\/device\// });

  test('somebody types the code wrong, then carelessly, and says no', async ({ page, server }) => {
    const t = await wordsOf('pt');
    const box = await turnOnBox(server.origin);
    await page.goto('/device');
    const code = page.getByLabel(t('Code on the TV'));
    await alive(page);
    await look(page, 'device-type-pt');
    const goOn = page.getByRole('button', { name: t('Continue') });
    await code.fill('bcd');
    await goOn.click();
    await expect(page.getByText(t('Type the 8 letters that your TV shows'))).toBeVisible();
    await code.fill('BBBB-BBBB');
    await goOn.click();
    await expect(code).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByText(t('No TV is waiting with this code. Compare it with your TV, letter by letter.'))).toBeVisible();
    await look(page, 'device-wrong-pt');
    await code.fill('');
    await code.pressSequentially(carelessly(box.userCode));
    await expect(code).toHaveValue(box.userCode);
    await code.press('Enter');
    await expect(page.getByRole('heading', { name: t('Is this TV in front of you?') })).toBeVisible();
    await look(page, 'device-ask-pt');
    await page.getByRole('button', { name: t('No'), exact: true }).click();
    await expect(page.getByRole('heading', { name: t('Nobody was signed in') })).toBeVisible();
    await look(page, 'device-refused-pt');
    expect(await box.ask()).toMatchObject({ status: 400, error: 'access_denied' });
  });
});

test.describe('a code', () => {
  test.use({ expectedErrors: /status of 4\d\d .*\/api\/user\/device\// });

  test('that is too old says so, while it is looked at and afterwards', async ({ page }) => {
    const server = await startServer({ env: { SSO_QR_SECONDS: '6' } });
    try {
      const box = await turnOnBox(server.origin);
      await scan(page, box);
      await expect(page.getByRole('heading', { name: 'Connect your TV' })).toBeVisible();
      const says = page.getByText('This code has expired. Type the new one that your TV shows.');
      await expect(says).toBeVisible();
      await look(page, 'device-expired');
      expect(await box.ask()).toMatchObject({ status: 400, error: 'expired_token' });
      await page.goto(box.link);
      await expect(says).toBeVisible();
    } finally {
      await server.dispose();
    }
  });
});

test.describe('on the TV itself, with its remote control only', () => {
  test.use(tvBrowser);
  test('a customer walks from the orders over a plan through a payment by card', async ({ page, server, customer }) => {
    const { link } = await ssoLink(server, { account: customer.account, src: 'qr', to: '/stb-orders' });
    await page.goto(link);
    await page.getByRole('button', { name: 'Continue' }).waitFor(); await look(page, 'tv-01-continue');
    await press(page, page.getByRole('button', { name: 'Continue' }));
    await expect(page).toHaveURL('/stb-orders');
    await expect(page.locator('html')).toHaveAttribute('data-scene', 'STB');
    await expect(page.getByRole('link', { name: 'Choose a plan' })).toBeVisible();
    await look(page, 'tv-02-orders');
    await press(page, page.getByRole('link', { name: 'Choose a plan' }));
    await expect(page).toHaveURL('/pricing-table');
    await look(page, 'tv-03-pricing');
    await press(page, page.locator('input[name="period"][value="month"]'));
    await look(page, 'tv-03b-pricing-month');
    await press(page, page.locator('a[href="/plan-details/101"]'));
    await expect(page).toHaveURL('/plan-details/101');
    await look(page, 'tv-04-plan');
    await press(page, page.getByRole('link', { name: 'Buy now' }).filter({ visible: true }));
    await expect(page).toHaveURL(/\/payment\?/);
    await expect(page.locator('input[name="method"]').first()).toBeAttached();
    await look(page, 'tv-05-method');
    await full(page, 'tv-05-method-full');
    await walkTo(page, page.locator('input[name="method"][value="card"]'));
    await look(page, 'tv-05b-method');
    await press(page, page.locator('[data-sticky-bar] button[type="submit"]'));
    await expect(page.locator('form input[name="document"]')).toBeVisible();
    await look(page, 'tv-06-details');
    await full(page, 'tv-06-details-full');
    const field = (name: string) => page.locator(`form input[name="${name}"]`);
    for (const [name, text] of Object.entries({number: '4242424242424242', expiry: '1239', code: '123', firstName: 'Ana', lastName: 'Souza', document: '52998224725', phoneArea: '11', phone: '987654321'})) {
      await typeInto(page, field(name), text);
      if (name === 'code' || name === 'phone') await look(page, `tv-06b-${name}`);
    }
    await walkTo(page, page.locator('[data-sticky-bar] button[type="submit"]'));
    await look(page, 'tv-07-pay');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 20_000 });
    await look(page, 'tv-08-result');
    await full(page, 'tv-08-result-full');
  });
});
