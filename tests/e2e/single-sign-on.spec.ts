import type { Browser, Page } from '@playwright/test';
import { sso } from '#contract/index.ts';
import { browserStorageOf } from '#tests/fixtures/browser-storage.ts';
import { asOperator } from '#tests/fixtures/operator.ts';
import { desktop, tv } from '#tests/fixtures/screens.ts';
import { ssoLink } from '#tests/fixtures/sso-link.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

const confirmation = (page: Page) => page.getByRole('heading', { name: 'Continue as a***@example.com?' });
const confirmButton = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true });
const loginForm = (page: Page) => page.getByRole('heading', { level: 1, name: 'Log in' });
/** The account that the page shows as signed in. */
const signedIn = (page: Page, account: string) => page.getByRole('main').getByText(account).first();

async function freshPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 360, height: 740 } });
  return context.newPage();
}

test('a link of the app logs in after confirmation, and leads to its target', async ({ browser, server, customer }) => {
  const targets = ['/pricing-table', '/orders', '/payment?planId=101', '/plan?p=103'];
  const expectedPaths = ['/pricing-table', '/orders', '/payment?planId=101', '/plan-details/103'];
  const links = await Promise.all(targets.map((to) => ssoLink(server, { account: customer.account, to })));
  for (const [index, { link, token }] of links.entries()) {
    const page = await freshPage(browser);
    let sent = 0;
    page.on('request', (request) => (sent += Number(request.url().endsWith(sso.path))));
    await page.goto(link);
    await expect(confirmation(page)).toBeVisible();
    expect(sent).toBe(0);
    expect(page.url()).not.toContain(token);
    await confirmButton(page).click();
    await expect(page).toHaveURL(server.origin + (expectedPaths[index] ?? ''));
    await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain(customer.account);
    expect(sent).toBe(1);
    await page.context().close();
  }
});

test.describe('on a desktop, in Portuguese', () => {
  test.use({ ...desktop, locale: 'pt-BR' });

  test('a link of another account replaces the signed-in account only after a warning @slow', async ({
    page,
    server,
    customer,
    registerAt,
  }) => {
    const t = await loadTranslate('pt');
    const message = (english: string, values = {}) => t(english, values).replaceAll(/<\/?\d>/g, '');
    const other = await registerAt(server.origin);
    const [first, same, another] = await Promise.all([
      ssoLink(server, { account: customer.account, to: '/orders', language: 'pt' }),
      ssoLink(server, { account: customer.account, to: '/payment?planId=102', language: 'pt' }),
      ssoLink(server, { account: other.account, to: '/orders', language: 'pt' }),
    ]);
    await page.goto(first.link);
    await page.getByRole('button', { name: t('Continue') }).click();
    await expect(page).toHaveURL('/orders');
    await expect(page.locator('html')).toHaveAttribute('lang', /^pt/);

    // The same account continues without a question.
    await page.goto(same.link);
    await expect(page).toHaveURL('/payment?planId=102');

    // Another account requires confirmation, and a refusal leaves the session unchanged.
    const warning = message(
      'You’re logged in here as {account}. If you continue, we’ll log that account out on this device.',
      { account: customer.account },
    );
    await page.goto(another.link);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      message('Continue as <0>{account}</0>?', { account: 'a***@example.com' }),
    );
    await expect(page.getByText(warning)).toBeVisible();
    await page.getByRole('button', { name: t('Stay in my account') }).click();
    await expect(page).toHaveURL('/orders');
    await page.goto('/account');
    await expect(signedIn(page, customer.account)).toBeVisible();

    await page.goto(another.link);
    await page.getByRole('button', { name: t('Continue') }).click();
    await expect(page).toHaveURL('/orders');
    await page.goto('/account');
    await expect(signedIn(page, other.account)).toBeVisible();
    const { text } = await browserStorageOf(page);
    expect([customer.account, customer.uid].filter((secret) => text.includes(secret))).toEqual([]);
  });
});

