/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { waitForHydration, chooseMethod, nextButton, visit } from '#tests/fixtures/checkout.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { press, typeInto } from '#tests/fixtures/remote-control.ts';
import { tv } from '#tests/fixtures/screens.ts';
import { expect, test as base } from '#tests/fixtures/test.ts';

const address = '/payment?planId=501';

/** With a customer of the brand Baobab who is signed in on the page. */
const test = base.extend<{ origin: string }>({
  baseURL: async ({ server }, use) => use(server.brandOrigin('baobab')),
  origin: async ({ page, baseURL, registerAt, beSignedIn }, use) => {
    const origin = baseURL ?? '';
    await beSignedIn(page, await registerAt(origin));
    await use(origin);
  },
});

/** An unused number that ends in these digits, without the leading 0. */
const numberEnding = (last: string) => `7${String(Date.now() % 10_000).padStart(4, '0')}${last}`;

const mobile = (page: Page) => page.locator('form input[name="mobile"]');
const received = (page: Page) => page.getByRole('heading', { name: 'Payment received' });
const confirmOnPhone = (page: Page) => page.getByRole('heading', { name: 'Confirm on your phone' });
const longTimeout = { timeout: 30_000 };

async function payFrom(page: Page, number: string, method = 'mpesa'): Promise<void> {
  await chooseMethod(page, method);
  await mobile(page).fill(number);
  await nextButton(page).click();
}

test.describe('with a code of the provider', () => {
  test.use({ expectedErrors: /status of 4\d\d .*liQuiDo/ });

  test('Orange shows what to dial, reports a wrong code at its field, and accepts the right one', async ({
    page,
    origin,
  }) => {
    await visit(page, origin + address);
    await page.locator('select[name="currency"]').selectOption('XOF');
    await payFrom(page, numberEnding('2222'), 'orange');
    await expect(page.getByRole('link', { name: 'Dial #144*391#' })).toHaveAttribute('href', 'tel:%23144*391%23');
    await expect(page.getByRole('main')).toContainText(/2.100/);
    await expectNoFaults(page);
    const code = page.getByLabel('Code', { exact: true });
    await code.pressSequentially('654321');
    await expect(code).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByText('2 tries left.').first()).toBeVisible();
    await expect(code).toBeFocused();
    await code.pressSequentially('123456');
    await expect(received(page)).toBeVisible(longTimeout);
    await waitForHydration(page);
  });
});

test.describe('with two codes in the same moment', () => {
  test('sends the first code once, and shows the code that it sent @slow', async ({ page, origin }) => {
    const sent: unknown[] = [];
    await page.route('**/liQuiDo/confirm/v1', async (route) => {
      sent.push(route.request().postDataJSON());
      await route.continue();
    });
    await visit(page, origin + address);
    await page.locator('select[name="currency"]').selectOption('XOF');
    await payFrom(page, numberEnding('2222'), 'orange');
    const code = page.getByLabel('Code', { exact: true });
    await waitForHydration(page);
    await code.evaluate(
      (input: HTMLInputElement, codes) => {
        const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
        for (const text of codes) {
          setValue?.call(input, text);
          input.dispatchEvent(new Event('input', { bubbles: true }));
        }
      },
      ['123456', '654321'],
    );
    await expect(code).toHaveValue('123456');
    await expect(received(page)).toBeVisible(longTimeout);
    expect(sent).toEqual([expect.objectContaining({ otp: '123456' })]);
  });
});

test.describe('on the TV itself', () => {
  test.use(tv);

  test('a customer requests the payment on a phone with only the arrows, and the TV shows the result @slow', async ({
    page,
    origin,
  }) => {
    await visit(page, `${origin}${address}&releaseId=801`);
    await expect(page.locator('html')).toHaveAttribute('data-screen', 'TV');
    await press(page, page.locator('input[name="method"][value="mpesa"]'));
    await press(page, nextButton(page));
    await typeInto(page, mobile(page), numberEnding('7777'));
    await press(page, nextButton(page));
    await expect(confirmOnPhone(page)).toBeVisible();
    await expect(received(page)).toBeVisible(longTimeout);
    await press(page, page.getByRole('link', { name: 'View my orders' }));
    await expect(page).toHaveURL(/\/stb-orders/);
  });
});

test('on a small phone, the pay button with a long name and a long amount has two lines @slow', async ({
  page,
  origin,
}) => {
  await visit(page, `${origin}${address}&currency=MWK&language=pt`);
  await chooseMethod(page, 'airtel');
  await expect(nextButton(page)).toHaveText('Pagar com Airtel Money');
  const lines = await nextButton(page).evaluate((button) => {
    const range = document.createRange();
    range.selectNodeContents(button);
    return new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top))).size;
  });
  expect(lines).toBe(2);
});
