import type { Page } from '@playwright/test';
import { loginOut } from '#contract/index.ts';
import { waitForHydration, chooseMethod, fillPayer, nextButton, pressAtBank, visit } from '#tests/fixtures/checkout.ts';
import { freshAccount, goodPassword } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { codeIn } from '#tests/fixtures/outbox.ts';
import { mailsReceivedBy } from '#tests/fixtures/mail-server.ts';
import { dayMs, advanceWeek, signInAgain } from '#tests/fixtures/renewing.ts';
import { advancePastCodePause } from '#tests/fixtures/operator.ts';
import { startProductionServer, type ProductionServer } from '#tests/fixtures/production-server.ts';
import { expect, test as base } from '#tests/fixtures/test.ts';
import { codeBySms, mailTo, registerByApi } from '#tests/fixtures/production-messages.ts';

/** Tests of customers and operators on one production server, whose providers are simulated servers. */
const test = base.extend<object, { openShop: ProductionServer }>({
  openShop: [
    async ({}, use) => {
      const shop = await startProductionServer();
      await use(shop);
      await shop.dispose();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ openShop }, use) => use(openShop.origin),
});

// In order and in one worker: the tests share the server, and the last one moves its clock.
test.describe.configure({ mode: 'default' });
test.setTimeout(90_000);
// The certificate is self-signed. One session has ended, and one account has no renewal.
test.use({ ignoreHTTPSErrors: true, expectedErrors: /status of (401|404 .*renewInfo)/ });
test.afterEach(({ openShop: shop }) => {
  expect([...shop.stripe.problems, ...shop.mpesa.wrong, ...shop.btcpay.wrong, ...shop.sms.wrong]).toEqual([]);
});

const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const received = (page: Page) => page.getByRole('heading', { name: 'Payment received' });
const renewal = (page: Page) => page.getByRole('region', { name: 'Automatic renewal' });

/** Completes the last step of the sign-up. */
async function completeSignUp(page: Page): Promise<void> {
  await field(page, 'password').fill(goodPassword);
  await field(page, 'repeated').fill(goodPassword);
  await field(page, 'agreed').check();
  await button(page, 'Create account').click();
}

/** Signs up a new customer by a code in an email, up to the requested page. Returns the account. */
async function signUp(page: Page, shop: ProductionServer, then: string): Promise<string> {
  const account = freshAccount();
  await visit(page, `/register?return=${encodeURIComponent(then)}`);
  await field(page, 'account').fill(account);
  await button(page, 'Continue').click();
  const { text } = await mailTo(shop, account, /^\d{4} is your Acme TV code$/);
  await field(page, 'code').fill(codeIn({ text }) ?? '');
  await completeSignUp(page);
  await expect(page).toHaveURL(then);
  await waitForHydration(page);
  return account;
}

test('operator doctor names missing settings, and finds no problem on the running server @slow', async ({
  openShop: shop,
}) => {
  const failed = await shop.operator(['doctor', '--clock', shop.origin], {
    METRICS_TOKEN: '',
    STRIPE_SECRET_KEY: 'sk_test_not_this_one',
  });
  expect([failed.code, failed.err.trim()]).toEqual([1, '4 checks failed.']);
  expect(failed.out).toMatch(/^wrong {2}settings +METRICS_TOKEN: set it to 16 characters/m);
  expect(failed.out).toMatch(/^wrong {2}gateway stripe +.*STRIPE_SECRET_KEY/m);
  expect(failed.out.match(/^wrong {2}methods of acme +(?:card|applepay) \(stripe\) is offered/gm)).toHaveLength(2);
  const passed = await shop.operator(['doctor', '--clock', shop.origin]);
  expect(passed.out).not.toMatch(/^wrong/m);
  expect(passed).toMatchObject({ code: 0, err: '' });
  for (const provider of ['stripe', 'mpesa', 'btcpay']) {
    expect(passed.out).toMatch(new RegExp(`^ok +gateway ${provider}`, 'm'));
    expect(passed.out).toMatch(new RegExp(`^ok +webhook ${provider}`, 'm'));
  }
  expect(passed.out).toMatch(
    /^ok +methods of acme +card \(stripe\), applepay \(stripe\), mpesa \(mpesa\), crypto \(btcpay\) can be charged/m,
  );
});

