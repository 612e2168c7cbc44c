import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { deviceConfirm, goodsValuation, orders, pay } from '#contract/index.ts';
import { waitForHydration, chooseMethod, fillCard, nextButton, visit } from '#tests/fixtures/checkout.ts';
import type { Customer } from '#tests/fixtures/customer.ts';
import { press } from '#tests/fixtures/remote-control.ts';
import { smartTv } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { codeOnTv, countPresses, scan, shareOfHeight, openPhone } from '#tests/fixtures/tv-phone.ts';

// Until the phone has responded, the status is 400 (RFC 8628, 3.5), which the browser logs.
test.use({ ...smartTv, expectedErrors: /status of 400 .*\/oauth\/token/ });

const main = (page: Page) => page.getByRole('main');
const confirmCode = (phone: Page) => phone.getByRole('button', { name: 'Yes, same code' }).click();
const ordersOf = async (customer: Customer) =>
  (await customer.call(orders, { body: { page: 1, size: 5 } })).items.map(({ status }) => status);

/** Creates an order that waits for a Pix payment. */
async function createPixOrder(customer: Customer) {
  const purchase = { planId: '101', methodCode: 'pix', currency: 'BRL' };
  const { quoteId } = await customer.call(goodsValuation, { body: purchase });
  const payer = { firstName: 'Ana', lastName: 'Souza', document: '52998224725' };
  const rest = { installments: 1, payer, returnUrl: '/paymentResult', source: 'WEB' } as const;
  return customer.call(pay, { body: { ...purchase, ...rest, quoteId } }, { idempotencyKey: randomUUID() });
}

/** Signs the TV in by its code, without a second browser. */
async function signInTv(tv: Page, customer: Customer): Promise<void> {
  const userCode = new URL(await scan(tv)).searchParams.get('user_code') ?? '';
  await customer.call(deviceConfirm, { body: { userCode, approve: true } });
}

test('a phone signs a TV in, which gets from home to the receipt with twelve presses and one scan', async ({
  page: tv,
  browser,
  server,
  customer,
  beSignedIn,
}) => {
  const phone = await openPhone(browser, server.origin);
  await beSignedIn(phone, customer);
  await visit(tv, '/login?return=%2F');
  await expect(tv.getByLabel('Password', { exact: true })).toBeVisible();
  await phone.goto(await scan(tv));
  await expect(main(phone)).toContainText('Samsung Tizen');
  await confirmCode(phone);
  await expect(phone.getByRole('heading', { name: 'Done! Look at your TV' })).toBeVisible();
  await expect(tv).toHaveURL('/');

  const presses = await countPresses(tv);
  await press(tv, main(tv).getByRole('link', { name: 'Choose your plan' }).first());
  await expect(tv).toHaveURL('/pricing-table');
  await press(tv, main(tv).locator('a[href^="/plan-details/"]').filter({ visible: true }).first());
  await press(tv, tv.getByRole('link', { name: 'Buy now' }).filter({ visible: true }));
  await press(tv, tv.getByRole('button', { name: 'Pay on my phone' }));
  await expect(codeOnTv(tv)).toBeVisible();
  expect(await shareOfHeight(tv, codeOnTv(tv))).toBeGreaterThanOrEqual(0.6);

  await phone.goto(await scan(tv, '&la=en'));
  await confirmCode(phone);
  await expect(tv.getByRole('heading', { name: 'The payment is now on your phone' })).toBeVisible();
  await waitForHydration(phone);
  await chooseMethod(phone, 'card');
  await fillCard(phone);
  await nextButton(phone).click();
  await expect(phone.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 20_000 });

  await expect(tv.getByRole('heading', { name: 'Payment received' })).toBeVisible();
  await press(tv, main(tv).getByRole('link', { name: 'Receipt' }));
  await expect(tv).toHaveURL(/\/receipt\?/);
  expect(await presses()).toBeLessThanOrEqual(12);
  expect(await ordersOf(customer)).toEqual(['PAYMENT_SUCCEEDED']);
  await phone.context().close();
});

