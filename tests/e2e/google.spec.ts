import type { Page } from '@playwright/test';
import { googleClient, googleLogin, login, orders } from '#contract/index.ts';
import { choosePlanAsVisitor, visit, waitForHydration } from '#tests/fixtures/checkout.ts';
import { freshAccount } from '#tests/fixtures/customer.ts';
import { browserStorageOf } from '#tests/fixtures/browser-storage.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { callShop, Refused } from '#tests/fixtures/shop-api.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

/** Opens the login and continues to the page of the provider. */
async function openGoogle(page: Page, address: string, label = 'Continue with Google'): Promise<void> {
  await page.goto(address);
  await waitForHydration(page);
  await page.getByRole('button', { name: label }).click();
  await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible();
}

/** Enters an identity at the provider and returns. */
async function signInAtGoogle(page: Page, email: string, name = 'Bia Ramos'): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Allow' }).click();
}

test('a new customer signs up with Google, accepts the terms and continues; the next login is direct', async ({
  page,
  browser,
  server,
}) => {
  const email = freshAccount();
  await openGoogle(page, '/login?return=%2Fplan-details%2F103');
  await signInAtGoogle(page, email);
  await expect(page).toHaveURL(/\/register/);
  await expect(page.getByRole('main')).toContainText(email);
  const { keys } = await browserStorageOf(page);
  expect(keys.filter((key) => /google/i.test(key))).toEqual([]);

  // The terms have to be accepted first.
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Accept our Terms Of Use and Privacy Policy')).toBeVisible();
  await page.locator('input[name="agreed"]').check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL('/plan-details/103');
  await page.goto('/account');
  await expect(page.getByRole('main').getByText(email).first()).toBeVisible();

  const context = await browser.newContext({ baseURL: server.origin, locale: 'en-US' });
  const next = await context.newPage();
  await openGoogle(next, '/login?return=%2Forders');
  await signInAtGoogle(next, email);
  await expect(next).toHaveURL('/orders');
  await context.close();
});

test('the button of Google does not push the sign-up form away later', async ({ page, cutter }) => {
  await visit(page, `${cutter.origin}/pricing-table`);
  const release = cutter.hold(googleClient.path);
  await page
    .getByRole('link', { name: /^Choose/ })
    .first()
    .click();
  // the navigation waits
  await expect(page.locator('html[data-moving]')).toHaveCount(1);
  await expect(page.locator('input[autocomplete^="username"]')).toHaveCount(0);
  release();
  await page.locator('input[autocomplete^="username"]').waitFor();
  expect(await page.getByRole('button', { name: 'Continue with Google' }).isVisible()).toBe(true);
});

test('a visitor who chose a plan signs up with Google and continues in its checkout @slow', async ({ page }) => {
  const chosen = await choosePlanAsVisitor(page);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await signInAtGoogle(page, freshAccount());
  await page.locator('input[name="agreed"]').check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(chosen);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('How do you want to pay?');
});

test.describe('on a desktop, in Russian', () => {
  test.use({ ...desktop, locale: 'ru-RU' });

  test('cancelling at Google returns to the login and retains the requested page @slow', async ({ page, server }) => {
    const t = await loadTranslate('ru');
    const origin = server.brandOrigin('mego');
    await page.goto(`${origin}/help`);
    await waitForHydration(page);
    await page.getByRole('combobox').first().selectOption('ru');
    await expect(page.locator('html')).toHaveAttribute('lang', /^ru/);
    await openGoogle(page, `${origin}/login?return=%2Forders`, t('Continue with Google'));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText(t('You didn’t log in with Google. Try again or log in another way.'))).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('Log in'));
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ return: '/orders' });
  });
});

test('cancelling at Google returns to the sign-up with what was typed, and its link parameters', async ({ page }) => {
  const account = freshAccount();
  await page.goto('/register?return=%2Forders&aid=box-7');
  await waitForHydration(page);
  await page.locator('input[autocomplete^="username"]').fill(account);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('You didn’t log in with Google. Try again or log in another way.')).toBeVisible();
  await expect(page).toHaveURL('/register?return=%2Forders&aid=box-7');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create your account');
  await expect(page.locator('input[autocomplete^="username"]')).toHaveValue(account);
  await page.getByRole('link', { name: 'Log in' }).click();
  await expect(page).toHaveURL('/login?return=%2Forders');
});

test('a response that this browser did not request is not sent to the server', async ({ page, context }) => {
  const sent: string[] = [];
  context.on('request', (request) => request.url().endsWith(googleLogin.path) && sent.push(request.url()));
  await openGoogle(page, '/login');
  const forged = '/login?state=somebody-elses-state-0123456789&code=somebody-elses-code';
  await page.goto(forged);
  await expect(page.getByText('Google login didn’t work. Please try again.')).toBeVisible();
  await expect(page).toHaveURL('/login');

  // The attempt consumes the pending login, so that states cannot be guessed.
  await page.goto(forged);
  await expect(page.getByText('Google login didn’t work. Please try again.')).toBeVisible();
  expect(sent).toEqual([]);
});

test('a Google login by the owner of an address ends the access of another person who registered it @slow', async ({
  page,
  server,
  registerAt,
}) => {
  const origin = server.brandOrigin('mego');
  const taken = await registerAt(origin);
  await openGoogle(page, `${origin}/login?return=%2Faccount&language=en`);
  await signInAtGoogle(page, taken.account);
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByRole('main').getByText(taken.account).first()).toBeVisible();
  const refused = (error: unknown) => (error instanceof Refused ? error.code : error);
  const byPassword = { account: taken.account, type: 'email', password: taken.password } as const;
  expect(await callShop(origin, login, { body: byPassword }).catch(refused)).toBe(3001);
  expect(await taken.call(orders, { body: { page: 1, size: 1 } }).catch(refused)).toBe(21);
});
