import type { Browser, Page } from '@playwright/test';
import { blockCustomer } from '../fixtures/block-customer.ts';
import { alive } from '../fixtures/checkout.ts';
import { keptByBrowser } from '../fixtures/kept-by-browser.ts';
import { ssoLink } from '../fixtures/sso-link.ts';
import { expect, test } from '../fixtures/test.ts';
import { listenToBrowser } from '../fixtures/told-to-others.ts';
import { wordsOf } from '../fixtures/words.ts';
import { look } from '/tmp/e2/look.ts';

const desktop = { viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false, deviceScaleFactor: 1 };

const question = (page: Page) => page.getByRole('heading', { name: 'Continue as a***@example.com?' });
const yes = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true });
const loginForm = (page: Page) => page.getByRole('heading', { level: 1, name: 'Log in' });
/** Who the page says is signed in. */
const signedIn = (page: Page, account: string) => page.getByRole('main').getByText(account).first();

async function freshPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 360, height: 740 } });
  return context.newPage();
}

test('a link of the app signs in whoever says yes, and comes out where it led', async ({
  browser,
  page: _page,
  server,
  customer,
}) => {
  const { account } = customer;
  const ways = ['/pricing-table', '/orders', '/payment?planId=101', '/plan?p=103'];
  const ends = ['/pricing-table', '/orders', '/payment?planId=101', '/plan-details/103'];
  const links = await Promise.all(ways.map((to) => ssoLink(server, { account, to })));
  for (const [index, { link, token }] of links.entries()) {
    const page = await freshPage(browser);
    const told = listenToBrowser(page.context());
    await page.goto(link);
    await expect(question(page)).toBeVisible();
    expect(told(token)).toEqual([]);
    expect(page.url()).not.toContain(token);
    if (index === 0) await look(page, 'sso-question');
    await yes(page).click();
    await expect(page).toHaveURL(server.origin + (ends[index] ?? ''));
    await alive(page);
    await page.goto(`${server.origin}/account`);
    await expect(signedIn(page, account)).toBeVisible();
    expect((await keptByBrowser(page)).text).not.toContain(token);
    await page.context().close();
  }
});

test.describe('at a desktop, in Portuguese', () => {
  test.use({ ...desktop, locale: 'pt-BR' });

  test('a link of another account replaces the one that is signed in only after saying so', async ({
    page,
    server,
    customer,
    registerAt,
  }) => {
    const t = await wordsOf('pt');
    const words = (english: string, values = {}) => t(english, values).replaceAll(/<\/?\d>/g, '');
    const other = await registerAt(server.origin);
    const [first, same, second, third] = await Promise.all(
      [customer, customer, other, other].map(({ account }, index) =>
        ssoLink(server, { account, to: index === 1 ? '/payment?planId=102' : '/orders', language: 'pt' }),
      ),
    );
    await page.goto(first?.link ?? '');
    await page.getByRole('button', { name: t('Continue') }).click();
    await expect(page).toHaveURL('/orders');
    await expect(page.locator('html')).toHaveAttribute('lang', /^pt/);

    // The same account goes on without a question.
    await page.goto(same?.link ?? '');
    await expect(page).toHaveURL('/payment?planId=102');

    // Another one is asked about, and left alone by a no.
    const warning = words('You are signed in here as {account}. If you continue, that account is signed out on this device.', { account: customer.account });
    await page.goto(second?.link ?? '');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words('Continue as <0>{account}</0>?', { account: 'a***@example.com' }));
    await expect(page.getByText(warning)).toBeVisible();
    await look(page, 'sso-replace-pt');
    await page.getByRole('button', { name: t('Use another account') }).click();
    await page.waitForTimeout(1500);
    await look(page, 'sso-another-pt');
    await page.goto('/account');
    await expect(signedIn(page, customer.account)).toBeVisible();

    await page.goto(third?.link ?? '');
    await page.getByRole('button', { name: t('Continue') }).click();
    await expect(page).toHaveURL('/orders');
    await page.goto('/account');
    await expect(signedIn(page, other.account)).toBeVisible();
    expect((await keptByBrowser(page)).text).not.toContain(customer.account);
  });
});

