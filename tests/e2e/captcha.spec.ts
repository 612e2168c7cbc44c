import type { Frame, Page } from '@playwright/test';
import { login } from '#contract/auth.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { registerCustomer, type Customer } from '#tests/fixtures/customer.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';
import { startShopOnPostgres } from '#tests/fixtures/shop-on-postgres.ts';
import { expect, test as base } from '#tests/fixtures/test.ts';

/** A server whose captcha is the script of a provider. */
const test = base.extend({
  server: [
    async ({}, use) => {
      const server = await startShopOnPostgres({ env: { SANDBOX_CAPTCHA: 'true' } });
      await use(server);
      await server.dispose();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

// One worker for these few tests: each would start such a server.
test.describe.configure({ mode: 'default' });

const providerScript = '**/sandbox/captcha/api.js*';
/** Wrong passwords that are allowed before the server requires a captcha. */
const guessesBeforeCaptcha = 10;

const checkbox = (page: Page) => page.frameLocator('iframe[title="Confirm you’re human"]').getByRole('checkbox');
const submit = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Log in', exact: true });

/** Registers a customer whose password is then guessed at from this address. */
async function registerAttackedCustomer(origin: string): Promise<Customer> {
  const customer = await registerCustomer(origin);
  const { account } = customer;
  for (let count = 0; count < guessesBeforeCaptcha; count += 1) {
    const guess = { account, type: 'email', password: `guess ${count}` } as const;
    await expect(callShop(origin, login, { body: guess })).rejects.toMatchObject({ code: 3001 });
  }
  return customer;
}

/** Submits the login, after which the server requires the captcha. */
async function submitLogin(page: Page, { account, password }: Customer): Promise<void> {
  await visit(page, '/login');
  await page.locator('input[name="account"]').fill(account);
  await page.locator('input[name="password"]').fill(password);
  await submit(page).click();
}

async function expectNothingLost(page: Page, { account, password }: Customer): Promise<void> {
  await expect(page.locator('input[name="account"]')).toHaveValue(account);
  await expect(page.locator('input[name="password"]')).toHaveValue(password);
}

// The server requires the captcha by refusing the login.
test.use({ expectedErrors: /status of 4\d\d|net::ERR_FAILED/ });

test('one tap on the checkbox of the provider continues the login with the typed data @slow', async ({
  page,
  server,
}) => {
  const customer = await registerAttackedCustomer(server.origin);
  await submitLogin(page, customer);
  await expect(checkbox(page)).toBeVisible();
  await expectNothingLost(page, customer);
  await submit(page).click();
  await expect(page.getByText('Confirm you’re human')).toBeVisible();
  await checkbox(page).check();
  await expect(page.getByText('Confirmed')).toBeVisible();
  await submit(page).click();
  await expect(page).toHaveURL('/account');
});

test('the script of the provider cannot read the storefront, and the storefront cannot read its frame @slow', async ({
  page,
  server,
}) => {
  const customer = await registerAttackedCustomer(server.origin);
  await submitLogin(page, customer);
  await expect(checkbox(page)).toBeVisible();
  const frame = page.frames().find((one) => one.url().includes('/captcha/frame'));
  expect(await frame?.evaluate(reachableData)).toEqual({ origin: 'null', reached: [] });
  const inside = await page.evaluate(() => document.querySelector('iframe')?.contentDocument ?? null);
  expect(inside).toBeNull();
  expect((frame as Frame).url()).not.toContain(customer.account);
});

/** Runs in the frame: tries to reach every kind of data of the storefront. */
function reachableData(): { origin: string; reached: string[] } {
  const tries: Record<string, () => unknown> = {
    'the page': () => parent.document.body,
    'the address of the page': () => parent.location.href,
    'the store of the page': () => parent.localStorage,
    'a store of its own': () => localStorage,
    'the session of the tab': () => sessionStorage,
    cookies: () => document.cookie,
    databases: () => indexedDB.open('shop').result,
  };
  const reached = Object.entries(tries).flatMap(([name, touch]) => {
    try {
      touch();
      return [name];
    } catch {
      return [];
    }
  });
  return { origin: self.origin, reached };
}

test('a blocked provider is reported at once, and the device does proof of work instead @slow', async ({
  page,
  server,
}) => {
  const customer = await registerAttackedCustomer(server.origin);
  await page.route(providerScript, (route) => route.abort());
  await submitLogin(page, customer);
  await expect(page.getByText('The check didn’t load.')).toBeVisible();
  await page.getByRole('button', { name: 'Try another check' }).click();
  await expect(page.getByText('Done. Your device confirmed it for you.')).toBeVisible({ timeout: 20_000 });
  await expectNothingLost(page, customer);
  await submit(page).click();
  await expect(page).toHaveURL('/account');
});

test('a provider that does not load within 10 s is reported, and a retry works without losing typed data @slow', async ({
  page,
  server,
}) => {
  const customer = await registerAttackedCustomer(server.origin);
  // Never answered, like a connection that drops every packet.
  await page.route(providerScript, () => {});
  await submitLogin(page, customer);
  const startedAt = Date.now();
  await expect(page.getByText('The check didn’t load.')).toBeVisible({ timeout: 15_000 });
  expect(Date.now() - startedAt).toBeGreaterThan(8000);
  await page.unroute(providerScript);
  await page.getByRole('button', { name: 'Retry' }).click();
  await checkbox(page).check();
  await expect(page.getByText('Confirmed')).toBeVisible();
  await expectNothingLost(page, customer);
  await submit(page).click();
  await expect(page).toHaveURL('/account');
});
