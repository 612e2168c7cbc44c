/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { login } from '#contract/index.ts';
import { waitForHydration } from '#tests/fixtures/checkout.ts';
import { freshAccount } from '#tests/fixtures/customer.ts';
import { delayRequests, delayScripts } from '#tests/fixtures/delay-requests.ts';
import { waitForIdle } from '#tests/fixtures/idle.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

const field = (page: Page, name: string) => page.locator(`main input[name="${name}"]`);
const submit = (page: Page) => page.locator('main form button[type="submit"]');

/** Fills in fields as a browser with saved data does, without an event for scripts. */
const fillByBrowser = (page: Page, values: Readonly<Record<string, string>>) =>
  page.evaluate((known) => {
    for (const [name, value] of Object.entries(known)) {
      const input = document.querySelector<HTMLInputElement>(`main input[name="${name}"]`);
      if (input) input.value = value;
    }
  }, values);

/** Records every request except those for files of the page. */
function recordRequests(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (!['document', 'script', 'image', 'manifest', 'stylesheet', 'other'].includes(request.resourceType()))
      sent.push(`${request.method()} ${request.url()}`);
    if (request.isNavigationRequest()) sent.push(`page ${request.url()}`);
  });
  return sent;
}

test('the login form retains input and taps from before its script has loaded, and then logs in once', async ({
  page,
  customer,
}) => {
  const release = await delayScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  await expect(submit(page)).toBeEnabled();
  const sent = recordRequests(page);
  await field(page, 'account').pressSequentially(customer.account);
  await field(page, 'password').pressSequentially(customer.password);
  await page.keyboard.press('Enter');
  await field(page, 'account').press('Enter');
  await submit(page).click();
  await submit(page).click();
  expect(sent).toEqual([]);
  await expect(page).toHaveURL('/login');

  await release();
  await expect(page).toHaveURL('/account');
  expect(sent.filter((one) => one.endsWith(login.path))).toHaveLength(1);
});

test('a language that is selected early applies as soon as the page is hydrated @slow', async ({ page }) => {
  const release = await delayScripts(page);
  await page.goto('/pricing-table', { waitUntil: 'commit' });
  await page.locator('header select').first().selectOption('pt');
  await release();
  await waitForHydration(page);
  await expect(page.locator('html')).toHaveAttribute('lang', 'pt');
});

test('a login that the browser filled in before the script had loaded succeeds @slow', async ({ page, customer }) => {
  const release = await delayScripts(page);
  await page.goto('/login?return=/orders', { waitUntil: 'commit' });
  await expect(submit(page)).toBeEnabled();
  await fillByBrowser(page, { account: customer.account, password: customer.password });
  await release();
  await waitForHydration(page);
  await submit(page).click();
  await expect(page).toHaveURL('/orders');
});

test('an early choice of the phone shows its field, and an early email address is not hidden by it later @slow', async ({
  page,
}) => {
  let release = await delayScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.locator('main label').filter({ hasText: 'Phone' }).click();
  await release();
  await waitForHydration(page);
  await expect(page.getByRole('radio', { name: 'Phone' })).toBeChecked();
  await expect(page.locator('main input[autocomplete="tel-national"]')).toBeVisible();

  await page.unrouteAll();
  release = await delayScripts(page);
  await page.reload({ waitUntil: 'commit' });
  await field(page, 'account').pressSequentially('ana@example.com');
  await release();
  await waitForHydration(page);
  await expect(page.getByRole('radio', { name: 'Email' })).toBeChecked();
  await expect(field(page, 'account')).toHaveValue('ana@example.com');
});