test.describe('a link that does not sign in', () => {
  test.use({ expectedErrors: /status of 4\d\d .*\/api\/user\/sso\/v1/ });

  test('says why, and the login form is there', async ({ page, server, customer, registerAt }) => {
    const { account } = customer;
    const other = await registerAt(server.origin);
    const [used, expired, elsewhere, unknown, mixed] = await Promise.all([
      ssoLink(server, { account, to: '/orders' }),
      ssoLink(server, { account, to: '/orders', env: { SSO_APP_SECONDS: '1' } }),
      ssoLink(server, { account, to: '/orders', brand: 'mego' }),
      ssoLink(server, { account: 'anybody@example.com', to: '/orders' }),
      ssoLink(server, { account, to: '/orders' }),
    ]);
    const fresh = await freshPage(page.context().browser()!);
    await fresh.goto(used.link);
    await yes(fresh).click();
    await expect(fresh).toHaveURL(/\/orders$/);
    await fresh.context().close();

    const mismatch = mixed.link.replace(/&e=[^&]+/, `&e=${encodeURIComponent(other.account)}`);
    const ends = [
      [used.link, '?'],
      [expired.link, 'Please log in again'],
      [elsewhere.link.replace('mego.localhost', 'localhost'), '?'],
      [unknown.link, '?'],
      [mismatch, '?'],
    ] as const;
    for (const [link, says] of ends) {
      await page.goto(link);
      await yes(page).click();
      await expect(loginForm(page)).toBeVisible();
      await page.waitForTimeout(300);
      console.log(says, await page.getByRole('main').innerText());
      expect(new URL(page.url()).searchParams.get('return')).toBe('/orders');
    }
    await look(page, 'sso-refused');
  });
});

test('who does not want the account of the link finds an empty login that leads to the same place', async ({
  page,
  server,
  customer,
  logIn,
}) => {
  const { link } = await ssoLink(server, { account: 'somebody.else@example.com', to: '/payment?planId=101' });
  await page.goto(link);
  await page.getByRole('button', { name: 'Use another account' }).click();
  await expect(loginForm(page)).toBeVisible();
  await expect(page.locator('input[autocomplete="username"]')).toHaveValue('');
  await look(page, 'sso-another');
  await logIn(page, customer);
  await expect(page).toHaveURL('/payment?planId=101');
});

test('a reload at the question loses the token and not the way', async ({ page, server, customer, logIn }) => {
  const { link } = await ssoLink(server, { account: customer.account, to: '/orders' });
  await page.goto(link);
  await expect(question(page)).toBeVisible();
  await page.reload();
  await expect(loginForm(page)).toBeVisible();
  await look(page, 'sso-reload');
  await expect(page.locator('input[autocomplete="username"]')).toHaveValue(customer.account);
  await logIn(page, customer);
  await expect(page).toHaveURL('/orders');
});

test.describe('on a TV, in Russian', () => {
  test.use({ viewport: { width: 1280, height: 720 }, isMobile: false, hasTouch: false, deviceScaleFactor: 1, expectedErrors: /status of 401 .*\/api\/user\/sso\/v1/ });

  test('an account that may not log in hears so on the notice page, with the code', async ({ page, ownServer, registerAt }) => {
    const t = await wordsOf('ru');
    const { account } = await registerAt(ownServer.brandOrigin('mego'));
    await ownServer.stop();
    await blockCustomer(ownServer.dataDir, account);
    await ownServer.restart();
    const { link } = await ssoLink(ownServer, { brand: 'mego', account, src: 'qr', to: '/stb-orders', language: 'ru' });
    await page.goto(link);
    await look(page, 'sso-tv-ru');
    await page.getByRole('button', { name: t('Continue'), exact: true }).click();
    await expect(page).toHaveURL(/\/notice\?type=stbLoginErr&errCode=201/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('We could not log you in on this device'));
    await expect(page.getByText(t('Code {errCode}', { errCode: 201 }))).toBeVisible();
    await look(page, 'sso-blocked-ru');
  });
});
