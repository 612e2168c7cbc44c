import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMemory } from '#server/db/open-database.ts';
import { migrationsFolder } from '#server/db/migrate.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { throttles } from '#server/db/schema/sign-in.ts';
import { demoContents, seed } from '#sandbox/demo-contents.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { writeRequestedMessages } from '#server/jobs/write-requested-messages.ts';
import { aShop } from '#tests/builders/a-shop.ts';
import { testNow } from '#tests/builders/test-app.ts';

const migrations = readdirSync(migrationsFolder)
  .filter((name) => name.endsWith('.sql'))
  .sort()
  .map((name) => readFileSync(join(migrationsFolder, name), 'utf8'));
const refundsDue = migrations.findIndex((text) => text.includes('ADD COLUMN "give_back_at"'));

let database: Awaited<ReturnType<typeof openMemory>>;
beforeAll(async () => {
  database = await openMemory(demoContents);
}, 60_000);
afterAll(() => database?.close());

const apply = async (some: readonly string[]) => {
  for (const text of some) {
    for (const statement of text.split('--> statement-breakpoint')) await database.client.exec(statement);
  }
};

/** Orders of the previous version with their captures, refunds and chargebacks. */
const before = `
  -- their brand is sown afterwards
  set session_replication_role = replica;
  insert into users (uid, brand, account, account_type, language, created_at) values ('ana', 'lumen', 'ana@example.com', 'email', 'en', 0);
  insert into orders (order_id, brand, uid, status, plan_id, plan_names, days, devices, method_code, method_names, currency,
      original, discount, total, installments, result_token, created_at, paid_at, service_start, service_end)
    select name, 'lumen', 'ana', 'PAYMENT_SUCCEEDED', '101', '{}', 30, 1, 'pix', '{}', 'BRL', 1990, 0, 1990, 1, name, 0, 1, 1, 2
    from unnest(array['once', 'twice', 'thrice', 'returned', 'disputed', 'won', 'freely']) name;
  insert into attempts (id, order_id, brand, uid, idempotency_key, request_hash, gateway, method_code, amount, currency,
      installments, state, created_at, updated_at)
    select name || '-' || n, name, 'lumen', 'ana', name || '-' || n, '', 'sandbox', 'pix',
      case name when 'freely' then 0 else 1990 end, 'BRL', 1, 'SUCCEEDED', 0, 0
    from unnest(array['once', 'twice', 'thrice', 'returned', 'disputed', 'won', 'freely']) name, generate_series(1, 3) n
    where n <= case name when 'once' then 1 when 'thrice' then 3 else 2 end;
  insert into ledger (id, brand, order_id, attempt_id, kind, amount, currency, at)
    select id, 'lumen', order_id, id, 'capture', amount, 'BRL', ${testNow} - 86400000 + right(id, 1)::int from attempts;
  insert into ledger (id, brand, order_id, attempt_id, kind, amount, currency, at) values
    ('r', 'lumen', 'returned', 'returned-2', 'refund', -1990, 'BRL', ${testNow}),
    ('d', 'lumen', 'disputed', 'disputed-2', 'chargeback', -1990, 'BRL', ${testNow}),
    ('w', 'lumen', 'won', 'won-2', 'chargeback', -1990, 'BRL', ${testNow}),
    ('v', 'lumen', 'won', 'won-2', 'return', 1990, 'BRL', ${testNow});
  set session_replication_role = origin;`;

/** A pending message request of the previous version, and the daily limit that its mailbox has used. */
const waiting = `
  insert into letters (id, brand, kind, account, account_type, language, scene, code, created_at)
    values ('l', 'lumen', 'code', 'new@example.com', 'email', 'en', 'signup', '4071', ${testNow});
  insert into throttles (key, count, resets_at) values ('letters code lumen new@example.com', 9, ${testNow + 86_400_000});`;

it('a code requested before an upgrade is sent after it, and counts towards the daily limit', async () => {
  const renames = migrations.findIndex((text) => text.includes('RENAME TO "message_requests"'));
  await database.client.exec('drop schema public cascade; create schema public;');
  await apply(migrations.slice(0, renames));
  await database.client.exec(waiting);
  await apply(migrations.slice(renames));
  await seed(database.db);
  const { deps } = await aShop(database.db);
  expect(await writeRequestedMessages(deps)).toBe(1);
  expect(await database.db.select().from(outbox)).toMatchObject([{ recipient: 'new@example.com' }]);
  const [counted] = await database.db.select().from(throttles);
  expect(counted).toMatchObject({ key: 'messages code lumen new@example.com', count: 10 });
});

it('double payments from before the upgrade are found by the migration and refunded', async () => {
  expect(refundsDue).toBeGreaterThan(0);
  await database.client.exec('drop schema public cascade; create schema public;');
  await apply(migrations.slice(0, refundsDue));
  await database.client.exec(before);
  await apply(migrations.slice(refundsDue));
  await seed(database.db);
  const shop = await aShop(database.db);
  const refunded: string[] = [];
  const { sandbox } = shop.deps.gateways;
  const gateways = sandbox && { sandbox: { ...sandbox, refund: async (key: string) => refunded.push(key) > 0 } };
  expect(await refundDuplicates({ ...shop.deps, gateways: gateways ?? {} })).toBe(4);
  expect(refunded.toSorted()).toEqual(['thrice-2', 'thrice-3', 'twice-2', 'won-2']);
});