test('sign-up retains what was typed, checked and submitted early @slow', async ({ page, server }) => {
  const release = await delayScripts(page);
  await page.goto(`${server.brandOrigin('mego')}/register`, { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(submit(page)).toBeEnabled();
  const sent = recordRequests(page);
  const typed = {
    account: freshAccount(),
    password: 'a song of rivers',
    repeated: 'a song of rivers',
    nickname: 'Ana',
  };
  await page.getByText('Add nickname').click();
  for (const [name, value] of Object.entries(typed)) await field(page, name).pressSequentially(value);
  await field(page, 'agreed').check();
  await field(page, 'nickname').press('Enter');
  expect(sent).toEqual([]);

  await release();
  await expect(page).toHaveURL(`${server.brandOrigin('mego')}/pricing-table`);
});

test('the password reset retains an address that was typed early, and then sends the email @slow', async ({ page }) => {
  for (const path of ['/forgot-password', '/lost-password']) {
    const release = await delayScripts(page);
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(submit(page)).toBeEnabled();
    const sent = recordRequests(page);
    const account = freshAccount();
    await field(page, 'account').pressSequentially(account);
    await page.keyboard.press('Enter');
    expect(sent).toEqual([]);
    await expect(page).toHaveURL(path);
    await release();
    await expect(page.getByText(account)).toBeVisible();
    await page.unrouteAll();
  }
});

/** Runs in the page: from now on, records each time when something else covers the link. */
function watchLink(selector: string): void {
  const missed: string[] = [];
  Object.assign(globalThis, { missed });
  setInterval(() => {
    const link = document.querySelector(selector);
    const { left, top, width, height } = link?.getBoundingClientRect() ?? new DOMRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!link?.contains(hit)) missed.push(hit?.tagName ?? 'nothing');
  }, 5);
}

test.describe('without reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('hydration does not move the page, and nothing ever covers what can be tapped @slow', async ({ page }) => {
    const link = 'main [data-period] a[href="/plan-details/303"]';
    const release = await delayScripts(page);
    await page.goto('/pricing-table', { waitUntil: 'commit' });
    await page.locator(link).evaluate((shown) => shown.scrollIntoView({ block: 'center', behavior: 'instant' }));
    const read = await page.evaluate(() => scrollY);
    expect(read).toBeGreaterThan(100);
    await page.evaluate(watchLink, link);
    const preloaded = page.waitForResponse(/\/assets\/plan-(?!badge)[\w-]+\.js$/);
    await release();
    await waitForHydration(page);
    // the last that a page does by itself: it preloads the pages of its links
    await preloaded;
    await waitForIdle(page);
    // such as a transition between pages
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
    expect(await page.evaluate(() => scrollY)).toBe(read);
    expect(await page.evaluate(() => (globalThis as unknown as { missed: string[] }).missed)).toEqual([]); // as: set by watchLink()
  });
});

/** Delays the script of a part of the login that is hydrated after the form. */
const delayOtherMethods = (page: Page) => delayRequests(page, '**/passkeys-*.js');

test('a login method that was tapped before any hydration works, although it is hydrated last @slow', async ({
  page,
}) => {
  const release = await delayOtherMethods(page);
  const releaseAll = await delayScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  const google = page.getByRole('button', { name: 'Continue with Google' });
  await google.click();
  await releaseAll();
  await waitForHydration(page);
  await expect(page).toHaveURL('/login');
  await release();
  await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible();
});

test('a login method that was tapped after the hydration of the form but before its own works @slow', async ({
  page,
}) => {
  const release = await delayOtherMethods(page);
  await page.goto('/login', { waitUntil: 'commit' });
  const google = page.getByRole('button', { name: 'Continue with Google' });
  await expect(google).toBeEnabled();
  await waitForHydration(page);
  // Earlier taps are replayed two frames after the hydration of the form.
  await waitForIdle(page);
  await google.click();
  await expect(page).toHaveURL('/login');
  await release();
  await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible();
});

test('a part of the login that loads after a language change is shown in that language, without an error', async ({
  page,
}) => {
  const t = await loadTranslate('pt');
  const release = await delayOtherMethods(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await waitForHydration(page);
  await page.getByRole('combobox', { name: 'Language' }).selectOption('pt');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('Log in'));
  await release();
  await expect(page.getByRole('button', { name: t('Log in with a passkey') })).toBeVisible();
  await expect(page.getByRole('button', { name: t('Continue with Google') })).toBeVisible();
});

test('a slow navigation is indicated until the next page is shown', async ({ page }) => {
  await page.goto('/');
  await waitForHydration(page);
  const release = await delayRequests(page, '**/api/**');
  await page.locator('footer').getByRole('link', { name: 'Privacy' }).click();
  const indicator = () => page.evaluate(() => getComputedStyle(document.documentElement, '::before').content);
  await expect.poll(indicator).toBe('""');
  await release();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible();
  await expect.poll(indicator).toBe('none');
});
