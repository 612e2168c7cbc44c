import type { Page } from '@playwright/test';
import { login } from '#contract/auth.ts';
import { waitForHydration, visit } from '#tests/fixtures/checkout.ts';
import { freshAccount } from '#tests/fixtures/customer.ts';
import { faultsOf } from '#tests/fixtures/faults.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';
import { ssoLink } from '#tests/fixtures/sso-link.ts';
import { startTvDevice } from '#tests/fixtures/tv-device.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate, type Translate } from '#tests/fixtures/translate.ts';

const main = (page: Page) => page.getByRole('main');
const heading = (page: Page) => main(page).getByRole('heading', { level: 1 });
const field = (page: Page, name: string) => main(page).locator(`input[name="${name}"]`);
const submit = (page: Page) => main(page).locator('form button[type="submit"]');
const press = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true }).click();

/** Collects the faults of several states of a page, so that a test reports all of them at its end. */
function accessibilityScan() {
  const faults: string[] = [];
  return {
    faults,
    check: async (page: Page, state: string) => {
      for (const fault of await faultsOf(page)) faults.push(`${state}: ${fault}`);
    },
  };
}

/** Sends ten wrong passwords, after which the server requires a captcha. */
async function sendWrongPasswords(origin: string, account: string): Promise<void> {
  for (let count = 0; count < 10; count += 1) {
    const body = { account, type: 'email', password: `guess ${count}` } as const;
    await expect(callShop(origin, login, { body })).rejects.toMatchObject({ code: 3001 });
  }
}

async function logInStates(page: Page, t: Translate, { check }: ReturnType<typeof accessibilityScan>): Promise<void> {
  await submit(page).click();
  await expect(field(page, 'account')).toHaveAttribute('aria-invalid', 'true');
  await check(page, 'login with empty fields');
  const account = freshAccount();
  await sendWrongPasswords(new URL(page.url()).origin, account);
  await field(page, 'account').fill(account);
  await field(page, 'password').fill('wrong once more');
  await submit(page).click();
  await expect(main(page).getByText(t('Done. Your device confirmed it for you.'))).toBeVisible({ timeout: 20_000 });
  await check(page, 'login with a captcha');
  await submit(page).click();
  await expect(main(page).getByRole('alert').first()).toBeVisible();
  await check(page, 'login refused');
}

test.use({ viewport: { width: 320, height: 640 }, expectedErrors: /status of 4\d\d/ });
test.describe.configure({ timeout: 120_000 });

test('on the narrowest phone, login, sign-up and reset are accessible in every state: ru @slow', async ({
  page,
  server,
}) => {
  const t = await loadTranslate('ru');
  const { faults, ...scan } = accessibilityScan();
  const origin = server.brandOrigin('mego');
  const at = (path: string) => visit(page, `${origin}${path}?language=ru`);
  await at('/login');
  await logInStates(page, t, { faults, ...scan });
  await at('/register');
  await submit(page).click();
  await expect(field(page, 'agreed')).toHaveAttribute('aria-invalid', 'true');
  await main(page)
    .locator('label')
    .filter({ hasText: t('Phone') })
    .click();
  await expect(main(page).locator('input[autocomplete="tel-national"]')).toBeVisible();
  await scan.check(page, 'sign-up with every error');
  await main(page)
    .locator('label')
    .filter({ hasText: t('Email') })
    .click();
  await main(page)
    .getByRole('link', { name: t('Privacy Policy') })
    .or(main(page).locator('form label a').last())
    .first()
    .click();
  await expect(page.getByRole('dialog').getByRole('heading').nth(1)).toBeVisible();
  await scan.check(page, 'the privacy policy');
  await at('/forgot-password');
  // The account of the previous form is filled in first.
  await expect(field(page, 'account')).toHaveValue(/@/);
  await field(page, 'account').fill(freshAccount());
  await submit(page).click();
  await expect(main(page).getByRole('status').first()).toBeVisible();
  await scan.check(page, 'a mail with a link was sent');
  await at('/resend-confirm');
  await scan.check(page, 'asking for a confirmation');
  await page.goto(`${origin}/resetPassword?token=${'A'.repeat(24)}&language=ru`);
  await expect(main(page).getByText(t('This link is no longer available'))).toBeVisible();
  await scan.check(page, 'a link that is gone');
  expect(faults).toEqual([]);
});

test('on the narrowest phone, login by code, link, TV and Google is accessible in every state: pt @slow', async ({
  page,
  server,
  customer,
}) => {
  const t = await loadTranslate('pt');
  const { faults, check } = accessibilityScan();
  await visit(page, '/login?language=pt');
  await press(page, t('Use a code instead'));
  await expect(main(page).getByRole('button', { name: t('Use a password instead') })).toBeVisible();
  await field(page, 'account').fill(freshAccount());
  await press(page, t('Send code'));
  await field(page, 'code').fill('0000');
  await expect(field(page, 'code')).toHaveAttribute('aria-invalid', 'true');
  await check(page, 'a code that is wrong');
  await visit(page, '/register?language=pt');
  await check(page, 'sign-up with a code');

  const { link } = await ssoLink(server, { account: customer.account, language: 'pt' });
  await visit(page, link);
  await expect(heading(page)).toContainText('***');
  await check(page, 'a link that signs on');
  await press(page, t('Continue'));
  await expect(page).toHaveURL('/pricing-table');
  const other = await ssoLink(server, { account: freshAccount(), language: 'pt' });
  await visit(page, other.link);
  await expect(main(page).getByText(customer.account)).toBeVisible();
  await check(page, 'a link of somebody else');
  await press(page, t('Continue'));
  await expect(main(page).getByRole('alert').first()).toBeVisible();
  await check(page, 'a link that does not sign on');
  await press(page, t('Stay in my account'));
  await expect(page).toHaveURL('/pricing-table');

  await visit(page, '/device?language=pt');
  await check(page, 'typing the code of a TV');
  await field(page, 'code').fill('BCDFGHJK');
  await submit(page).click();
  await expect(field(page, 'code')).toHaveAttribute('aria-invalid', 'true');
  await check(page, 'a code that no TV has');
  const tvDevice = await startTvDevice(server.origin);
  await visit(page, tvDevice.link);
  await expect(heading(page)).toBeVisible();
  await check(page, 'the TV of a link');
  await press(page, t('No'));
  await expect(heading(page)).toHaveText(t('No one was logged in'));
  await check(page, 'the TV was refused');

  await page.evaluate(() => localStorage.clear());
  await visit(page, '/login?language=pt');
  // The form for the requested code is restored first, and moves the content below it.
  await expect(field(page, 'code')).toBeVisible();
  await press(page, t('Continue with Google'));
  await page.getByRole('button', { name: /^Ivan Petrov/ }).click();
  await waitForHydration(page);
  await expect(main(page).getByText('ivan.petrov@example.com')).toBeVisible();
  await submit(page).click();
  await expect(field(page, 'agreed')).toHaveAttribute('aria-invalid', 'true');
  await check(page, 'sign-up with Google');
  expect(faults).toEqual([]);
});
