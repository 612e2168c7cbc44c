import { bankBase } from '#sandbox/gateway/protocol.ts';
import { readBooks } from '#tests/fixtures/books.ts';
import { nextButton, readyToPay } from '#tests/fixtures/checkout.ts';
import { registerCustomer } from '#tests/fixtures/customer.ts';
import { startCutter, type Cutter } from '#tests/fixtures/cutter.ts';
import { expectFine } from '#tests/fixtures/faults.ts';
import { freePort } from '#tests/fixtures/free-port.ts';
import { startShopOnPostgres, type ShopOnPostgres } from '#tests/fixtures/shop-on-postgres.ts';
import { closePages, expect, test as base } from '#tests/fixtures/test.ts';

interface Fixtures {
  /** a shop, and the wire to its bank */
  shopWithBank: { readonly server: ShopOnPostgres; readonly bank: Cutter };
}

const test = base.extend<Fixtures>({
  shopWithBank: async ({ context }, use) => {
    const port = await freePort();
    const server = await startShopOnPostgres({ env: { SANDBOX_WIRE: `http://localhost:${port}` } });
    const bank = await startCutter(server.port, port);
    await use({ server, bank });
    await closePages(context);
    await server.dispose();
    await bank.close();
  },
});

const waiting = { timeout: 45_000 };

test('who pays in a second tab while the bank is silent about the first is told that nobody knows yet, and pays once @slow', async ({
  page,
  context,
  shopWithBank,
  beSignedIn,
}) => {
  test.setTimeout(120_000);
  const { server, bank } = shopWithBank;
  const customer = await registerCustomer(server.origin);
  await beSignedIn(page, customer);
  const other = await context.newPage();
  for (const tab of [page, other]) await readyToPay(tab, `${server.origin}/payment?planId=301`);
  const speak = bank.holdAnswer(`${bankBase}/charges`);
  await nextButton(page).click();
  await expect.poll(() => bank.reached(`${bankBase}/charges`), waiting).toBe(1);

  await nextButton(other).click();
  const told = other.getByRole('dialog', { name: 'We are checking your payment for this plan' });
  await expect(told).toContainText('Whether it has arrived is not known yet, so wait for that before you pay again.');
  await expectFine(other);
  await told.getByRole('button', { name: 'Check the payment' }).click();
  await expect(other).toHaveURL(/\/paymentResult\?/);
  speak();
  for (const tab of [page, other])
    await expect(tab.getByRole('heading', { name: 'Payment received' })).toBeVisible(waiting);

  await closePages(context);
  const { orders, ledger, charges } = await readBooks(server, customer);
  expect(orders.map(({ status }) => status)).toEqual(['PAYMENT_SUCCEEDED']);
  expect(ledger.map(({ kind, amount }) => [kind, amount])).toEqual([['capture', 3490]]);
  expect(charges.map(({ status }) => status)).toEqual(['paid']);
});
