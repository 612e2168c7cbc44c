import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { aShop, expiryOf, type Shop } from '#tests/builders/a-shop.ts';
import { aPicture, aTransfer, sendFile } from '#tests/builders/a-transfer.ts';
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';

const busy = { status: 503, errCode: -24040, params: { waitSeconds: 3 } };

/** Checks the answers while nothing can be written, and the recovery; `fill` and `empty` control the disk. */
async function checkRecovery(shop: Shop, fill: () => Promise<void>, empty: () => Promise<void>): Promise<void> {
  const ana = await shop.buyer();
  const transfer = await aTransfer(shop);
  const paid = await ana.pay();
  const key = crypto.randomUUID();
  const body = await ana.body();
  const order = { params: { id: paid.data.orderId } };
  const logIn = { body: { account: ana.account, type: 'email', password: 'secret-123' } } as const;
  await fill();
  const stopJobs = startJobs(shop.deps);
  expect(await shop.request(endpoints.login, logIn)).toMatchObject(busy);
  expect(await shop.request(endpoints.pay, { body }, { ...ana, idempotencyKey: key })).toMatchObject(busy);
  expect(await sendFile(shop, transfer.buyer, aPicture)).toMatchObject({ status: 503, errCode: -24040 });
  expect((await shop.request(endpoints.order, order, ana)).data.status).toBe('PAYMENT_SUCCEEDED');
  await stopJobs();
  await empty();
  expect((await shop.request(endpoints.login, logIn)).code).toBe(0);
  const once = await shop.request(endpoints.pay, { body }, { ...ana, idempotencyKey: key });
  expect(once.data.status).toBe('PAYMENT_SUCCEEDED');
  expect((await sendFile(shop, transfer.buyer, aPicture)).status).toBe(200);
  expect(await expiryOf(shop.db, ana.uid)).toBeGreaterThan(shop.clock.now);
  const books = await shop.books();
  expect(books.ledger.filter(({ kind }) => kind === 'capture')).toHaveLength(2);
  expect(unbalanced(books)).toEqual([]);
}

describe('a PostgreSQL server with a full disk', { timeout: 60_000 }, () => {
  it('refuses logins, payments and uploads for now, still shows orders, and recovers by itself', async () => {
    const opened = await openOnPostgres();
    const shop = await aShop(opened.db);
    const tables = ['throttles', 'orders', 'uploads', 'sessions'];
    // the error of PostgreSQL itself; verify:attack uses a real full disk
    await shop.db.execute(sql`create function disk_full() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
    const each = async (change: (table: string) => string) => {
      for (const table of tables) await shop.db.execute(sql.raw(change(table)));
    };
    await checkRecovery(
      shop,
      () => each((table) => `create trigger no_room before insert on ${table} execute function disk_full()`),
      () => each((table) => `drop trigger no_room on ${table}`),
    );
    await opened.close();
  }, 120_000);
});
