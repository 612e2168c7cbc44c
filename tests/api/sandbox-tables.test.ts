import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Database, statementRows } from '#server/db/connect.ts';
import { openEmbedded } from '#server/db/open-database.ts';
import { migrationsFolder, productionContents, type Contents } from '#server/db/migrate.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { assertNoSimulatedMoney } from '#server/runtime/wiring/simulated-money.ts';

/** of the previous version */
const oldTables = [
  'sandbox_cards',
  'sandbox_charges',
  'sandbox_notices',
  'sandbox_paypal_orders',
  'sandbox_push_browsers',
  'sandbox_push_messages',
];
const tables = [...oldTables, 'sandbox_paypal_accounts', 'sandbox_paypal_setups'].toSorted();

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'marquee-sandbox-tables-'));

function aFolder(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
}

async function withDatabase(
  folder: string,
  contents: Contents,
  work: (db: Database) => Promise<unknown>,
): Promise<void> {
  const { db, close } = await openEmbedded(folder, { contents });
  try {
    await work(db);
  } finally {
    await close();
  }
}

async function sandboxTables(db: Database): Promise<unknown[]> {
  const named = sql`select tablename from pg_tables where tablename like 'sandbox%' order by tablename`;
  return (await statementRows(db, named)).map(({ tablename }) => tablename);
}

async function rowsOf(db: Database, table: string): Promise<readonly Record<string, unknown>[]> {
  return statementRows(db, sql`select * from ${sql.identifier(table)}`);
}

const journalSchema = v.looseObject({ entries: v.array(v.looseObject({ idx: v.number() })) });

/** A folder of the previous version, whose migrations 0000 to 0005 always created the sandbox tables. */
async function makeOldFolder(): Promise<string> {
  const [folder, migrations] = [temporaryFolder(), aFolder()];
  cpSync(migrationsFolder, migrations, { recursive: true });
  const journal = join(migrations, 'meta/_journal.json');
  const { entries, ...rest } = v.parse(journalSchema, JSON.parse(readFileSync(journal, 'utf8')));
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.filter(({ idx }) => idx <= 5) }));
  const client = await PGlite.create({ dataDir: join(folder, 'pgdata') });
  await migrate(drizzle({ client }), { migrationsFolder: migrations });
  await client.close();
  return folder;
}

/** Created once, because a new database takes seconds. */
let oldFolder: string;
beforeAll(async () => {
  oldFolder = await makeOldFolder();
}, 60_000);
afterAll(() => rmSync(oldFolder, { recursive: true, force: true }));

async function anOldFolder(rows: string): Promise<string> {
  const folder = aFolder();
  cpSync(oldFolder, folder, { recursive: true });
  const client = await PGlite.create({ dataDir: join(folder, 'pgdata') });
  await client.exec(rows);
  await client.close();
  return folder;
}

const oldRows = `
  insert into sandbox_charges (key, kind, brand, amount, currency, status, public_id, return_url, created_at, ripens, ripe_at)
    values ('key', 'mobile', 'lumen', 1990, 'KES', 'waiting', 'public', '/', 1, '{"status":"paid"}', 2);
  insert into sandbox_cards values ('token', 'mark', 'visa', '4242', 12, 2030, 3, '{}');
  insert into sandbox_notices (id, key, body, due_at, repeats) values ('evt', 'key', '{}', 1, 2);
  insert into sandbox_paypal_orders (id, request_id, status, custom_id, amount, currency, return_url, cancel_url, created_at)
    values ('order', 'request', 'CREATED', 'key', 1990, 'USD', '/', '/', 1);
  insert into sandbox_push_browsers (id, vapid_key, created_at) values ('browser', 'vapid', 1);
  insert into sandbox_push_messages (id, browser_id, ttl, urgency, body, received_at)
    values ('message', 'browser', 60, 'normal', '\\x00', 1);`;

describe('the tables of the sandbox', { timeout: 120_000, tags: 'slow' }, () => {
  it('do not exist in an installation without the sandbox, and its start does not need them', async () => {
    await withDatabase(aFolder(), productionContents, async (db) => {
      expect(await sandboxTables(db)).toEqual([]);
      await expect(assertNoSimulatedMoney(db)).resolves.toBeUndefined();
    });
  });

  it('exist in an installation with the sandbox, also if it was enabled later', async () => {
    const all = async (db: Database) => expect(await sandboxTables(db)).toEqual(tables);
    await withDatabase(aFolder(), demoContents, all);
    const folder = aFolder();
    await withDatabase(folder, productionContents, async (db) => expect(await sandboxTables(db)).toEqual([]));
    await withDatabase(folder, demoContents, all);
  });

  it.each([
    ['with', demoContents],
    ['without', productionContents],
  ])('keep all rows of a previous version, %s the sandbox', async (_, contents) => {
    const folder = await anOldFolder(oldRows);
    const complete = (expected: readonly string[]) => async (db: Database) => {
      expect(await sandboxTables(db)).toEqual(expected);
      for (const table of oldTables) expect(await rowsOf(db, table), table).toHaveLength(1);
      const [charge] = await rowsOf(db, 'sandbox_charges');
      expect(charge).toMatchObject({ key: 'key', ripens: { status: 'paid' } });
    };
    await withDatabase(folder, contents, complete(contents === demoContents ? tables : oldTables));
    await withDatabase(folder, demoContents, complete(tables));
  });

  it('of a previous version are dropped if unused, and are created again with the sandbox', async () => {
    const folder = await anOldFolder(`insert into sandbox_push_browsers values ('browser', 'vapid', false, 1);`);
    await withDatabase(folder, productionContents, async (db) =>
      expect(await sandboxTables(db)).toEqual(['sandbox_push_browsers']),
    );
    await withDatabase(folder, demoContents, async (db) => {
      expect(await sandboxTables(db)).toEqual(tables);
      expect(await rowsOf(db, 'sandbox_push_browsers')).toHaveLength(1);
      // the new table references the old one
      await db.execute(sql`insert into sandbox_push_messages values ('m', 'browser', 60, 'normal', null, '\\x00', 1)`);
      await db.execute(sql`delete from sandbox_push_browsers`);
      expect(await rowsOf(db, 'sandbox_push_messages')).toEqual([]);
    });
  });
});
