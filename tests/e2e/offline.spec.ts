import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#tests/fixtures/test.ts';
import { browserStorageOf } from '#tests/fixtures/browser-storage.ts';
import { waitForWorker } from '#tests/fixtures/worker-ready.ts';
import { randomUUID } from 'node:crypto';
import { goodsValuation, pay } from '#contract/index.ts';
import { startSilentWire } from '#tests/fixtures/silent-wire.ts';
import { buyByCard, registerCustomer, type Customer } from '#tests/fixtures/customer.ts';

test.use({ serviceWorkers: 'allow' });

// Requests fail while there is no network; a server that starts answers 503.
test.use({
  expectedErrors:
    /net::ERR_(CONNECTION_REFUSED|INTERNET_DISCONNECTED|FAILED|CONNECTION_RESET|EMPTY_RESPONSE)|network unreachable|status of 50[23]/,
});

// These tests wait for several seconds, and longer on a busy machine.
test.describe.configure({ timeout: 120_000 });

const savedCopy = /Saved copy from .*20\d\d/;
const prices = (page: Page) => page.getByText(/R\$/).filter({ visible: true });
const retry = /try again|retry/i;

test('offline, the storefront opens and shows the plans from the saved copy, with its time @slow', async ({
  page,
  context,
  server,
}) => {
  await page.goto(`${server.origin}/pricing-table`);
  await waitForWorker(page, 'en');
  const price = await prices(page).first().innerText();
  await expect(page.getByText(savedCopy)).toHaveCount(0);

  await context.setOffline(true);
  await page.goto(`${server.origin}/pricing-table`);
  await expect(prices(page).first()).toHaveText(price);
  await expect(page.getByText(savedCopy)).toBeVisible();

  await context.setOffline(false);
  await expect(page.getByText(savedCopy)).toHaveCount(0, { timeout: 45_000 });
});

const address = {
  zipCode: '01310100',
  state: 'SP',
  city: 'São Paulo',
  street: 'Avenida Paulista',
  streetNumber: '1578',
};

/** Creates an order on another phone that waits for its payment. */
async function createPendingOrder(customer: Customer, planId: string, methodCode: 'pix' | 'boleto'): Promise<string> {
  const purchase = { planId, methodCode, currency: 'BRL' };
  const { quoteId } = await customer.call(goodsValuation, { body: purchase });
  const payer = { firstName: 'Ana', lastName: 'Souza', document: '52998224725', address };
  const body = { ...purchase, quoteId, installments: 1, payer, returnUrl: '/paymentResult', source: 'WEB' as const };
  const { orderId } = await customer.call(pay, { body }, { idempotencyKey: randomUUID() });
  return orderId;
}

test('offline, orders and pending payments open repeatedly, with the time of their saved copy', async ({
  page: first,
  context,
  server,
  logIn,
}) => {
  const customer = await registerCustomer(server.origin);
  const { orderId: paid } = await buyByCard(customer, '101');
  const pix = await createPendingOrder(customer, '301', 'pix');
  const slip = await createPendingOrder(customer, '102', 'boleto');
  const shown: Readonly<Record<string, (page: Page) => Locator>> = {
    '/orders': (page) => page.getByText(paid, { exact: true }),
    '/account': (page) => page.getByText('29 days left').or(page.getByText('30 days left')).first(),
    '/settings': (page) => page.getByRole('main').getByText(customer.account),
    [`/receipt?orderId=${paid}`]: (page) => page.getByText(paid).first(),
    [`/paymentResult?orderId=${paid}`]: (page) => page.getByRole('heading', { name: 'Payment received' }),
    [`/payment-pix?orderId=${pix}`]: (page) => page.getByRole('button', { name: 'Copy Pix code' }),
    [`/payment-step?orderId=${slip}`]: (page) => page.locator('figure code'),
    '/stb-orders': (page) => page.getByText('Recent orders'),
  };
  await first.goto(`${server.origin}/login`);
  await logIn(first, customer);
  for (const [path, locate] of Object.entries(shown).slice(4)) {
    await first.goto(server.origin + path);
    await expect(locate(first)).toBeVisible();
  }
  await waitForWorker(first, 'en');
  // Orders, account, settings and receipt were never opened: they load by themselves after the login.
  await expect.poll(async () => (await browserStorageOf(first)).keys.join().includes('["order",')).toBe(true);
  await server.kill9();

  const openAll = async (page: Page, open: (address: string) => Promise<unknown>) => {
    for (const [path, locate] of Object.entries(shown)) {
      await open(server.origin + path);
      await expect(locate(page), path).toBeVisible();
      await expect(page.getByText(savedCopy), path).toBeVisible();
    }
  };
  await openAll(first, (path) => first.goto(path));
  await first.reload();
  await expect(first.getByText(savedCopy)).toBeVisible();
  const later = await context.newPage();
  await first.close();
  await openAll(later, (path) => later.goto(path));
});

