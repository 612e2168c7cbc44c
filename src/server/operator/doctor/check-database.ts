import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Database } from '#server/db/connect.ts';
import { statementRows, databaseProblemOf } from '#server/db/driver-results.ts';
import { waitingMigrations } from '#server/db/migrate.ts';
import { connectForMigrations } from '#server/db/open-pool.ts';
import type { Settings } from '#server/env.ts';
import { note, ok, reasonOf, wrong, type Finding } from './finding.ts';

interface Looked {
  readonly findings: readonly Finding[];
  /** only where this version can read all of it */
  readonly db?: Database;
  close(): Promise<void>;
}

const nothing = (...findings: Finding[]): Looked => ({ findings, close: () => Promise.resolve() });

/** Opens the database read-only: nothing is created, migrated or written. Missing settings are reported elsewhere. */
export async function checkDatabase({ DATABASE_URL }: Settings): Promise<Looked> {
  if (DATABASE_URL === undefined) return nothing();
  try {
    const client = await connectForMigrations(DATABASE_URL);
    return await lookInside(drizzle({ client }), () => client.end());
  } catch (error) {
    return nothing(wrong('database', `DATABASE_URL: ${databaseProblemOf(error) ?? reasonOf(error)}`));
  }
}

async function lookInside(db: Database, close: () => Promise<void>): Promise<Looked> {
  const [server] = await statementRows(db, sql`select current_setting('server_version') as version`);
  const there = ok('database', `PostgreSQL ${String(server?.['version'])} answers`);
  const { waiting, newer } = await waitingMigrations(db);
  const migrations =
    newer > 0
      ? wrong(
          'migrations',
          `a newer version of the shop has been here: ${newer} of its migrations are unknown to this one`,
        )
      : waiting > 0
        ? note('migrations', `${waiting} wait for the next start, which runs them`)
        : ok('migrations', 'all have run');
  return { findings: [there, migrations], close, ...(waiting + newer === 0 && { db }) };
}
