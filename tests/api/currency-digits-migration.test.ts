import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMemory } from '#server/db/open-database.ts';
import { statementRows } from '#server/db/connect.ts';
import { migrationsFolder, productionContents } from '#server/db/migrate.ts';

const migrations = readdirSync(migrationsFolder)
  .filter((name) => name.endsWith('.sql'))
  .sort()
  .map((name) => readFileSync(join(migrationsFolder, name), 'utf8'));
const firstChanged = migrations.findIndex((text) => text.includes('iso_amount'));

let database: Awaited<ReturnType<typeof openMemory>>;
beforeAll(async () => {
  database = await openMemory(productionContents);
}, 60_000);
afterAll(() => database?.close());

const apply = async (some: readonly string[]) => {
  for (const text of some) {
    for (const statement of text.split('--> statement-breakpoint')) await database.client.exec(statement);
  }
};

/** Rows of the previous version, which used two digits for all currencies except six. */
const before = `
  set session_replication_role = replica;
  insert into plans (brand, id, days, devices, prices, list_prices, texts, position)
    values ('b', '101', 30, 1, '{"JPY": 98000, "KWD": 500, "USD": 499, "CLP": 4990}', '{"JPY": 120000}', '{}', 0);
  insert into coupons (brand, code, kind, value, currency, plan_ids, max_uses, starts_at, ends_at)
    values ('b', 'YEN', 'amount', 10000, 'JPY', '[]', 1, 0, 1), ('b', 'HALF', 'percent', 50, null, '[]', 1, 0, 1);
  insert into orders (order_id, brand, uid, status, plan_id, plan_names, days, devices, method_code, method_names,
    currency, original, discount, total, installments, result_token, created_at)
    select o, 'b', 'ana', 'PAYMENT_SUCCEEDED', '101', '{}', 30, 1, 'card', '{}', c, 98000, 8000, 90000, 1, o, 0
    from (values ('stripe', 'JPY'), ('useepay', 'JPY'), ('dollars', 'USD'), ('dinars', 'KWD')) as made (o, c);
  insert into attempts (id, order_id, brand, uid, idempotency_key, request_hash, gateway, method_code, amount, currency,
    installments, renew_price, state, created_at, updated_at)
    select order_id, order_id, 'b', 'ana', order_id, '', case order_id when 'useepay' then 'useepay' else 'stripe' end,
      'card', 90000, currency, 1, 90000, 'SUCCEEDED', 0, 0 from orders;
  insert into ledger (id, brand, order_id, attempt_id, kind, amount, currency, at)
    select order_id, 'b', order_id, order_id, 'capture', 90000, currency, 0 from orders;
  set session_replication_role = origin;`;

const amountsOf = async (statement: ReturnType<typeof sql>) =>
  (await statementRows(database.db, statement)).map((row) =>
    Object.values(row).map((cell) => (typeof cell === 'string' && /^\d+$/.test(cell) ? Number(cell) : cell)),
  );

it('stored amounts keep their value in currencies whose number of digits has changed', async () => {
  expect(firstChanged).toBeGreaterThan(0);
  await database.client.exec('drop schema public cascade; create schema public;');
  await apply(migrations.slice(0, firstChanged));
  await database.client.exec(before);
  await apply(migrations.slice(firstChanged));
  expect(await amountsOf(sql`select prices, list_prices from plans`)).toEqual([
    [{ JPY: 980, KWD: 5000, USD: 499, CLP: 4990 }, { JPY: 1200 }],
  ]);
  expect(await amountsOf(sql`select code, value from coupons order by 1`)).toEqual([
    ['HALF', 50],
    ['YEN', 100],
  ]);
  const money = sql`select order_id, original, discount, total from orders order by 1`;
  expect(await amountsOf(money)).toEqual([
    ['dinars', 980_000, 80_000, 900_000],
    ['dollars', 98_000, 8000, 90_000],
    ['stripe', 980, 80, 900],
    // UseePay received the number unscaled and charged that many yen.
    ['useepay', 98_000, 8000, 90_000],
  ]);
  for (const table of [sql`select id, amount from attempts order by 1`, sql`select id, amount from ledger order by 1`])
    expect(await amountsOf(table)).toEqual([
      ['dinars', 900_000],
      ['dollars', 90_000],
      ['stripe', 900],
      ['useepay', 90_000],
    ]);
});
