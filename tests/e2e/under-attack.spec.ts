import type { Page } from '@playwright/test';
import { login, resetPasswordByEmail, sendVerificationCode } from '#contract/index.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { registerCustomer, type Customer } from '#tests/fixtures/customer.ts';
import { codeTo, messageTo, linkTo } from '#tests/fixtures/outbox.ts';
import { ask } from '#tests/fixtures/postgres.ts';
import { callShop, Refused } from '#tests/fixtures/shop-api.ts';
import { startShopOnPostgres, type ShopOnPostgres } from '#tests/fixtures/shop-on-postgres.ts';
import { solveCaptcha, type SolvedCaptcha } from '#tests/fixtures/solve-captcha.ts';
import { expect, test as base } from '#tests/fixtures/test.ts';

/** A server behind a proxy, so that attackers have other addresses than the browser. */
const test = base.extend<object, { attackedShop: ShopOnPostgres }>({
  attackedShop: [
    async ({}, use) => {
      const server = await startShopOnPostgres();
      await use(server);
      await server.dispose();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  server: [async ({ attackedShop }, use) => use(attackedShop), { scope: 'worker' }],
  // Registered from another network than that of the browser.
  customer: async ({ server }, use) => use(await registerCustomer(server.origin, '192.0.2.1')),
});

// One worker for these few tests: each would start such a server.
test.describe.configure({ mode: 'default' });

// The captcha that is required first.
test.use({ expectedErrors: /status of 400/ });

const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
const newPassword = 'another song of two rivers';

/** Sends requests from several networks, and solves the captcha where it is required. */
async function sendFromOtherNetworks(
  origin: string,
  account: string,
  ask: (ip: string, solved: Partial<SolvedCaptcha>) => Promise<unknown>,
): Promise<void> {
  for (let index = 1; index <= 6; index += 1) {
    const ip = `203.0.113.${index}`;
    await ask(ip, {}).catch(async (error: unknown) => {
      if (!(error instanceof Refused) || error.code !== -3035) throw error;
      return ask(ip, await solveCaptcha(origin, { account, type: 'email' }, ip));
    });
  }
}

/** Waits until every requested message is sent, so that the next one is that of the owner. */
const expectAllMessagesSent = ({ database }: ShopOnPostgres) =>
  expect.poll(() => ask(database, 'select kind from message_requests')).toEqual([]);

/** The first press starts the proof of work of the device. When it is done, the same button submits. */
async function pressWithCaptcha(page: Page, name: string): Promise<void> {
  await button(page, name).click();
  await expect(page.getByText('Done. Your device confirmed it for you.')).toBeVisible({ timeout: 30_000 });
  await button(page, name).click();
}

async function fillLogin(page: Page, { account }: Pick<Customer, 'account'>, password: string): Promise<void> {
  await field(page, 'account').fill(account);
  await field(page, 'password').fill(password);
}

test('the owner logs in on a new device while attackers guess the password @slow', async ({
  page,
  server,
  customer,
}) => {
  test.setTimeout(120_000);
  const { origin } = server;
  const { account } = customer;
  for (let index = 1; index <= 11; index += 1) {
    const guess = { account, type: 'email', password: 'a guess' } as const;
    const ip = `198.51.100.${index}`;
    const attempts = Array.from({ length: 10 }, () => callShop(origin, login, { body: guess }, { ip }));
    for (const attempt of await Promise.allSettled(attempts)) expect(attempt.status).toBe('rejected');
  }
  await visit(page, '/login?return=%2Faccount');
  await fillLogin(page, customer, customer.password);
  await pressWithCaptcha(page, 'Log in');
  await expect(page).toHaveURL('/account');
  await expect(page.getByRole('main')).toContainText(account);
});

test('the owner gets a code on a new device while attackers request codes @slow', async ({
  page,
  attackedShop,
  customer,
}) => {
  test.setTimeout(90_000);
  const { origin } = attackedShop;
  const { account } = customer;
  await sendFromOtherNetworks(origin, account, (ip, solved) =>
    callShop(
      origin,
      sendVerificationCode,
      { body: { account, type: 'email', scene: 'login', language: 'en', ...solved } },
      { ip },
    ),
  );
  await visit(page, '/login?return=%2Faccount');
  await field(page, 'account').fill(account);
  await button(page, 'Use a code instead').click();
  await expectAllMessagesSent(attackedShop);
  const before = await messageTo(origin, account);
  await pressWithCaptcha(page, 'Send code');
  await field(page, 'code').fill(await codeTo(origin, account, before));
  await expect(page).toHaveURL('/account');
});

test('the owner gets a link for a new password while attackers request emails @slow', async ({
  page,
  attackedShop,
  customer,
}) => {
  test.setTimeout(90_000);
  const { origin } = attackedShop;
  const { account } = customer;
  await sendFromOtherNetworks(origin, account, (ip, solved) =>
    callShop(origin, resetPasswordByEmail, { body: { email: account, language: 'en', ...solved } }, { ip }),
  );
  await visit(page, '/forgot-password');
  await field(page, 'account').fill(account);
  await pressWithCaptcha(page, 'Send me a link');
  await expect(page.getByRole('status').filter({ hasText: 'we’ve sent it an email with a link' })).toBeVisible();
  await expectAllMessagesSent(attackedShop);
  await visit(page, await linkTo(origin, account, '/resetPassword'));
  await field(page, 'password').fill(newPassword);
  await field(page, 'repeated').fill(newPassword);
  await button(page, 'Change password').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your password was changed');
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await fillLogin(page, customer, newPassword);
  await button(page, 'Log in').click();
  await expect(page).not.toHaveURL(/login/);
});
