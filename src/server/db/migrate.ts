import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyPg } from 'drizzle-orm/node-postgres/migrator';
import type { PgliteDatabase } from 'drizzle-orm/pglite';
import { migrate as applyPglite } from 'drizzle-orm/pglite/migrator';
import type pg from 'pg';
import type { Database } from './connect.ts';

export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** Any number that no other user of the same database takes for a lock of its own. */
const migrationLock = 7_203_114;

export async function migratePglite(db: PgliteDatabase): Promise<void> {
  await applyPglite(db, { migrationsFolder });
}

/** Migrates, runs `after` and ends the connection, under a lock, so that many processes can start at once. */
export async function migratePg(client: pg.Client, after: (db: Database) => Promise<void>): Promise<void> {
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    const db = drizzle({ client });
    await applyPg(db, { migrationsFolder });
    await after(db);
  } finally {
    // closing the connection frees the lock, whatever state it is in
    await client.end();
  }
}