test.describe('a link that does not log in', () => {
  test.use({ expectedErrors: /status of 4\d\d .*\/api\/user\/sso\/v1/ });

  test('says why, and the login form leads to the same page @slow', async ({
    page,
    browser,
    server,
    customer,
    registerAt,
  }) => {
    test.setTimeout(120_000);
    const { account } = customer;
    const other = await registerAt(server.origin);
    const [used, expired, elsewhere, unknown] = await Promise.all([
      ssoLink(server, { account, to: '/orders' }),
      ssoLink(server, { account, to: '/orders', lifetimeSeconds: 1 }),
      ssoLink(server, { account, to: '/orders', brand: 'mego' }),
      ssoLink(server, { account: 'anybody@example.com', to: '/orders' }),
    ]);
    const mixed = used.link.replace(/&e=[^&]+/, `&e=${encodeURIComponent(other.account)}`);
    const open = async (link: string) => {
      await page.goto(link);
      await confirmButton(page).click();
      await expect(loginForm(page)).toBeVisible();
      expect(new URL(page.url()).searchParams.get('return')).toBe('/orders');
    };
    const expectMessage = (message: string) => expect(page.getByText(message, { exact: true })).toBeVisible();
    for (const link of [mixed, unknown.link, elsewhere.link.replace('mego.localhost', 'localhost')]) {
      await open(link);
      await expectMessage('This link can’t log you in');
    }
    await open(expired.link);
    await expectMessage('Please log in again');

    const fresh = await freshPage(browser);
    await fresh.goto(used.link);
    await confirmButton(fresh).click();
    await expect(fresh).toHaveURL(/\/orders$/);
    await fresh.context().close();
    await open(used.link);
    await expectMessage('We could not confirm your session. Please log in again.');
  });
});

test.describe('a customer who is signed in', () => {
  test.use({ expectedErrors: /status of 4\d\d .*\/api\/user\/sso\/v1/ });

  test('reads why the link of another account did not log in, and remains signed in @slow', async ({
    page,
    server,
    customer,
    beSignedIn,
  }) => {
    const { link } = await ssoLink(server, { account: 'nobody.at.all@example.com', to: '/orders' });
    await beSignedIn(page, customer);
    await page.goto(link);
    await confirmButton(page).click();
    await expect(page.getByRole('heading', { level: 1, name: 'This link can’t log you in' })).toBeVisible();
    await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
    // Nothing continues before the message can be read: the button remains.
    await expect(page).toHaveURL(/\/login\?/);
    await page.getByRole('button', { name: 'Stay in my account' }).click();
    await expect(page).toHaveURL('/orders');
    await page.goto('/account');
    await expect(signedIn(page, customer.account)).toBeVisible();
  });
});

test('a reload at the confirmation loses the token but not the target, and so does another account @slow', async ({
  page,
  server,
  customer,
  logIn,
}) => {
  const { link } = await ssoLink(server, { account: 'ana.of.the.link@example.com', to: '/payment?planId=101' });
  await page.goto(link);
  await expect(confirmation(page)).toBeVisible();
  await page.reload();
  await expect(loginForm(page)).toBeVisible();
  const account = page.locator('input[autocomplete^="username"]');
  await expect(account).toHaveValue('ana.of.the.link@example.com');
  expect(new URL(page.url()).searchParams.get('return')).toBe('/payment?planId=101');

  await page.goto(link);
  await page.getByRole('button', { name: 'Use another account' }).click();
  await expect(loginForm(page)).toBeVisible();
  await expect(account).toHaveValue('');
  await logIn(page, customer);
  await expect(page).toHaveURL('/payment?planId=101');
});

test.describe('on a TV, in Russian', () => {
  test.use({ ...tv, expectedErrors: /status of 401 .*\/api\/user\/sso\/v1/ });

  test('a blocked account is reported on the notice page, with its code @slow', async ({
    page,
    server,
    registerAt,
  }) => {
    test.setTimeout(120_000);
    const t = await loadTranslate('ru');
    const { account } = await registerAt(server.brandOrigin('mego'));
    await asOperator(server, 'customers block', [{ brand: 'mego', account }]);
    const { link } = await ssoLink(server, { brand: 'mego', account, src: 'qr', to: '/stb-orders', language: 'ru' });
    await page.goto(link);
    await page.getByRole('button', { name: t('Continue'), exact: true }).click();
    await expect(page).toHaveURL(/\/notice\?type=stbLoginErr&errCode=201/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('We couldn’t log you in on this device'));
    await expect(page.getByText(t('Code {errCode}', { errCode: 201 }))).toBeVisible();
    await page.close();
  });
});