test('while the server is down, the app starts, a customer sees what happened, and it recovers by itself @slow', async ({
  page,
  server,
  logIn,
}) => {
  const customer = await registerCustomer(server.origin);
  await page.goto(`${server.origin}/login`);
  await logIn(page, customer);
  await page.goto(`${server.origin}/help`);
  await waitForWorker(page, 'en');

  await server.kill9();
  // No data of the checkout is saved.
  await page.goto(`${server.origin}/payment?planId=101`);
  await expect(page.getByRole('button', { name: retry }).first()).toBeVisible({ timeout: 20_000 });
  expect(await page.evaluate(() => navigator.onLine)).toBe(true);
  await page.getByRole('button', { name: retry }).first().click();
  await expect(page.getByRole('button', { name: retry }).first()).toBeVisible({ timeout: 20_000 });

  await server.restart();
  await expect(page.getByRole('button', { name: retry })).toHaveCount(0, { timeout: 45_000 });
  await expect(page).toHaveURL(/\/payment/);
});

test('a customer offline sees the public prices of the plans, and when they were saved @slow', async ({
  page,
  server,
  logIn,
}) => {
  const customer = await registerCustomer(server.origin);
  await page.goto(`${server.origin}/login`);
  await logIn(page, customer);
  await page.goto(`${server.origin}/pricing-table`);
  await waitForWorker(page, 'en');

  await server.kill9();
  await page.goto(`${server.origin}/pricing-table`);
  await expect(page.getByText(savedCopy)).toBeVisible({ timeout: 20_000 });
  await expect(prices(page).first()).toBeVisible();
});

test('while a proxy responds with 502, saved copies have their time, and the pages recover within 10 s @slow', async ({
  page,
  cutter,
  server,
  logIn,
}) => {
  const customer = await registerCustomer(server.origin);
  await buyByCard(customer, '101');
  await page.goto(`${cutter.origin}/login`);
  await logIn(page, customer);
  await page.goto(`${cutter.origin}/orders`);
  await expect(page.getByText('Paid', { exact: true }).first()).toBeVisible();
  await waitForWorker(page, 'en');
  for (const path of ['/pricing-table', '/orders']) {
    cutter.standIn(502);
    await page.goto(cutter.origin + path);
    await expect(
      path === '/orders' ? page.getByText('Paid', { exact: true }).first() : prices(page).first(),
    ).toBeVisible();
    await expect(page.getByText(savedCopy)).toBeVisible();
    cutter.mend();
    await expect(page.getByText(savedCopy)).toHaveCount(0, { timeout: 10_000 });
  }
});

test.describe('on a connection that drops every packet', () => {
  test('a slow login says so, can be stopped, and retains the typed data @slow', async ({ page, server }) => {
    const customer = await registerCustomer(server.origin);
    const wire = await startSilentWire(server.port);
    await page.goto(`http://localhost:${wire.port}/login`);
    await waitForWorker(page, 'en');
    await page.locator('input[autocomplete^="username"]').fill(customer.account);
    await page.locator('input[autocomplete="current-password"]').fill(customer.password);
    wire.fallSilent();
    await page.locator('form button[type="submit"]').click();
    await expect(page.getByText('Still trying. The connection is slow.').first()).toBeVisible();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(page.getByText('Still trying. The connection is slow.')).toHaveCount(0);
    await expect(page.locator('input[autocomplete="current-password"]')).toHaveValue(customer.password);
    await page.close();
    await wire.close();
  });

  test('a customer sees saved plans within seconds, and when they were saved @slow', async ({
    page,
    server,
    beSignedIn,
  }) => {
    const customer = await registerCustomer(server.origin);
    const wire = await startSilentWire(server.port);
    await beSignedIn(page, customer);
    await page.goto(`http://localhost:${wire.port}/account`);
    await waitForWorker(page, 'en');
    await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();
    wire.fallSilent();
    const since = Date.now();
    await page.goto(`http://localhost:${wire.port}/pricing-table`);
    await expect(prices(page).first()).toBeVisible();
    expect(Date.now() - since).toBeLessThan(6000);
    await expect(page.getByText(savedCopy)).toBeVisible();
    await page.close();
    await wire.close();
  });
});

test('offline, a plan that was never opened is shown from the saved list, with its time @slow', async ({
  page,
  context,
  server,
}) => {
  await page.goto(`${server.origin}/pricing-table`);
  await waitForWorker(page, 'en');
  // the copies of all plans, as on a device that was offline before they were fetched
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const { url } of await cache.keys()) if (url.includes('/api/site/plan/detail/')) await cache.delete(url);
    }
  });
  await context.setOffline(true);
  await page.goto(`${server.origin}/plan-details/103`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Yearly');
  await expect(page.getByRole('main').getByText(savedCopy)).toBeVisible();

  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'What you get' })).toBeVisible({ timeout: 45_000 });
  await expect(page.getByText(savedCopy)).toHaveCount(0);
});

test('a plan, the help and the privacy page can be read offline without an earlier visit @slow', async ({
  page,
  server,
}) => {
  await page.goto(`${server.origin}/`);
  await waitForWorker(page, 'en');
  await server.kill9();
  for (const path of ['/plan-details/101', '/help', '/privacy', '/']) {
    await page.goto(server.origin + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('button', { name: retry }), path).toHaveCount(0);
  }
});
