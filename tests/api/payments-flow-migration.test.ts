import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMemory } from '#server/db/open-database.ts';
import { migrationsFolder, productionContents } from '#server/db/migrate.ts';
import { paymentMethods } from '#server/db/schema/brands.ts';
import { orders } from '#server/db/schema/orders.ts';
import { demoBrands } from '#sandbox/demo-brands.ts';

const migrations = readdirSync(migrationsFolder)
  .filter((name) => name.endsWith('.sql'))
  .sort()
  .map((name) => readFileSync(join(migrationsFolder, name), 'utf8'));
const flowMigration = migrations.findIndex((text) => text.includes('ADD COLUMN "flow"'));

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

const sold = demoBrands().flatMap(({ methods }) => methods);
const methodRows = sold.map(
  ({ code, gateway }, place) => `('b${place}', '${code}', '${gateway}', '{}', '', '[]', '[]', 'instant', 0)`,
);
const orderRows = sold.map(
  ({ code }, place) =>
    `('o${place}', 'b${place}', 'ana', 'PAYMENT_PENDING', '101', '{}', 30, 1, '${code}', '{}', 'BRL', 1, 0, 1, 1, 'r${place}', 0)`,
);
/** The rows of the previous version: payment methods, and one pending order for each. */
const before = `
  set session_replication_role = replica;
  insert into payment_methods (brand, code, gateway, names, icon, currencies, fields, settles, position)
    values ${methodRows.join(',\n')};
  insert into orders (order_id, brand, uid, status, plan_id, plan_names, days, devices, method_code, method_names,
    currency, original, discount, total, installments, result_token, created_at) values ${orderRows.join(',\n')};
  set session_replication_role = origin;`;

it('payment methods and pending orders of the previous version get the flow of the seeds', async () => {
  expect(flowMigration).toBeGreaterThan(0);
  await database.client.exec('drop schema public cascade; create schema public;');
  await apply(migrations.slice(0, flowMigration));
  await database.client.exec(before);
  await apply(migrations.slice(flowMigration));
  const expected = sold.map(({ flow }, place) => ({ brand: `b${place}`, flow }));
  const byBrand = (rows: { brand: string; flow: unknown }[]) =>
    rows.sort((a, b) => Number(a.brand.slice(1)) - Number(b.brand.slice(1)));
  const { db } = database;
  const flows = await db.select({ brand: paymentMethods.brand, flow: paymentMethods.flow }).from(paymentMethods);
  expect(byBrand(flows)).toEqual(expected);
  expect(byBrand(await db.select({ brand: orders.brand, flow: orders.flow }).from(orders))).toEqual(expected);
});