test('a new customer signs up by email, buys by card with a renewal, and the operator refunds it', async ({
  page,
  openShop: shop,
}) => {
  const account = await signUp(page, shop, '/payment?planId=101');
  await chooseMethod(page, 'card');
  await expect(page.locator('input[autocomplete^="cc-n"], input[autocomplete="cc-csc"]')).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Renew automatically' }).check();
  await fillPayer(page);
  await nextButton(page).click();
  await pressAtBank(page, 'Pay');
  await expect(received(page)).toBeVisible();
  expect(page.url()).not.toContain('token');
  expect(new Set(await shop.hear())).toEqual(new Set([200]));
  const receipt = await mailTo(shop, account, /^We’ve received your payment/);
  expect(receipt.text).toContain('$4.99');
  await visit(page, '/account');
  await expect(renewal(page)).toContainText('4242');

  const found = await shop.operator(['orders', 'find', account, '--json']);
  const { orderId } = JSON.parse(found.out) as { orderId: string }; // as: one line, of one order
  const refunded = await shop.operator(['orders', 'refund', orderId, '--why', 'TICKET-7']);
  expect(refunded).toMatchObject({ code: 0 });
  expect([...shop.stripe.account.refunds.values()]).toMatchObject([{ amount: 499 }]);
  expect(new Set(await shop.hear())).toEqual(new Set([200]));
  await mailTo(shop, account, /^Your refund is on its way/);
  await visit(page, '/orders');
  await expect(page.getByRole('table')).toContainText('Refunded');
  await visit(page, '/account');
  await expect(renewal(page)).toContainText('Ended on');
  await expect(renewal(page)).not.toContainText(/is not offered|access ends on/);
  await expectNoFaults(page);
  const again = await shop.operator(['orders', 'refund', orderId, '--why', 'TICKET-7']);
  expect(shop.stripe.account.refunds.size, again.out + again.err).toBe(1);
});

test('Apple Pay is a method of its own where the device has it, and is paid at the page of Stripe @slow', async ({
  page,
  browser,
  openShop: shop,
  beSignedIn,
}) => {
  const { session } = await registerByApi(shop);
  const applePay = { name: /Apple Pay/ };
  await beSignedIn(page, { session });
  await visit(page, '/payment?planId=101');
  await expect(page.getByRole('radio', { name: /Card/ })).toBeVisible();
  await expect(page.getByRole('radio', applePay)).toHaveCount(0);

  const context = await browser.newContext({ baseURL: shop.origin, ignoreHTTPSErrors: true });
  const iphone = await context.newPage();
  await iphone.addInitScript(() => Object.assign(globalThis, { ApplePaySession: { canMakePayments: () => true } }));
  await beSignedIn(iphone, { session });
  await visit(iphone, '/payment?planId=101');
  await chooseMethod(iphone, 'applepay');
  await button(iphone, 'Pay with Apple Pay').click();
  await pressAtBank(iphone, 'Pay');
  await expect(received(iphone)).toBeVisible();
  await context.close();
});

test('a payment in coins at BTCPay Server is confirmed by its notification @slow', async ({
  page,
  openShop: shop,
  beSignedIn,
}) => {
  const { account, session } = await registerByApi(shop);
  await beSignedIn(page, { session });
  await visit(page, '/payment?planId=101');
  await chooseMethod(page, 'crypto');
  await nextButton(page).click();
  await page.getByRole('radio').and(page.locator('[value="btc-bitcoin"]')).check();
  await button(page, 'Show amount and address').click();
  await expect(page.getByRole('main')).toContainText('Send only BTC, and only on the Bitcoin network');
  const key = shop.btcpay.invoices.at(-1)?.request.metadata?.orderId ?? '';
  shop.btcpay.pay(key);
  shop.btcpay.confirm(key);
  // Each is sent twice, as BTCPay Server does when the first response is lost.
  const deliveries = [...shop.btcpay.deliveries];
  expect(new Set(await shop.hear())).toEqual(new Set([200]));
  shop.btcpay.deliveries.push(...deliveries);
  expect(new Set(await shop.hear())).toEqual(new Set([200]));
  await expect(received(page)).toBeVisible({ timeout: 20_000 });
  await mailTo(shop, account, /^We’ve received your payment/);
});

