import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OpenedDatabase } from '#server/db/connect.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { readSettings } from '#server/env.ts';
import { checkDatabase } from '#server/operator/doctor/check-database.ts';
import { createLog } from '#server/runtime/log.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
import { ask, startOwnPostgres } from '#tests/fixtures/postgres.ts';

/*
 * Managed PostgreSQL becomes read-only when its disk is nearly full (Azure Database for PostgreSQL, "Storage"), for new
 * sessions only. A session that was opened then remains so after the disk has been cleared.
 */
let postgres: Awaited<ReturnType<typeof startOwnPostgres>>;
let opened: OpenedDatabase;
let shop: Shop;
const logged: string[] = [];
beforeAll(async () => {
  postgres = await startOwnPostgres();
  opened = await openPostgres(postgres.url, createLog('error', { write: (line) => void logged.push(line) }), {
    contents: demoContents,
  });
  shop = await aShop(opened.db);
}, 120_000);
afterAll(async () => {
  await opened?.close();
  await postgres?.stop();
});

const setReadOnly = (value: 'on' | 'off') =>
  ask(postgres.url, `begin read write; alter database shop set default_transaction_read_only = ${value}; commit`);
const endSessions = () =>
  ask(
    postgres.url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'shop' and pid <> pg_backend_pid()`,
  );
const probe = async () => (await shop.app.request('/readyz')).text();

async function examined() {
  const { findings, close } = await checkDatabase(readSettings({ DATABASE_URL: postgres.url }), Date.now);
  await close();
  return findings.find(({ what }) => what === 'database');
}

it('a lost server is one line of the log, however many connections it ends', async () => {
  await Promise.all(Array.from({ length: 5 }, () => opened.db.execute('select pg_sleep(0.05)')));
  await endSessions();
  await expect.poll(() => opened.connections?.()).toMatchObject({ idle: 0 });
  expect(logged.filter((line) => line.includes('an idle database connection failed'))).toHaveLength(1);
});

it('a database that has become read-only is named by /readyz and the doctor, and written again once it can be', async () => {
  await setReadOnly('on');
  await endSessions();
  const says = 'is a standby or read-only, and the shop writes';
  await expect.poll(probe).toBe(`the database ${says}`);
  expect(await examined()).toMatchObject({ state: 'wrong', says: `DATABASE_URL: PostgreSQL ${says}` });
  const write = () => opened.db.transaction(async (tx) => void (await tx.delete(outbox)));
  await expect(write()).rejects.toThrow('Failed query');

  await setReadOnly('off');
  await expect.poll(probe).toBe('ready');
  await write();
  expect(await examined()).toMatchObject({ state: 'ok' });
});
