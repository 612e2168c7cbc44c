import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import type { Database } from '#server/db/connect.ts';
import { statementRows, databaseProblemOf } from '#server/db/driver-results.ts';
import { assertFolderVersion, OtherFolderVersion } from '#server/db/folder-version.ts';
import { DataFolderInUse, lockFolder } from '#server/db/lock.ts';
import { waitingMigrations } from '#server/db/migrate.ts';
import { connectForMigrations } from '#server/db/open-pool.ts';
import type { Settings } from '#server/env.ts';
import { note, ok, patienceMs, reasonOf, wrong, type Finding } from './finding.ts';

interface Looked {
  readonly findings: readonly Finding[];
  /** only where this version can read all of it */
  readonly db?: Database;
  close(): Promise<void>;
}

const nothing = (...findings: Finding[]): Looked => ({ findings, close: () => Promise.resolve() });

/** Opens the database as it is: nothing is made, migrated or written. */
export function checkDatabase(settings: Settings): Promise<Looked> {
  return settings.DATABASE_URL === undefined ? lookIntoFolder(settings) : lookAtPostgres(settings.DATABASE_URL);
}

async function lookAtPostgres(url: string): Promise<Looked> {
  try {
    const client = await connectForMigrations(url);
    const db = drizzlePg({ client });
    return await lookInside(db, 'PostgreSQL', () => client.end());
  } catch (error) {
    return nothing(wrong('database', `DATABASE_URL: ${databaseProblemOf(error) ?? reasonOf(error)}`));
  }
}

async function lookIntoFolder(settings: Settings): Promise<Looked> {
  const folder = join(settings.DATA_DIR, 'pgdata');
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    return nothing(
      note('database', `there is none in ${settings.DATA_DIR} yet; \`brand apply\` or the first start makes it`),
    );
  }
  try {
    assertFolderVersion(folder);
    const unlock = lockFolder(settings.DATA_DIR);
    const client = await PGlite.create({ dataDir: folder });
    const close = () => client.close().finally(unlock);
    return await lookInside(drizzlePglite({ client }), 'the embedded database', close);
  } catch (error) {
    if (error instanceof OtherFolderVersion) return nothing(wrong('database', error.message));
    if (error instanceof DataFolderInUse) return nothing(await askShop(settings, error));
    throw error;
  }
}

/** The embedded database belongs to the shop that runs, so that one is asked. */
async function askShop({ PORT }: Settings, { pid }: DataFolderInUse): Promise<Finding> {
  const what = `is held by the running shop (process ${pid ?? 'unknown'})`;
  try {
    const answer = await fetch(`http://127.0.0.1:${PORT}/readyz`, { signal: AbortSignal.timeout(patienceMs) });
    return answer.ok ? ok('database', `${what}, which is ready`) : wrong('database', `${what}, which cannot use it`);
  } catch (error) {
    return wrong('database', `${what}, which ${reasonOf(error)} at port ${PORT}`);
  }
}

async function lookInside(db: Database, name: string, close: () => Promise<void>): Promise<Looked> {
  const [server] = await statementRows(db, sql`select current_setting('server_version') as version`);
  const there = ok('database', `${name} ${String(server?.['version'])} answers`);
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