test('a phone with the payment of a TV says so elsewhere, returns to it, and logs in for other pages @slow', async ({
  page: tv,
  browser,
  server,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(tv, customer);
  await visit(tv, '/payment?planId=101');
  await press(tv, tv.getByRole('button', { name: 'Pay on my phone' }));
  const phone = await openPhone(browser, server.origin);
  const refused: string[] = [];
  phone.on('response', (answer) => void (answer.status() === 401 && refused.push(answer.url())));
  await phone.goto(await scan(tv, '&la=en'));
  await confirmCode(phone);
  await expect(phone).toHaveURL(/\/payment\?/);
  await visit(phone, '/');
  await expect(phone.getByRole('heading', { level: 1 })).toContainText('Your library');
  for (const path of ['/account', '/payment?planId=102']) {
    await visit(phone, path);
    await expect(main(phone)).toContainText('This phone is logged in for one payment only.');
  }
  await phone.getByRole('link', { name: 'Back to payment' }).click();
  await expect(phone).toHaveURL('/payment?planId=101');
  await chooseMethod(phone, 'card');
  await fillCard(phone);
  await expect(phone.locator('[data-sticky-bar]')).toContainText(/\d/);
  await visit(phone, '/account');
  await phone.locator('input[name="account"]').fill(customer.account);
  await phone.getByLabel('Password', { exact: true }).fill(customer.password);
  await phone.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(phone).toHaveURL('/account');
  await expect(phone.getByRole('heading', { level: 1 })).toContainText('Account');
  expect(refused).toEqual([]);
  await phone.context().close();
});

test('a refusal on the phone is shown on the TV with a new code, and an approval shows the orders @slow', async ({
  page: tv,
  browser,
  server,
  customer,
}) => {
  const phone = await openPhone(browser, server.origin);
  await visit(tv, '/stb-orders');
  await phone.goto(await scan(tv));
  await phone.getByRole('button', { name: 'No', exact: true }).click();
  await expect(main(tv)).toContainText('The login was declined on the phone.');
  await press(tv, tv.getByRole('button', { name: 'Show a new code' }));
  await signInTv(tv, customer);
  await expect(main(tv)).toContainText(customer.account);
  await expect(tv.getByRole('link', { name: 'Choose a plan' })).toBeVisible();
  await phone.context().close();
});

for (const size of [
  { width: 960, height: 540, deviceScaleFactor: 2 },
  { width: 1920, height: 1080, deviceScaleFactor: 1 },
]) {
  const { deviceScaleFactor, ...viewport } = size;
  test.describe(`at ${viewport.width} by ${viewport.height}`, () => {
    test.use({ viewport, deviceScaleFactor });

    test('every code is readable from a distance, and a signed-out phone can pay @slow', async ({
      page: tv,
      browser,
      server,
      customer,
      beSignedIn,
    }) => {
      await beSignedIn(tv, customer);
      const { orderId } = await createPixOrder(customer);
      await visit(tv, `/payment-pix?orderId=${orderId}`);
      expect(await shareOfHeight(tv, codeOnTv(tv))).toBeGreaterThanOrEqual(0.6);
      expect(await shareOfHeight(tv, codeOnTv(tv))).toBeLessThanOrEqual(0.7);
      await expect(tv.getByRole('button', { name: /Copy/ })).toBeHidden();
      await press(tv, tv.getByRole('button', { name: 'Pay on my phone' }));
      await expect(tv.getByRole('heading', { name: 'Pay on your phone' })).toBeVisible();
      expect(await shareOfHeight(tv, codeOnTv(tv))).toBeGreaterThanOrEqual(0.6);
      expect(await shareOfHeight(tv, codeOnTv(tv))).toBeLessThanOrEqual(0.7);

      const phone = await openPhone(browser, server.origin);
      await phone.goto(await scan(tv, '&la=en'));
      await confirmCode(phone);
      await expect(phone).toHaveURL(`/payment-pix?orderId=${orderId}`);
      await expect(phone.getByRole('button', { name: 'Copy Pix code' })).toBeVisible();
      await expect(tv.getByRole('heading', { name: 'You’re paying on your phone' })).toBeVisible();
      await phone.context().close();
    });
  });
}
