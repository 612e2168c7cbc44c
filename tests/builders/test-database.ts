import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { openMemory } from '#server/db/open-database.ts';
import { demoContents } from '#sandbox/demo-contents.ts';

type TestDatabase = Awaited<ReturnType<typeof openMemory>>;

/** A database that a test of this file released. */
let spare: TestDatabase | undefined;

/**
 * A database in memory with the demo data only. Opening one takes longer than most tests, so the tests of a file reuse
 * one, which is reset; a test that needs two at once gets two.
 */
export async function acquireDatabase(): Promise<TestDatabase> {
  const released = spare;
  spare = undefined;
  if (released) {
    await resetRows(released.db);
    return released;
  }
  const opened = await openMemory(demoContents);
  await saveInitialRows(opened.db);
  return opened;
}

/** Releases a database for the next test, which gets it without the rows of this one. */
export async function releaseDatabase(database: TestDatabase): Promise<void> {
  if (spare) await database.close();
  else spare = database;
}

/** Copies every table that has rows into a schema of its own. */
async function saveInitialRows(db: Database): Promise<void> {
  await db.execute(sql`do $$
    declare name text; filled boolean;
    begin
      create schema beginning;
      for name in select tablename from pg_tables where schemaname = 'public' loop
        execute format('select exists (select from public.%I)', name) into filled;
        if filled then execute format('create table beginning.%1$I as table public.%1$I', name); end if;
      end loop;
    end $$`);
}

/**
 * Restores the initial rows. Deleting the few rows of a test is much faster than truncating fifty tables, which creates
 * new files for each. A table that has grown is truncated to free its space. Foreign keys are not checked meanwhile.
 */
async function resetRows(db: Database): Promise<void> {
  await db.execute(sql`do $$
    declare name text;
    begin
      perform set_config('session_replication_role', 'replica', true);
      for name in select tablename from pg_tables where schemaname = 'public' loop
        if pg_table_size(format('public.%I', name)) > 500000 then
          execute format('truncate public.%I cascade', name);
        else
          execute format('delete from public.%I', name);
        end if;
      end loop;
      for name in select tablename from pg_tables where schemaname = 'beginning' loop
        execute format('insert into public.%1$I table beginning.%1$I', name);
      end loop;
    end $$`);
}
