import type { Page } from '@playwright/test';
import { sendVerificationCode } from '#contract/index.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { freshAccount } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { expect, test } from '#tests/fixtures/test.ts';

// The tests enter a wrong code, and one request fails.
test.use({ expectedErrors: /status of 4\d\d|ERR_FAILED/ });

/** Everything that is shown as an error: fields, and messages above or beside them. */
const errors = (page: Page) => page.locator('form [aria-invalid], [role=alert]');

test('a new code clears every error of the form', async ({ page, shop }) => {
  const code = page.locator('form [name=code]');
  const sendAgain = page.getByRole('button', { name: 'Send again' });
  /** A new code can be requested after a minute. The page learns the time from the response to a wrong code. */
  const typeWrongCode = async () => {
    await expect(code).toBeFocused();
    await shop.passTime(61_000);
    await code.fill('1234');
    await expect(code).toHaveAttribute('aria-invalid');
  };
  await visit(page, `${shop.origin}/login`);
  await page.getByRole('button', { name: 'Use a code instead' }).click();
  await page.locator('form [name=account]').fill(freshAccount());
  await page.getByRole('button', { name: 'Send code' }).click();
  await typeWrongCode();

  const calls = `**${sendVerificationCode.path}`;
  await page.route(calls, (route) => route.abort());
  await sendAgain.click();
  await expect(page.getByRole('alert').filter({ hasText: 'We couldn’t reach the shop' })).toBeVisible();
  await page.unroute(calls);
  await sendAgain.click();
  await expect(code).toHaveValue('');
  await expect(code).toBeFocused();
  await expect(errors(page)).toHaveCount(0);

  // The tap leaves a partly typed field.
  await typeWrongCode();
  await code.fill('12');
  await sendAgain.click();
  await expect(code).toHaveValue('');
  await expectNoFaults(page);
  await expect(errors(page)).toHaveCount(0);
});

test('typing while the form for a code loads loses neither a letter nor the focus', async ({ page, shop }) => {
  const account = page.locator('form [name=account]');
  const address = freshAccount();
  await visit(page, `${shop.origin}/login`);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  const scriptRequest = page.waitForRequest('**/assets/*.js');
  await page.getByRole('button', { name: 'Use a code instead' }).click();
  await scriptRequest;
  await account.focus();
  const typing = page.keyboard.type(address, { delay: 10 });
  await expect(account).toHaveValue(/^.{4}/);
  release();
  await typing;
  await expect(page.getByRole('button', { name: 'Send code' })).toBeVisible();
  await expect(account).toHaveValue(address);
  await expect(account).toBeFocused();
});
