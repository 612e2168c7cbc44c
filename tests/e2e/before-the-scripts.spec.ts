/** What a page of a customer shows before its scripts have loaded. */
import { delayScripts } from '#tests/fixtures/delay-requests.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

test('a customer sees title and links of the page before its scripts, and a language chosen then is applied', async ({
  page,
  customer,
  beSignedIn,
}) => {
  const t = await loadTranslate('es');
  await beSignedIn(page, customer);
  const release = await delayScripts(page);
  await page.goto('/account', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Receipts' })).toBeVisible();
  await expect(page).toHaveTitle(/^Your account/);
  await page.getByRole('combobox', { name: 'Language' }).selectOption('es');
  await release();
  await expect(page.getByRole('heading', { level: 1, name: t('Account') })).toBeVisible();
  await expect(page.getByRole('button', { name: t('Log out') })).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
});

test('a customer who opens a link to the checkout sees its title before its scripts, then the plan', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  const release = await delayScripts(page);
  await page.goto('/payment?planId=102', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: 'How do you want to pay?' })).toBeVisible();
  await release();
  await expect(page.getByRole('radio').first()).toBeVisible();
});

test('only a visitor is told what a login changes in the prices', async ({ page, customer, beSignedIn }) => {
  const hint = 'Your discounts are added after you log in.';
  await page.goto('/pricing-table');
  await expect(page.getByText(hint)).toBeVisible();
  await beSignedIn(page, customer);
  const release = await delayScripts(page);
  await page.goto('/pricing-table', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: 'Choose your plan' })).toBeVisible();
  await expect(page.getByText(hint)).toBeHidden();
  await release();
  await expect(page.getByText(hint)).toHaveCount(0);
});

test('a visitor sees no placeholder of a page of a customer, and is led to the login', async ({ page }) => {
  const release = await delayScripts(page);
  await page.goto('/orders', { waitUntil: 'commit' });
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  await release();
  await expect(page).toHaveURL('/login?return=%2Forders&reason=needed');
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
});

test.describe('in a browser without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a page of a customer says at once what it needs', async ({ page }) => {
    await page.goto('/account');
    await expect(page.getByText('It needs JavaScript and a connection.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'See plans' })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  });
});
