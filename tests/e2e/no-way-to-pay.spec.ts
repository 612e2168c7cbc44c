import type { Database } from '#server/db/connect.ts';
import { demoBrand } from '#sandbox/demo-brands.ts';
import { aBrand } from '#tests/builders/a-brand.ts';
import { insertCustomers } from '#tests/builders/a-customer.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { waitForHydration, visit } from '#tests/fixtures/checkout.ts';
import { registerCustomer } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { inDatabase, startPostgres } from '#tests/fixtures/postgres.ts';
import { productionEnv, startServer } from '#tests/fixtures/server-process.ts';
import { closePages, expect, test } from '#tests/fixtures/test.ts';

const host = 'acme.localhost';
const paypalApp = { PAYPAL_CLIENT_ID: 'a-client-of-paypal', PAYPAL_CLIENT_SECRET: 'a-secret-of-paypal' };

/** Starts a server without a sandbox, with one brand, and returns its origin. */
async function startRealShop(
  fill: (db: Database) => Promise<unknown>,
  { env = {}, close }: { env?: Record<string, string>; close: (() => Promise<void>)[] },
): Promise<string> {
  const { url, stop } = await startPostgres();
  await inDatabase(url, fill);
  const server = await startServer({ env: { ...productionEnv, DATABASE_URL: url, ...env } });
  close.push(async () => {
    await server.dispose();
    await stop();
  });
  return `http://${host}:${server.port}`;
}

const shops: (() => Promise<void>)[] = [];
test.afterEach(async ({ context }) => {
  await closePages(context);
  for (const close of shops.splice(0)) await close();
});

test('without any payment method, the payment page says so and links to help @slow', async ({ page, beSignedIn }) => {
  const methods = demoBrand('mego').methods.filter(({ code }) => code === 'card');
  const origin = await startRealShop((db) => aBrand(db, { host, methods }), { close: shops });
  const customer = await registerCustomer(origin);
  await beSignedIn(page, customer);
  await visit(page, `${origin}/payment?planId=201`);
  await expect(page.getByRole('heading', { name: 'There’s no way to pay for this plan right now' })).toBeVisible();
  await expect(page.getByText('Nothing was ordered or charged.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Get help' })).toHaveAttribute('href', /\/help/);
  await expect(page.getByRole('combobox', { name: 'Currency' })).toHaveCount(0);
  await expectNoFaults(page);
});

test('a brand that has only PayPal offers PayPal, and no discount of another method @slow', async ({
  page,
  beSignedIn,
}) => {
  const origin = await startRealShop((db) => aBrand(db, { host }), { env: paypalApp, close: shops });
  const customer = await registerCustomer(origin);
  await visit(page, `${origin}/plan-details/201`);
  await expect(page.getByText(/crypto/i)).toHaveCount(0);
  await beSignedIn(page, customer);
  await visit(page, `${origin}/payment?planId=201`);
  await expect(page.locator('input[name="method"]')).toHaveCount(1);
  await expect(page.locator('input[name="method"][value="paypal"]')).toBeChecked();
  await expectNoFaults(page);
});

test('a brand that cannot be paid in its usual currency starts with one that can be paid @slow', async ({
  page,
  beSignedIn,
}) => {
  const origin = await startRealShop((db) => aBrand(db, { host }), { close: shops });
  const customer = await registerCustomer(origin);
  await beSignedIn(page, customer);
  await visit(page, `${origin}/payment?planId=201`);
  await expect(page.locator('input[name="method"][value="paynow"]')).toBeChecked();
  await expect(page.getByRole('combobox', { name: 'Currency' })).toHaveValue('SGD');
  await expect(page.getByRole('combobox', { name: 'Currency' }).locator('option')).toHaveCount(2);
});

test('the result of a payment whose provider was removed says that the outcome is unknown @slow', async ({ page }) => {
  let address = '';
  const origin = await startRealShop(
    async (db) => {
      await aBrand(db, { host });
      const [ana] = await insertCustomers(db, 'acme', 1, Date.now());
      const owner = { brand: 'acme', uid: ana?.uid ?? '' };
      const ended = { status: 'PAYMENT_FAILED', failureCode: -2502, currency: 'USD', planId: '201' } as const;
      const attempt = { gateway: 'useepay', state: 'ORPHANED', failureCode: -2502 } as const;
      const { order } = await anOrder(db, owner, { ...ended, attempt });
      address = `/paymentResult/orderId/${order.orderId}/token/${order.resultToken}`;
    },
    { close: shops },
  );
  await page.goto(origin + address);
  await waitForHydration(page);
  await expect(page.getByText(/we don’t know whether you were charged/)).toBeVisible();
  await expect(page.getByText(/Nothing was charged/)).toHaveCount(0);
  await expectNoFaults(page);
});
