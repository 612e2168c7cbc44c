/// <reference lib="dom" />
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { goodsValuation, pay } from '#contract/index.ts';
import { chooseMethod, fillCard, fillPayer, nextButton, openCoupon, visit } from '#tests/fixtures/checkout.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { ask } from '#tests/fixtures/postgres.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

/** Runs in the page: whether nothing covers the centre of the element. */
function isUncovered(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}

const total = (page: Page) => page.locator('aside [data-total]');

// The server also refuses a coupon that another order reserves.
test.use({ expectedErrors: /status of 4\d\d/ });

test.describe('on a desktop', () => {
  test.use(desktop);

  test('a coupon reserved by another order moves here only after confirmation, which cancels that order @slow', async ({
    page,
    customer,
    beSignedIn,
  }) => {
    const coupon = page.getByLabel('Coupon code');
    const orders = page.getByRole('table').getByRole('row');
    await beSignedIn(page, customer);
    await visit(page, '/payment?planId=101');
    await expect(nextButton(page)).toBeInViewport({ ratio: 1 });
    await openCoupon(page);
    await coupon.fill('welcome10');
    await coupon.press('Enter');
    await expect(page.getByText('Coupon WELCOME10 applied')).toBeVisible();
    await chooseMethod(page, 'pix');
    await fillPayer(page);
    // 19.90 minus the 5% of Pix, minus the 10% of the coupon.
    await expect(total(page)).toContainText('17.01');
    await expect(total(page).locator('..')).toHaveText(/Pix discount-R\$1\.00Coupon WELCOME10-R\$1\.89Total/);
    await expect(nextButton(page)).toBeInViewport({ ratio: 1 });
    await expect(page.locator('[data-sticky-bar]')).toContainText('Sold by Lumen Mídia do Brasil Ltda.');
    await nextButton(page).click();
    await expect(page).toHaveURL(/\/payment-pix\?/);
    const first = new URL(page.url()).searchParams.get('orderId') ?? '';

    // On another plan the coupon is reported as used, with a link to its order.
    await visit(page, '/payment?planId=102');
    await page.getByRole('button', { name: 'Start a new one' }).click();
    await openCoupon(page);
    await coupon.fill('WELCOME10');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByText('Another one of your orders uses this coupon')).toBeVisible();
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'View order' }).click();
    await expect(page).toHaveURL(`/payment-pix?orderId=${first}`);
    await visit(page, '/payment?planId=102');
    await page.getByRole('button', { name: 'Start a new one' }).click();
    await openCoupon(page);
    await coupon.fill('WELCOME10');
    await coupon.press('Enter');
    await page.getByRole('button', { name: 'Use it here' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel the other order?' });
    await expect(dialog).toContainText('17.01');
    await expect(dialog).toContainText(first);
    await expectNoFaults(page);
    await dialog.getByRole('button', { name: 'Keep other order' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('Coupon WELCOME10 applied')).toHaveCount(0);
    await page.getByRole('button', { name: 'Use it here' }).click();
    await dialog.getByRole('button', { name: 'Cancel it and use coupon' }).click();
    await expect(page.getByText('Coupon WELCOME10 applied')).toBeVisible();
    await expect(page.getByText('You have a payment to finish')).toHaveCount(0);
    await chooseMethod(page, 'pix');
    await expect(total(page)).toContainText('85.41');
    await nextButton(page).click();
    await expect(page).toHaveURL(/\/payment-pix\?/);
    const second = new URL(page.url()).searchParams.get('orderId') ?? '';
    await visit(page, `/payment-pix?orderId=${first}`);
    await expect(page.getByRole('heading', { name: 'The payment was cancelled' })).toBeVisible();

    await visit(page, '/orders');
    await expect(orders.filter({ hasText: first })).toContainText('Payment cancelled');
    const waitingOrder = page.getByRole('listitem').filter({ hasText: second });
    await expect(orders.filter({ hasText: second })).toHaveCount(0);
    await expect(waitingOrder).toContainText('Payment pending');
    await expect(waitingOrder).toContainText('WELCOME10');

    // Paid by another method, the order retains its coupon but loses the Pix discount.
    await waitingOrder.getByRole('button', { name: 'Continue payment' }).click();
    await page.getByRole('link', { name: 'Pay another way' }).click();
    await chooseMethod(page, 'paypal');
    await expect(page.getByText('Coupon WELCOME10 applied')).toBeVisible();
    await expect(total(page)).toContainText('89.91');
  });

  test('the pay button does not cover the reason why a coupon is refused @slow', async ({
    page,
    customer,
    beSignedIn,
  }) => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await buyByCard(customer, '101');
    await beSignedIn(page, customer);
    await visit(page, '/payment?planId=102');
    const coupon = await openCoupon(page);
    await coupon.fill('WELCOME10');
    await coupon.press('Enter');
    const refusal = page.getByText('This coupon is for first purchases only');
    await expect(refusal).toBeInViewport();
    await expect.poll(() => refusal.evaluate(isUncovered)).toBe(true);
    await expect.poll(() => coupon.evaluate(isUncovered)).toBe(true);
    await expect(nextButton(page)).toBeInViewport({ ratio: 1 });
  });

  test('a coupon taken by another order at the last moment is reported at its field, and nothing is paid @slow', async ({
    page,
    customer,
    beSignedIn,
  }) => {
    const coupon = page.getByLabel('Coupon code');
    await beSignedIn(page, customer);
    await visit(page, '/payment?planId=101');
    await openCoupon(page);
    await coupon.fill('WELCOME10');
    await coupon.press('Enter');
    await expect(page.getByText('Coupon WELCOME10 applied')).toBeVisible();
    await chooseMethod(page, 'pix');
    await fillPayer(page);
    await expect(total(page)).toContainText('17.01');

    // On another device, for another plan.
    const other = { planId: '102', methodCode: 'pix', currency: 'BRL', discountCode: 'WELCOME10' };
    const { quoteId } = await customer.call(goodsValuation, { body: other });
    const payer = { firstName: 'Ana', lastName: 'Souza', document: '52998224725' };
    const rest = { quoteId, installments: 1, payer, returnUrl: '/paymentResult', source: 'WEB' } as const;
    await customer.call(pay, { body: { ...other, ...rest } }, { idempotencyKey: randomUUID() });

    await nextButton(page).click();
    await expect(page.getByText('Another one of your orders uses this coupon')).toBeVisible();
    await expect(page).toHaveURL(/\/payment\?/);
    await expectNoFaults(page);
  });
});

