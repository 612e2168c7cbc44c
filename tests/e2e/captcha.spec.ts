import type { Frame, Page } from '@playwright/test';
import { login } from '#contract/auth.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { registerCustomer, type Customer } from '#tests/fixtures/customer.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';
import { startShopOnPostgres } from '#tests/fixtures/shop-on-postgres.ts';
import { expect, test as base } from '#tests/fixtures/test.ts';

/** A shop whose captcha is the script of a provider. */
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

// one worker for its few stories, because each would start such a shop
test.describe.configure({ mode: 'default' });

const providerScript = '**/sandbox/captcha/api.js*';
/** Wrong passwords that the shop takes before it asks for a captcha. */
const freeTries = 10;

const box = (page: Page) => page.frameLocator('iframe[title="Confirm that you are a person"]').getByRole('checkbox');
const submit = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Log in', exact: true });

/** Somebody whose password was guessed at, from this address. */
async function suspect(origin: string): Promise<Customer> {
  const customer = await registerCustomer(origin);
  const { account } = customer;
  for (let count = 0; count < freeTries; count += 1) {
    const guess = { account, type: 'email', password: `guess ${count}` } as const;
    await expect(callShop(origin, login, { body: guess })).rejects.toMatchObject({ code: 3001 });
  }
  return customer;
}

/** Logs in as far as the captcha, which the shop then asks for. */
async function upToCaptcha(page: Page, { account, password }: Customer): Promise<void> {
  await visit(page, '/login');
  await page.locator('input[name="account"]').fill(account);
  await page.locator('input[name="password"]').fill(password);
  await submit(page).click();
}

async function expectNothingLost(page: Page, { account, password }: Customer): Promise<void> {
  await expect(page.locator('input[name="account"]')).toHaveValue(account);
  await expect(page.locator('input[name="password"]')).toHaveValue(password);
}

// the shop asks for the captcha by refusing
test.use({ expectedErrors: /status of 4\d\d|net::ERR_FAILED/ });

test('one tap in the box of the provider, and the login goes on with what was typed @slow', async ({
  page,
  server,
}) => {
  const customer = await suspect(server.origin);
  await upToCaptcha(page, customer);
  await expect(box(page)).toBeVisible();
  await expectNothingLost(page, customer);
  await submit(page).click();
  await expect(page.getByText('Confirm that you are a person')).toBeVisible();
  await box(page).check();
  await expect(page.getByText('Confirmed')).toBeVisible();
  await submit(page).click();
  await expect(page).toHaveURL('/account');
});

test('the script of the provider cannot read the shop, nor the shop it @slow', async ({ page, server }) => {
  const customer = await suspect(server.origin);
  await upToCaptcha(page, customer);
  await expect(box(page)).toBeVisible();
  const frame = page.frames().find((one) => one.url().includes('/captcha/frame'));
  expect(await frame?.evaluate(whatItCanReach)).toEqual({ origin: 'null', reached: [] });
  const inside = await page.evaluate(() => document.querySelector('iframe')?.contentDocument ?? null);
  expect(inside).toBeNull();
  expect((frame as Frame).url()).not.toContain(customer.account);
});

/** In the frame: everything of ours that it tries to touch. */
function whatItCanReach(): { origin: string; reached: string[] } {
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

test('a provider that is refused says so at once, and the device proves it instead @slow', async ({ page, server }) => {
  const customer = await suspect(server.origin);
  await page.route(providerScript, (route) => route.abort());
  await upToCaptcha(page, customer);
  await expect(page.getByText('The check did not load.')).toBeVisible();
  await page.getByRole('button', { name: 'Use another check' }).click();
  await expect(page.getByText('Done. Your device has proved it for you.')).toBeVisible({ timeout: 20_000 });
  await expectNothingLost(page, customer);
  await submit(page).click();
  await expect(page).toHaveURL('/account');
});

test('a provider that does not come within 10 s says so; it can be tried again, and nothing typed is lost @slow', async ({
  page,
  server,
}) => {
  const customer = await suspect(server.origin);
  // never answered, as a wire that swallows everything
  await page.route(providerScript, () => {});
  await upToCaptcha(page, customer);
  const asked = Date.now();
  await expect(page.getByText('The check did not load.')).toBeVisible({ timeout: 15_000 });
  expect(Date.now() - asked).toBeGreaterThan(8000);
  await page.unroute(providerScript);
  await page.getByRole('button', { name: 'Retry' }).click();
  await box(page).check();
  await expect(page.getByText('Confirmed')).toBeVisible();
  await expectNothingLost(page, customer);
  await submit(page).click();
  await expect(page).toHaveURL('/account');
});
