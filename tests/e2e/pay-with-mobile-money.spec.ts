import type { Page } from '@playwright/test';
import { alive, chooseMethod, nextButton, pressAtBank, visit } from '../fixtures/checkout.ts';
import { expectFine } from '../fixtures/faults.ts';
import { tabTo } from '../fixtures/keyboard.ts';
import { press, typeInto } from '../fixtures/remote-control.ts';
import { desktop, tv } from '../fixtures/screens.ts';
import { expect, test as base } from '../fixtures/test.ts';
import { wordsOf } from '../fixtures/words.ts';

const address = '/payment?planId=501';
/** 302 */
const noFunds = 'There are not enough funds for this payment. Try another card, account or payment method.';

/** Somebody who is registered at Baobab, and signed in on the page. */
const test = base.extend<{ origin: string }>({
  baseURL: async ({ server }, use) => use(server.brandOrigin('baobab')),
  origin: async ({ page, baseURL, registerAt, logIn }, use) => {
    const origin = baseURL ?? '';
    await page.goto(`${origin}/login`);
    await logIn(page, await registerAt(origin));
    await use(origin);
  },
});

/** A number that nobody has had before, which ends in these digits; without the 0 in front. */
const numberEnding = (last: string) => `7${String(Date.now() % 10_000).padStart(4, '0')}${last}`;

const mobile = (page: Page) => page.locator('form input[name="mobile"]');
const received = (page: Page) => page.getByRole('heading', { name: 'Payment received' });
const askedOnPhone = (page: Page) => page.getByRole('heading', { name: 'Confirm on your phone' });
const waiting = { timeout: 30_000 };

/** While one page moves into the other nothing on it can be hit, and nothing is seen to have the focus. */
const atRest = (page: Page) => page.getByRole('heading', { level: 1 }).click({ trial: true });

async function payFrom(page: Page, number: string, method = 'mpesa'): Promise<void> {
  await chooseMethod(page, method);
  await mobile(page).fill(number);
  await nextButton(page).click();
}

test.describe('at a desktop', () => {
  test.use(desktop);

  test('M-Pesa is paid with nothing but a keyboard, from the methods to the receipt', async ({ page, origin }) => {
    await visit(page, origin + address);
    await atRest(page);
    await tabTo(page, page.locator('input[name="method"][value="mpesa"]'));
    await tabTo(page, nextButton(page));
    await page.keyboard.press('Enter');
    await expect(mobile(page)).toBeVisible();
    await atRest(page);
    await tabTo(page, mobile(page));
    await page.keyboard.type(`0${numberEnding('5678')}`);
    await page.keyboard.press('Enter');

    await expect(askedOnPhone(page)).toBeVisible();
    await expect(page.getByText('+254 •••••••78')).toBeVisible();
    await expect(page.getByRole('main')).toContainText('450');
    await expect(received(page)).toBeVisible(waiting);
    await atRest(page);
    await tabTo(page, page.getByRole('link', { name: 'Receipt' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('article')).toContainText('M-Pesa');
  });
});

test.describe('at a phone that speaks Portuguese', () => {
  test.use({ locale: 'pt-BR' });

  test('a phone without enough money is told plainly, and another number pays the same order', async ({
    page,
    origin,
  }) => {
    const t = await wordsOf('pt');
    await visit(page, origin + address);
    await payFrom(page, numberEnding('0001'));
    await expect(page.getByRole('heading', { name: t('Confirm on your phone') })).toBeVisible();
    const orderId = new URL(page.url()).searchParams.get('orderId') ?? '';

    await expect(page.getByRole('heading', { name: t('The payment did not go through') })).toBeVisible(waiting);
    await expect(page.getByRole('main')).toContainText(t(noFunds));
    await expectFine(page);
    await page.getByRole('link', { name: t('Try again') }).click();
    await chooseMethod(page, 'mpesa');
    await mobile(page).fill(numberEnding('4444'));
    await nextButton(page).click();
    await expect(page).toHaveURL(new RegExp(`/payment-step\\?orderId=${orderId}`));
    await expect(page.getByRole('heading', { name: t('Payment received') })).toBeVisible(waiting);
    await page.getByRole('link', { name: t('View my orders') }).click();
    await expect(page.getByRole('row').filter({ hasText: orderId })).toContainText('M-Pesa');
    await expect(page.getByRole('row')).toHaveCount(2);
  });
});

test('a phone that does not answer is waited for, through a reload and a killed app, until it does', async ({
  page,
  browser,
  origin,
}) => {
  const number = numberEnding('1037');
  await visit(page, origin + address);
  await payFrom(page, number);
  await expect(page.getByRole('status').filter({ hasText: 'Waiting for your answer…' })).toBeVisible();
  await expectFine(page);
  await page.getByText('No message, or the wrong number?').click();
  await page.reload();
  await expect(askedOnPhone(page)).toBeVisible();

  const storageState = await page.context().storageState({ indexedDB: true });
  const { search } = new URL(page.url());
  await page.close();
  const restarted = await browser.newContext({
    baseURL: origin,
    storageState,
    locale: 'en-US',
    viewport: { width: 360, height: 740 },
  });
  const again = await restarted.newPage();
  await visit(again, '/');
  await again.getByRole('button', { name: 'Continue payment' }).click();
  await expect(askedOnPhone(again)).toBeVisible();
  expect(new URL(again.url()).search).toBe(search);

  const phone = await restarted.newPage();
  await phone.goto(`/sandbox/bank/mobile/254${number}`);
  await pressAtBank(phone, 'Pay');
  await phone.close();
  await expect(received(again)).toBeVisible(waiting);
  await visit(again, '/orders');
  await expect(again.getByRole('row')).toHaveCount(2);
  await restarted.close();
});

test.describe('with a code', () => {
  test.use({ expectedErrors: /status of 4\d\d .*liQuiDo/ });

  test('Orange says what to dial, tells a wrong code at its field, and takes the right one', async ({
    page,
    origin,
  }) => {
    await visit(page, origin + address);
    await page.locator('select[name="currency"]').selectOption('XOF');
    await payFrom(page, numberEnding('2222'), 'orange');
    await expect(page.getByRole('link', { name: 'Dial #144*391#' })).toHaveAttribute('href', 'tel:%23144*391%23');
    await expect(page.getByRole('main')).toContainText(/2.100/);
    await expectFine(page);
    const code = page.getByLabel('Code', { exact: true });
    await code.pressSequentially('654321');
    await expect(code).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByText('2 tries left.').first()).toBeVisible();
    await expect(code).toBeFocused();
    await code.pressSequentially('123456');
    await expect(received(page)).toBeVisible(waiting);
    await alive(page);
  });
});

test.describe('on the TV itself', () => {
  test.use(tv);

  test('a customer with nothing but arrows asks a phone to pay, and watches the TV change', async ({
    page,
    origin,
  }) => {
    await visit(page, `${origin}${address}&releaseId=801`);
    await expect(page.locator('html')).toHaveAttribute('data-scene', 'STB');
    await press(page, page.locator('input[name="method"][value="mpesa"]'));
    await press(page, nextButton(page));
    await typeInto(page, mobile(page), numberEnding('7777'));
    await press(page, nextButton(page));
    await expect(askedOnPhone(page)).toBeVisible();
    await expect(received(page)).toBeVisible(waiting);
    await press(page, page.getByRole('link', { name: 'View my orders' }));
    await expect(page).toHaveURL(/\/stb-orders/);
  });
});
