import type { Page } from '@playwright/test';
import { staticPagePolicy } from '#scripts/page-policy.ts';
import { chooseMethod, choosePlanAsVisitor, nextButton, visit } from '#tests/fixtures/checkout.ts';
import { freshAccount, goodPassword } from '#tests/fixtures/customer.ts';
import { optionalCalls } from '#tests/fixtures/foreign-api/optional-calls.ts';
import { startForeignApi, type ForeignApi } from '#tests/fixtures/foreign-api/server.ts';
import { freePort } from '#tests/fixtures/free-port.ts';
import { hasProxy, startStorefrontProxy, type ProxyName } from '#tests/fixtures/real-proxy.ts';
import { startStaticFront } from '#tests/fixtures/static-front.ts';
import { expect, test as base } from '#tests/fixtures/test.ts';

interface ForeignFixtures {
  /** calls that the backend does not have */
  without: readonly string[];
  /** what serves the files of the storefront: our stand-in, or a web server with the settings of the guide */
  web: 'stand-in' | ProxyName;
  /** a backend of another company, and the storefront in front of it */
  foreign: { readonly api: ForeignApi; readonly origin: string };
}

/** Starts what serves the storefront; resolves with the function that stops it. */
async function startWeb(
  web: ForeignFixtures['web'],
  { port, upstream }: { port: number; upstream: number },
): Promise<() => Promise<void>> {
  if (web === 'stand-in') return (await startStaticFront(upstream, port)).close;
  return (await startStorefrontProxy(web, { port, upstream, policy: staticPagePolicy() })).stop;
}

const test = base.extend<ForeignFixtures>({
  without: [[], { option: true }],
  web: ['stand-in', { option: true }],
  foreign: async ({ without, web }, use) => {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const api = await startForeignApi({ port: 0, shopOrigin: origin, without });
    const stop = await startWeb(web, { port, upstream: api.port });
    await use({ api, origin });
    await stop();
    await api.close();
  },
  baseURL: async ({ foreign }, use) => use(foreign.origin),
  // no server of ours runs here
  upAgain: async ({}, use) => use(undefined),
});

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

/** Opens a page, which shows no error message once all of its calls are answered. */
async function open(page: Page, path: string): Promise<void> {
  await visit(page, path);
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('button', { name: 'Dismiss' })).toHaveCount(0);
  await expect(page).toHaveURL(path);
}

/** Reads every public page. */
async function browse(page: Page): Promise<void> {
  await open(page, '/');
  await expect(page).toHaveTitle(/Kestrel/);
  await open(page, '/pricing-table');
  await expect(page.getByRole('main')).toContainText('€99.00');
  await open(page, '/plan-details/30');
  await expect(page.getByRole('main')).toContainText('Two devices at the same time');
  await open(page, '/help');
  await expect(page.getByRole('main')).toContainText('How do I pay?');
  await open(page, '/privacy');
  await expect(page.getByRole('main')).toContainText('We store your email address');
}

/** Creates an account on the page of the sign-up. */
async function register(page: Page, account: string): Promise<void> {
  await page.locator('input[name="account"]').fill(account);
  await page.locator('input[name="password"]').fill(goodPassword);
  await page.locator('input[name="repeated"]').fill(goodPassword);
  await page.locator('input[name="agreed"]').check();
  await page.getByRole('button', { name: 'Create account', exact: true }).click();
}

/** Pays on the page of the provider, which returns to the storefront. */
async function atProvider(page: Page, button: string): Promise<void> {
  await expect(page).toHaveTitle('ExamplePay');
  await page.getByRole('button', { name: button, exact: true }).click();
  await expect(page).toHaveURL(/\/paymentResult\?/);
}

/** Chooses a plan, registers for it, is declined once, and pays. Reloads the page at each step. */
async function buy(page: Page, account: string): Promise<void> {
  await choosePlanAsVisitor(page);
  await register(page, account);
  await expect(page).toHaveURL(/\/payment\?planId=/);
  await chooseMethod(page, 'examplepay');
  await page.reload();
  await nextButton(page).dblclick();
  await atProvider(page, 'Simulate a decline');
  await expect(heading(page, 'The payment didn’t go through')).toBeVisible();
  await page.reload();
  await expect(heading(page, 'The payment didn’t go through')).toBeVisible();
  await page.getByRole('link', { name: 'Try again' }).click();
  await chooseMethod(page, 'examplepay');
  await nextButton(page).click();
  await atProvider(page, 'Pay');
  await expect(heading(page, 'Payment received')).toBeVisible();
  await page.reload();
  await expect(heading(page, 'Payment received')).toBeVisible();
}

/** Reads account and orders, and finds the same order after another login. */
async function readOrders(page: Page, account: string, logIn: () => Promise<void>): Promise<void> {
  await open(page, '/account');
  await expect(page.getByRole('main')).toContainText(account);
  await expect(page.getByRole('main')).toContainText('Kestrel Year');
  await page.getByRole('button', { name: 'Log out' }).click();
  await visit(page, '/orders');
  await expect(page).toHaveURL(/\/login\?/);
  await logIn();
  await expect(page).toHaveURL('/orders');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('row').last()).toContainText('Paid');
}

test('a visitor reads every page, registers, is declined, pays, and finds the order after another login', async ({
  page,
  logIn,
}) => {
  const account = freshAccount();
  await browse(page);
  await buy(page, account);
  await readOrders(page, account, () => logIn(page, { account, password: goodPassword }));
});

test('a customer sees no link to a page that the backend does not have, and such a page is /404', async ({ page }) => {
  await choosePlanAsVisitor(page);
  await register(page, freshAccount());
  await expect(page).toHaveURL(/\/payment\?planId=/);
  await open(page, '/account');
  await expect(page.getByRole('link', { name: 'Receipts' })).toBeVisible();
  for (const name of ['Settings', 'Coupons', 'Connect a TV'])
    await expect(page.getByRole('link', { name })).toHaveCount(0);
  for (const path of ['/settings', '/connect-tv', '/coupons', '/passkeys', '/renewal', '/stb-orders']) {
    await page.goto(path);
    await expect(page).toHaveURL('/404');
  }
  await open(page, '/account');
  await page.getByRole('button', { name: 'Log out' }).click();
  await open(page, '/login');
  await expect(page.getByRole('button', { name: 'Log in with a passkey' })).toHaveCount(0);
});

test.describe('with a backend that has only the required calls', () => {
  test.use({
    without: optionalCalls.map(({ path }) => path),
    // what it does not have is answered with 404, which the browser reports
    expectedErrors: /status of 404 \(Not Found\) \(.*\/api\//,
  });

  test('a visitor reads every page, buys, and finds the order, and sees no error message', async ({ page, logIn }) => {
    const account = freshAccount();
    await browse(page);
    await buy(page, account);
    await readOrders(page, account, () => logIn(page, { account, password: goodPassword }));
  });
});

for (const web of ['nginx', 'caddy'] as const) {
  test.describe(`with ${web} and the settings of the guide`, () => {
    test.use({ web, serviceWorkers: 'allow' });
    test.skip(!hasProxy(web), `${web} is not installed`);

    test('a visitor reads every page, registers and buys, under the policy of our pages', async ({ page, foreign }) => {
      const answer = await page.request.get('/plan-details/30');
      expect(answer.headers()['content-security-policy']).toContain("default-src 'none'");
      const missing = await page.request.get('/assets/missing-1234.js');
      expect(missing.status()).toBe(404);
      await browse(page);
      await buy(page, freshAccount());
      await expect(page).toHaveURL(new RegExp(`^${foreign.origin}/`));
      await page.close();
    });
  });
}