test('a customer signs up by SMS, pays by M-Pesa, and logs in again by SMS @slow', async ({ page, openShop: shop }) => {
  await visit(page, '/register?return=%2Fpayment%3FplanId%3D101');
  await page.locator('label').filter({ hasText: 'Phone' }).click();
  await expect(field(page, 'areaCode')).toHaveValue('254');
  await field(page, 'phone').fill('712345678');
  await button(page, 'Continue').click();
  await field(page, 'code').fill(await codeBySms(shop, '+254712345678'));
  await completeSignUp(page);
  await expect(page).toHaveURL('/payment?planId=101');
  await waitForHydration(page);

  await page.locator('select[name="currency"]').selectOption('KES');
  await chooseMethod(page, 'mpesa');
  await field(page, 'mobile').fill('712345678');
  await nextButton(page).click();
  await expect(page.getByRole('heading', { name: 'Confirm on your phone' })).toBeVisible();
  expect(shop.mpesa.pushes).toMatchObject([{ amount: 450, phone: '254712345678' }]);
  const callback = shop.mpesa.end('0');
  expect(await shop.callBack({ ...callback, url: callback.url.replace(/[^/]+$/, 'somebody-elses') })).toBe(401);
  expect([await shop.callBack(callback), await shop.callBack(callback)]).toEqual([200, 200]);
  await expect(received(page)).toBeVisible({ timeout: 20_000 });

  await visit(page, '/account');
  const logoutResponse = page.waitForResponse((answer) => answer.url().endsWith(loginOut.path));
  await button(page, 'Log out').click();
  await logoutResponse;
  await advancePastCodePause(shop);
  await visit(page, '/login?return=%2Forders');
  await field(page, 'phone').fill('712345678');
  await button(page, 'Use a code instead').click();
  await button(page, 'Send code').click();
  await field(page, 'code').fill(await codeBySms(shop, '+254712345678', 1));
  await expect(page).toHaveURL('/orders');
  await expect(page.getByRole('table')).toContainText('KSh');
});

test('a card saved at Stripe renews a plan off-session a day before its end, announced by email @slow', async ({
  page,
  openShop: shop,
  beSignedIn,
  logIn,
}) => {
  const customer = await registerByApi(shop);
  await beSignedIn(page, customer);
  await visit(page, '/payment?planId=101');
  await chooseMethod(page, 'card');
  await fillPayer(page);
  await nextButton(page).click();
  await pressAtBank(page, 'Pay');
  await expect(received(page)).toBeVisible();

  await visit(page, '/account');
  await button(page, 'Turn on').click();
  await button(page, 'Add card').click();
  await pressAtBank(page, 'Pay');
  await expect(page.getByRole('dialog')).toContainText('4242');
  expect(new URL(page.url()).search).toBe('');
  await button(page, 'Agree and turn on').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(renewal(page)).toContainText('4242');
  await shop.hear();

  await shop.server.passTime(23 * dayMs);
  const notice = await mailTo(shop, customer.account, /^Your plan renews on/);
  expect(notice.text).toContain('$4.99');
  await advanceWeek({ ...shop.server, database: shop.database }, customer.session.uid);
  const receipts = () =>
    mailsReceivedBy(shop.post, customer.account).filter(({ subject }) => subject.startsWith('We’ve received'));
  await expect.poll(() => receipts().length, { timeout: 20_000 }).toBe(2);
  const charges = shop.stripe.asked.filter(
    ({ path, form }) => path === '/v1/payment_intents' && form['off_session'] !== undefined,
  );
  expect(charges).toHaveLength(1);
  expect(new Set(await shop.hear())).toEqual(new Set([200]));
  await signInAgain(page, (open) => logIn(open, customer));
  await visit(page, '/orders');
  await expect(page.getByRole('table').getByRole('row').filter({ hasText: '$4.99' })).toHaveCount(2);
  await expect(page.getByRole('table')).toContainText('Renewal');
});
