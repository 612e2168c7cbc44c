/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { login } from '#contract/index.ts';
import { alive } from '#tests/fixtures/checkout.ts';
import { freshAccount } from '#tests/fixtures/customer.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { wordsOf } from '#tests/fixtures/words.ts';

/** Holds back what the page asks for at such addresses until the answer is called, as a slow network does. */
async function hold(page: Page, addresses: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(addresses, async (route) => {
    await released;
    await route.fallback();
  });
  return release;
}

/** Holds back every script of the page. */
const holdScripts = (page: Page) => hold(page, '**/*.js');

const field = (page: Page, name: string) => page.locator(`main input[name="${name}"]`);
const submit = (page: Page) => page.locator('main form button[type="submit"]');

/** What a browser does that knows the customer: it fills the fields in, and no script hears of it. */
const fillByBrowser = (page: Page, values: Readonly<Record<string, string>>) =>
  page.evaluate((known) => {
    for (const [name, value] of Object.entries(known)) {
      const input = document.querySelector<HTMLInputElement>(`main input[name="${name}"]`);
      if (input) input.value = value;
    }
  }, values);

/** Everything that has gone out and is no file of the page. */
function listen(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (!['document', 'script', 'image', 'manifest', 'stylesheet', 'other'].includes(request.resourceType()))
      sent.push(`${request.method()} ${request.url()}`);
    if (request.isNavigationRequest()) sent.push(`page ${request.url()}`);
  });
  return sent;
}

test('the login is there before its script: what is typed and tapped early goes nowhere, is kept, and signs in by itself', async ({
  page,
  customer,
}) => {
  const release = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  await expect(submit(page)).toBeEnabled();
  const sent = listen(page);
  await field(page, 'account').pressSequentially(customer.account);
  await field(page, 'password').pressSequentially(customer.password);
  await page.keyboard.press('Enter');
  await field(page, 'account').press('Enter');
  await submit(page).click();
  await submit(page).click();
  expect(sent).toEqual([]);
  await expect(page).toHaveURL('/login');

  release();
  await expect(page).toHaveURL('/account');
  expect(sent.filter((one) => one.endsWith(login.path))).toHaveLength(1);
});

test('a language that is chosen early is spoken as soon as the page lives @slow', async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto('/pricing-table', { waitUntil: 'commit' });
  await page.locator('header select').first().selectOption('pt');
  release();
  await alive(page);
  await expect(page.locator('html')).toHaveAttribute('lang', 'pt');
});

test('what the browser has filled in before the script signs in, too @slow', async ({ page, customer }) => {
  const release = await holdScripts(page);
  await page.goto('/login?return=/orders', { waitUntil: 'commit' });
  await expect(submit(page)).toBeEnabled();
  await fillByBrowser(page, { account: customer.account, password: customer.password });
  release();
  await alive(page);
  await submit(page).click();
  await expect(page).toHaveURL('/orders');
});

test('who chose the phone early finds its field, and an address that is typed early next time is not hidden by it @slow', async ({
  page,
}) => {
  let release = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.locator('main label').filter({ hasText: 'Phone' }).click();
  release();
  await alive(page);
  await expect(page.getByRole('radio', { name: 'Phone' })).toBeChecked();
  await expect(page.locator('main input[autocomplete="tel-national"]')).toBeVisible();

  await page.unrouteAll();
  release = await holdScripts(page);
  await page.reload({ waitUntil: 'commit' });
  await field(page, 'account').pressSequentially('ana@example.com');
  release();
  await alive(page);
  await expect(page.getByRole('radio', { name: 'Email' })).toBeChecked();
  await expect(field(page, 'account')).toHaveValue('ana@example.com');
});