test('the button that removes a coupon does not move when the price loads @slow', async ({
  page,
  cutter,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await visit(page, `${cutter.origin}/payment?planId=101`);
  await openCoupon(page);
  await page.getByLabel('Coupon code').fill('welcome10');
  await page.getByLabel('Coupon code').press('Enter');
  await expect(total(page)).toContainText('17.91');
  const release = cutter.hold(goodsValuation.path);
  await page.reload();
  const remove = page.getByRole('button', { name: 'Remove' });
  await expect(remove).toBeVisible();
  await expect(page.getByRole('heading', { name: 'More payment methods in another currency' })).toBeVisible();
  const place = await remove.boundingBox();
  release();
  await expect(total(page)).toContainText('17.91');
  expect(await remove.boundingBox()).toEqual(place);
  await remove.click();
  await expect(total(page)).toContainText('19.90');
});

test.describe('on a phone, in Portuguese', () => {
  // The server is stopped while its price changes.
  test.use({ locale: 'pt-BR', expectedErrors: /status of (4\d\d|503)|net::ERR_/ });

  test('a changed price is announced, and charged only after a second tap @slow', async ({
    page,
    ownServer,
    registerAt,
    beSignedIn,
  }) => {
    const t = await loadTranslate('pt');
    const { origin } = ownServer;
    const customer = await registerAt(origin);
    await beSignedIn(page, customer);
    await visit(page, `${origin}/payment?planId=101`);
    await chooseMethod(page, 'card');
    await page.getByRole('checkbox', { name: t('Renew automatically') }).check();
    await fillCard(page);
    await expect(total(page)).toContainText('19,90');

    await ownServer.stop();
    await nextButton(page).click();
    const unsent = t('We couldn’t reach the shop, so nothing was sent. Please try again.');
    await expect(page.getByRole('alert').filter({ hasText: unsent })).toBeVisible({ timeout: 20_000 });
    await ask(ownServer.database, `update plans set prices = prices || '{"BRL": 2490}' where id = '101'`);
    await ownServer.restart();

    // Once the server is reachable, the page loads its data again. Such an update is not announced.
    await expect(total(page)).toContainText('24,90', { timeout: 20_000 });
    await nextButton(page).click();
    const alert = page.getByRole('alert').filter({ hasText: t('The price has changed') });
    await expect(alert).toContainText('19,90');
    await expect(alert).toContainText('24,90');
    await expect(total(page)).toContainText('24,90');
    await expect(page).toHaveURL(/\/payment\?/);
    await expectNoFaults(page);
    // The renewal price has changed as well and is shown beside it: one confirmation is enough.
    await nextButton(page).click();
    await expect(page.getByRole('heading', { name: t('Payment received') })).toBeVisible();
    await expect(page.getByRole('main')).toContainText('24,90');
  });
});
