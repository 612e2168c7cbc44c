import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle, type PgliteDatabase } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { type Database, statementRows } from '#server/db/connect.ts';
import { migratePglite, migrationsFolder, countPendingMigrations } from '#server/db/migrate.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { aCard, aShop, type Shop } from '#tests/builders/a-shop.ts';

const journalSchema = v.looseObject({ entries: v.array(v.looseObject({ tag: v.string() })) });
const journalOf = (folder: string) =>
  v.parse(journalSchema, JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')));
const newest = journalOf(migrationsFolder).entries.at(-1)?.tag ?? '';

/** A database of the previous version: without the newest migration. */
async function openPreviousDatabase(): Promise<{ client: PGlite; db: PgliteDatabase }> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-before-'));
  cpSync(migrationsFolder, folder, { recursive: true });
  const { entries, ...rest } = journalOf(folder);
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ ...rest, entries: entries.slice(0, -1) }));
  const client = await PGlite.create();
  const db: PgliteDatabase = drizzle({ client });
  await migrate(db, { migrationsFolder: folder });
  for (const { folder: own, journal } of demoContents.migrations)
    await migrate(db, { migrationsFolder: own, migrationsTable: journal });
  rmSync(folder, { recursive: true });
  return { client, db };
}

type Columns = ReadonlyMap<string, readonly string[]>;

async function columnsOf(db: Database): Promise<Columns> {
  const rows = await statementRows(
    db,
    sql`select table_name, column_name from information_schema.columns where table_schema = 'public' order by 1, 2`,
  );
  const columns = new Map<string, string[]>();
  for (const { table_name: table, column_name: column } of rows)
    columns.set(String(table), [...(columns.get(String(table)) ?? []), String(column)]);
  return columns;
}

const list = (columns: readonly string[]) =>
  sql.join(
    columns.map((name) => sql.identifier(name)),
    sql`, `,
  );

/** The rows of a table as text, limited to these columns. */
async function rowsOf(db: Database, table: string, columns: readonly string[]): Promise<readonly string[]> {
  const rows = await statementRows(
    db,
    sql`select to_jsonb(one)::text as row from (select ${list(columns)} from ${sql.identifier(table)}) as one`,
  );
  return rows.map(({ row }) => String(row)).sort();
}

/** Writes rows with the columns of the previous version, as its statements do. */
async function write(db: Database, table: string, columns: readonly string[], rows: readonly string[]): Promise<void> {
  const name = sql.identifier(table);
  // foreign keys are not checked then
  await db.execute(sql`set session_replication_role = replica`);
  await db.execute(
    sql`insert into ${name} (${list(columns)})
      select ${list(columns)} from jsonb_populate_recordset(null::${name}, ${`[${rows.join(',')}]`}::jsonb)`,
  );
  await db.execute(sql`set session_replication_role = default`);
}

let source: Shop;
let ana: Awaited<ReturnType<Shop['buyer']>>;
let old: Awaited<ReturnType<typeof openPreviousDatabase>>;
let columns: Columns;
beforeAll(async () => {
  source = await aShop();
  ana = await source.buyer();
  expect((await ana.pay({ card: { ...aCard(), save: true } })).code).toBe(0);
  await ana.pay({ methodCode: 'pix', card: undefined });
  old = await openPreviousDatabase();
  const now = await columnsOf(source.db);
  // columns that were removed on purpose are ignored, and new ones do not exist yet
  columns = new Map(
    [...(await columnsOf(old.db))].map(([table, names]) => [
      table,
      names.filter((name) => now.get(table)?.includes(name)),
    ]),
  );
  for (const [table, names] of columns) await write(old.db, table, names, await rowsOf(source.db, table, names));
}, 60_000);
afterAll(async () => {
  await source.close();
  await old.client.close();
});

describe('the newest migration', { timeout: 60_000 }, () => {
  it('only adds to the schema that the previous version uses; a later migration removes', () => {
    const statements = readFileSync(join(migrationsFolder, `${newest}.sql`), 'utf8').replaceAll(/--.*$/gm, '');
    const takesAway = /\bdrop (table|column)\b|\brename\b|\bset data type\b|\bset not null\b/i;
    const demands = /\badd column (?![^;]*\bdefault\b)[^;]*\bnot null\b/i;
    const found = statements.split(';').filter((one) => takesAway.test(one) || demands.test(one));
    expect(found).toEqual([]);
  });

  it('migrates a database with customers, orders and money, and changes no existing row', async () => {
    expect((await countPendingMigrations(old.db)).waiting).toBe(1);
    await migratePglite(old.db, demoContents.migrations);
    expect(await countPendingMigrations(old.db)).toEqual({ waiting: 0, newer: 0 });
    for (const [table, names] of columns)
      expect(await rowsOf(old.db, table, names), table).toEqual(await rowsOf(source.db, table, names));
  });

  it('lets customers find their orders and buy again', async () => {
    const moved = await aShop(old.db);
    const { data } = await moved.request(endpoints.orders, { body: { page: 1, size: 10 } }, ana);
    expect(data.items.map(({ status }) => status).sort()).toEqual(['PAYMENT_PENDING', 'PAYMENT_SUCCEEDED']);
    const eva = await moved.buyer();
    expect((await eva.pay()).data.status).toBe('PAYMENT_SUCCEEDED');
  });

  it('lets a process of the previous version write beside a process of this version', async () => {
    const before = new Map<string, readonly string[]>();
    for (const [table, names] of columns) before.set(table, await rowsOf(source.db, table, names));
    const eva = await source.buyer();
    expect((await eva.pay()).code).toBe(0);
    for (const [table, names] of columns) {
      const known = new Set(before.get(table));
      const fresh = (await rowsOf(source.db, table, names)).filter((row) => !known.has(row) && row.includes(eva.uid));
      if (fresh.length > 0) await write(old.db, table, names, fresh);
    }
    const moved = await aShop(old.db);
    const { data } = await moved.request(endpoints.orders, { body: { page: 1, size: 10 } }, eva);
    expect(data.items.map(({ status }) => status)).toEqual(['PAYMENT_SUCCEEDED']);
  });
});
