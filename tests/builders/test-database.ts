import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { openMemory } from '#server/db/open-database.ts';
import { demoContents } from '#sandbox/demonstration.ts';

type TestDatabase = Awaited<ReturnType<typeof openMemory>>;

/** One that a test of this file has given back. */
let spare: TestDatabase | undefined;

/**
 * A database in memory that holds the demonstration and nothing else. Opening one costs more than most tests do, so a file
 * uses the same one again, brought back to its beginning; tests that need two at once get two.
 */
export async function acquireDatabase(): Promise<TestDatabase> {
  const kept = spare;
  spare = undefined;
  if (kept) {
    await bringBack(kept.db);
    return kept;
  }
  const opened = await openMemory(demoContents);
  await rememberBeginning(opened.db);
  return opened;
}

/** Gives it back; what was in it is gone when it is taken again. */
export async function releaseDatabase(database: TestDatabase): Promise<void> {
  if (spare) await database.close();
  else spare = database;
}

/** Copies every table that has rows into a schema of its own. */
async function rememberBeginning(db: Database): Promise<void> {
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
 * The rows of the beginning and no others. Deleting the few rows of a test costs a fraction of truncating fifty tables, which
 * makes new files for each; a table that has grown is truncated, so that it does not stay long. Foreign keys are not looked
 * at meanwhile.
 */
async function bringBack(db: Database): Promise<void> {
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
