import type { Page } from '@playwright/test';
import { alive } from '../fixtures/checkout.ts';
import { freshAccount } from '../fixtures/customer.ts';
import { expect, test } from '../fixtures/test.ts';

/** Holds back every script of the page until the answer is called, as a slow network does. */
async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/*.js', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

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

test('the login is there before its script: what is typed early goes nowhere, is kept, and then signs in', async ({
  page,
  customer,
}) => {
  const release = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  await expect(submit(page)).toBeDisabled();
  const sent = listen(page);
  await field(page, 'account').pressSequentially(customer.account);
  await field(page, 'password').pressSequentially(customer.password);
  await page.keyboard.press('Enter');
  await field(page, 'account').press('Enter');
  await submit(page).click({ force: true });
  expect(sent).toEqual([]);
  await expect(page).toHaveURL('/login');

  release();
  await alive(page);
  await expect(field(page, 'account')).toHaveValue(customer.account);
  await expect(field(page, 'password')).toHaveValue(customer.password);
  await submit(page).click();
  await expect(page).toHaveURL('/account');
});

test('what the browser has filled in before the script signs in, too', async ({ page, customer }) => {
  const release = await holdScripts(page);
  await page.goto('/login?return=/orders', { waitUntil: 'commit' });
  await expect(submit(page)).toBeDisabled();
  await fillByBrowser(page, { account: customer.account, password: customer.password });
  release();
  await alive(page);
  await submit(page).click();
  await expect(page).toHaveURL('/orders');
});

test('who chose the phone early finds its field, and an address that is typed early next time is not hidden by it', async ({
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

test('sign-up keeps what was typed and ticked early', async ({ page, server }) => {
  const release = await holdScripts(page);
  await page.goto(`${server.brandOrigin('mego')}/register`, { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(submit(page)).toBeDisabled();
  const sent = listen(page);
  const typed = {
    account: freshAccount(),
    password: 'a song of rivers',
    repeated: 'a song of rivers',
    nickname: 'Ana',
  };
  for (const [name, value] of Object.entries(typed)) await field(page, name).pressSequentially(value);
  await field(page, 'agreed').check();
  await field(page, 'nickname').press('Enter');
  expect(sent).toEqual([]);

  release();
  await alive(page);
  for (const [name, value] of Object.entries(typed)) await expect(field(page, name)).toHaveValue(value);
  await expect(field(page, 'agreed')).toBeChecked();
  await submit(page).click();
  await expect(page).toHaveURL(`${server.brandOrigin('mego')}/pricing-table`);
});

test('the way to a new password keeps the address that was typed early, and then sends the mail', async ({ page }) => {
  for (const path of ['/forgot-password', '/lost-password']) {
    const release = await holdScripts(page);
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(submit(page)).toBeDisabled();
    const sent = listen(page);
    const account = freshAccount();
    await field(page, 'account').pressSequentially(account);
    await page.keyboard.press('Enter');
    expect(sent).toEqual([]);
    await expect(page).toHaveURL(path);
    release();
    await alive(page);
    await expect(field(page, 'account')).toHaveValue(account);
    await submit(page).click();
    await expect(page.getByText('a***@example.com')).toBeVisible();
    await page.unrouteAll();
  }
});
