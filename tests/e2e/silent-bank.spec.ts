import { bankBase } from '#sandbox/gateway/protocol.ts';
import { readBooks } from '#tests/fixtures/books.ts';
import { nextButton, readyToPay } from '#tests/fixtures/checkout.ts';
import { registerCustomer } from '#tests/fixtures/customer.ts';
import { startCutter, type Cutter } from '#tests/fixtures/connection-cutter.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { freePort } from '#tests/fixtures/free-port.ts';
import { startShopOnPostgres, type ShopOnPostgres } from '#tests/fixtures/shop-on-postgres.ts';
import { closePages, expect, test as base } from '#tests/fixtures/test.ts';

interface Fixtures {
  /** A server, and the connection to its bank. */
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

const longTimeout = { timeout: 45_000 };

test('while the bank does not respond, a second tab says that the outcome is unknown, and one payment is made @slow', async ({
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
  const resumeBank = bank.holdAnswer(`${bankBase}/charges`);
  await nextButton(page).click();
  await expect.poll(() => bank.reached(`${bankBase}/charges`), longTimeout).toBe(1);

  await nextButton(other).click();
  const dialog = other.getByRole('dialog', { name: 'We are checking your payment for this plan' });
  await expect(dialog).toContainText('We don’t know yet whether it arrived. Wait before you pay again.');
  await expectNoFaults(other);
  await dialog.getByRole('button', { name: 'Check payment' }).click();
  await expect(other).toHaveURL(/\/paymentResult\?/);
  resumeBank();
  for (const tab of [page, other])
    await expect(tab.getByRole('heading', { name: 'Payment received' })).toBeVisible(longTimeout);

  await closePages(context);
  const { orders, ledger, charges } = await readBooks(server, customer);
  expect(orders.map(({ status }) => status)).toEqual(['PAYMENT_SUCCEEDED']);
  expect(ledger.map(({ kind, amount }) => [kind, amount])).toEqual([['capture', 3490]]);
  expect(charges.map(({ status }) => status)).toEqual(['paid']);
});