test('sign-up keeps what was typed, ticked and sent early @slow', async ({ page, server }) => {
  const release = await holdScripts(page);
  await page.goto(`${server.brandOrigin('mego')}/register`, { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(submit(page)).toBeEnabled();
  const sent = listen(page);
  const typed = {
    account: freshAccount(),
    password: 'a song of rivers',
    repeated: 'a song of rivers',
    nickname: 'Ana',
  };
  await page.getByText('Add a nickname').click();
  for (const [name, value] of Object.entries(typed)) await field(page, name).pressSequentially(value);
  await field(page, 'agreed').check();
  await field(page, 'nickname').press('Enter');
  expect(sent).toEqual([]);

  release();
  await expect(page).toHaveURL(`${server.brandOrigin('mego')}/pricing-table`);
});

test('the way to a new password keeps the address that was typed early, and then sends the mail @slow', async ({
  page,
}) => {
  for (const path of ['/forgot-password', '/lost-password']) {
    const release = await holdScripts(page);
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(submit(page)).toBeEnabled();
    const sent = listen(page);
    const account = freshAccount();
    await field(page, 'account').pressSequentially(account);
    await page.keyboard.press('Enter');
    expect(sent).toEqual([]);
    await expect(page).toHaveURL(path);
    release();
    await expect(page.getByText(account)).toBeVisible();
    await page.unrouteAll();
  }
});

/** Runs in the page: counts how often something else stood where the link is seen, from now on. */
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

test.describe('for who likes motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('a page that comes to life stays where it is read, and nothing ever stands before what can be tapped @slow', async ({
    page,
  }) => {
    const link = 'main [data-period] a[href="/plan-details/303"]';
    const release = await holdScripts(page);
    await page.goto('/pricing-table', { waitUntil: 'commit' });
    await page.locator(link).evaluate((shown) => shown.scrollIntoView({ block: 'center', behavior: 'instant' }));
    const read = await page.evaluate(() => scrollY);
    expect(read).toBeGreaterThan(100);
    await page.evaluate(watchLink, link);
    release();
    await alive(page);
    // as long as a page takes to change into another
    await page.waitForTimeout(500);
    expect(await page.evaluate(() => scrollY)).toBe(read);
    expect(await page.evaluate(() => (globalThis as unknown as { missed: string[] }).missed)).toEqual([]); // as: set by watchLink()
  });
});

/** Holds back the script of a part of the login that comes to life after the form. */
const holdOtherWays = (page: Page) => hold(page, '**/other-ways*.js');

test('a way in that was tapped before anything lived does what it was tapped for, though it is the last to live @slow', async ({
  page,
}) => {
  const release = await holdOtherWays(page);
  const releaseAll = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  const google = page.getByRole('button', { name: 'Continue with Google' });
  await google.click();
  releaseAll();
  await alive(page);
  await expect(page).toHaveURL('/login');
  release();
  await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible();
});

test('a way in that comes to life after the form does what it was tapped for @slow', async ({ page }) => {
  const release = await holdOtherWays(page);
  await page.goto('/login', { waitUntil: 'commit' });
  const google = page.getByRole('button', { name: 'Continue with Google' });
  await expect(google).toBeEnabled();
  await alive(page);
  // the form lives, and what was tapped before is done
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100)))),
  );
  await google.click();
  await expect(page).toHaveURL('/login');
  release();
  await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible();
});

test('a part of the login page that loads after the language was changed is shown in that language, without an error', async ({
  page,
}) => {
  const t = await wordsOf('pt');
  const release = await holdOtherWays(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await alive(page);
  await page.getByRole('combobox', { name: 'Language' }).selectOption('pt');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('Log in'));
  release();
  await expect(page.getByRole('button', { name: t('Log in with a passkey') })).toBeVisible();
  await expect(page.getByRole('button', { name: t('Continue with Google') })).toBeVisible();
});

test('who has to wait for the next page sees that it is coming, until it is there', async ({ page }) => {
  await page.goto('/');
  await alive(page);
  const release = await hold(page, '**/api/**');
  await page.locator('footer').getByRole('link', { name: 'Privacy' }).click();
  const sign = () => page.evaluate(() => getComputedStyle(document.documentElement, '::before').content);
  await expect.poll(sign).toBe('""');
  release();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible();
  await expect.poll(sign).toBe('none');
});
