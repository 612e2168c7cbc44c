import { sql } from 'drizzle-orm';
import { openTestDatabase, type Database } from '../../src/server/db/connect.ts';
import { seed } from '../../src/server/db/seed.ts';

type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>;

/** One that a test of this file has given back. */
let spare: TestDatabase | undefined;

/**
 * An empty, seeded database in memory. Opening one costs more than most tests do, so a file uses the same one again,
 * emptied; tests that need two at once get two.
 */
export async function takeDatabase(): Promise<TestDatabase> {
  const kept = spare;
  spare = undefined;
  if (!kept) return openTestDatabase();
  await empty(kept.db);
  return kept;
}

/** Gives it back; what was in it is gone when it is taken again. */
export async function giveBackDatabase(database: TestDatabase): Promise<void> {
  if (spare) await database.close();
  else spare = database;
}

async function empty(db: Database): Promise<void> {
  await db.execute(sql`do $$
    declare names text;
    begin
      select string_agg(format('%I', tablename), ', ') into names from pg_tables where schemaname = 'public';
      execute 'truncate ' || names || ' restart identity cascade';
    end $$`);
  await seed(db);
}
