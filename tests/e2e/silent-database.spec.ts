import type { Page } from '@playwright/test';
import { pay } from '#contract/index.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { sandboxCharges } from '#sandbox/schema.ts';
import { createLog } from '#server/runtime/log.ts';
import { nextButton, readyToPay, visit } from '#tests/fixtures/checkout.ts';
import { startCutter } from '#tests/fixtures/connection-cutter.ts';
import { startPostgres } from '#tests/fixtures/postgres.ts';
import { startServer } from '#tests/fixtures/server-process.ts';
import { startSilentWire } from '#tests/fixtures/silent-wire.ts';
import { closePages, expect, test as base } from '#tests/fixtures/test.ts';

interface Fixtures {
  /** A server on PostgreSQL, behind a connection that can stop responding. */
  silentShop: {
    readonly origin: string;
    readonly fallSilent: () => void;
    /** Resolves when the server is ready again. */
    readonly recover: () => Promise<void>;
    readonly hold: (path: string) => () => void;
    /** The numbers of charges at the bank and of entries in the ledger. */
    readonly charged: () => Promise<[number, number]>;
  };
}

const test = base.extend<Fixtures>({
  silentShop: async ({ context }, use) => {
    const postgres = await startPostgres({ filled: true });
    const url = new URL(postgres.url);
    const wire = await startSilentWire(Number(url.port));
    url.port = String(wire.port);
    const server = await startServer({ env: { DATABASE_URL: url.href, LOG_LEVEL: 'silent' } });
    const cutter = await startCutter(server.port);
    const charged = async (): Promise<[number, number]> => {
      const { db, close } = await openPostgres(postgres.url, createLog('silent'), { contents: demoContents });
      const counted = [await db.select().from(sandboxCharges), await db.select().from(ledger)] as const;
      await close();
      return [counted[0].length, counted[1].length];
    };
    const recover = async () => {
      wire.speak();
      await expect.poll(async () => (await fetch(`${server.origin}/readyz`)).status, { timeout: 10_000 }).toBe(200);
    };
    await use({
      origin: cutter.origin,
      fallSilent: () => wire.fallSilent(),
      recover,
      hold: (path) => cutter.hold(path),
      charged,
    });
    await closePages(context);
    await cutter.close();
    await server.dispose();
    await wire.close();
    await postgres.stop();
  },
});

test.describe.configure({ timeout: 180_000 });
test.use({ serviceWorkers: 'allow' });

test.use({ expectedErrors: /Failed to load resource/ });

const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);
const busy = (page: Page) => page.getByText('The service is busy. Please try again in a moment.').first();
/** No request waits longer for the database, and a read is tried three times. */
const busyTimeout = { timeout: 45_000 };

test('while the database does not respond, login and payment say so, and the payment is charged once @slow', async ({
  page,
  silentShop,
  registerAt,
  logIn,
}) => {
  const customer = await registerAt(silentShop.origin);
  await visit(page, `${silentShop.origin}/login`);
  await field(page, 'account').fill(customer.account);
  await field(page, 'password').fill(customer.password);
  silentShop.fallSilent();
  await page.locator('form button[type="submit"]').click();
  await expect(busy(page)).toBeVisible(busyTimeout);
  await expect(field(page, 'account')).toHaveValue(customer.account);
  await expect(field(page, 'password')).toHaveValue(customer.password);
  await silentShop.recover();
  await logIn(page, customer);

  await readyToPay(page, `${silentShop.origin}/payment?planId=301`);
  silentShop.fallSilent();
  await nextButton(page).click();
  await expect(busy(page), 'before anything was sent').toBeVisible(busyTimeout);
  await expect(field(page, 'firstName')).toHaveValue('Ana');
  await silentShop.recover();

  const release = silentShop.hold(pay.path);
  const sent = page.waitForRequest((request) => request.url().endsWith(pay.path), { timeout: 60_000 });
  // Lost connections are discarded one at a time, so the server may be busy again.
  const isBusyAgain = async () => {
    await nextButton(page).click();
    await expect(busy(page)).toBeVisible(busyTimeout);
    return true;
  };
  while (await Promise.race([sent.then(() => false), isBusyAgain()]));
  silentShop.fallSilent();
  release();
  await expect(page.getByText('We are checking your payment. Do not pay again.')).toBeVisible(busyTimeout);
  await silentShop.recover();
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible(busyTimeout);
  expect(await silentShop.charged()).toEqual([1, 1]);
});
