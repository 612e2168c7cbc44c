import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import {
  databaseProblemOf,
  isWritable,
  ReadOnlyServer,
  sqlStateOf,
  statementRows,
  type Database,
} from '#server/db/connect.ts';
import { runningProcesses } from '#server/db/lock.ts';
import { countPendingMigrations, describeNewer, newerMigrations } from '#server/db/migrate.ts';
import { connectForChecks, streamOf, timeLimits } from '#server/db/open-database.ts';
import type { Settings } from '#server/env.ts';
import { clockFinding } from './check-from-outside.ts';
import { noteFinding, okFinding, patienceMs, reasonOf, wrongFinding, type Finding } from './finding.ts';

interface CheckedDatabase {
  readonly findings: readonly Finding[];
  /** only where this version can read all of it */
  readonly db?: Database;
  close(): Promise<void>;
}

const nothing = (...findings: Finding[]): CheckedDatabase => ({ findings, close: () => Promise.resolve() });

/** Opens the database read-only: nothing is created, migrated or written. Missing settings are reported elsewhere. */
export async function checkDatabase({ DATABASE_URL }: Settings, clock: () => number): Promise<CheckedDatabase> {
  if (DATABASE_URL === undefined) return nothing();
  try {
    const { client, findings } = await connect(DATABASE_URL);
    const close = () => disconnect(client);
    try {
      const inside = await lookInside(client, clock);
      return { ...inside, findings: [...findings, ...inside.findings], close };
    } catch (error) {
      await close();
      return nothing(...findings, databaseFinding(error));
    }
  } catch (error) {
    return nothing(databaseFinding(error));
  }
}

/** The findings of checks that read the database, or that it failed meanwhile. */
export async function readingDatabase(check: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [databaseFinding(error)];
  }
}

/** Throws what is no problem of the database. */
function databaseFinding(error: unknown): Finding {
  const what = 'database';
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at.message === 'Query read timeout') return wrongFinding(what, `DATABASE_URL: PostgreSQL ${reasonOf(at)}`);
    if (at.message.startsWith('transaction blocks not allowed')) return wrongFinding(what, statementMode);
  }
  const state = sqlStateOf(error);
  if (state === '42P01' || state === '42703') return wrongFinding(what, 'has tables that this version cannot read');
  const problem = databaseProblemOf(error);
  if (problem === undefined) throw error;
  return wrongFinding(what, `DATABASE_URL: ${problem}`);
}

const statementMode =
  'DATABASE_URL: the PgBouncer allows no transactions, so no payment can be recorded; set pool_mode = transaction';

/** Connects as a process of the shop does; without the time limits where PgBouncer refuses those. */
async function connect(url: string): Promise<{ client: pg.Client; findings: readonly Finding[] }> {
  const open = (isLimited: boolean) => connectForChecks(url, { answerMs: patienceMs, isLimited });
  try {
    return { client: await open(true), findings: [] };
  } catch (error) {
    // PgBouncer refuses a startup parameter with this state
    if (sqlStateOf(error) !== '08P01') throw error;
    return { client: await open(false), findings: [databaseFinding(error)] };
  }
}

/** A server that hangs does not answer a goodbye. */
async function disconnect(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => streamOf(client).destroy(), 1000);
  await client.end();
  clearTimeout(timer);
}

async function lookInside(client: pg.Client, clock: () => number): Promise<Omit<CheckedDatabase, 'close'>> {
  const db = drizzle({ client });
  const before = clock();
  const [server] = await statementRows(
    db,
    sql`select current_setting('server_version') as version, pg_backend_pid() as pid,
      quote_ident(current_user) as role, (extract(epoch from clock_timestamp()) * 1000)::bigint as now`,
  );
  const time = { before, after: clock(), told: Number(server?.['now']), precisionMs: 1 };
  const through = isPooled(client, Number(server?.['pid'])) ? ' through a pooler such as PgBouncer' : '';
  // a pooler may allow single statements only
  const writes = await db.transaction(isWritable);
  const { waiting, newer } = await countPendingMigrations(db);
  const migrations =
    newer > 0
      ? wrongFinding('migrations', describeNewer(await newerMigrations(db)))
      : waiting > 0
        ? noteFinding('migrations', `${waiting} are pending; the next start runs them`)
        : okFinding('migrations', 'all have run');
  const findings = [
    writes
      ? okFinding('database', `PostgreSQL ${String(server?.['version'])} answers${through}`)
      : wrongFinding('database', `DATABASE_URL: PostgreSQL ${new ReadOnlyServer().message}`),
    await checkTimeLimits(db, String(server?.['role'])),
    clockFinding('clock of database', time, 'the clock of PostgreSQL'),
    migrations,
  ];
  return { findings, ...(waiting === 0 && { db }) };
}

/**
 * PgBouncer gives each client a random key for cancelling, while PostgreSQL puts its process ID there (PostgreSQL 18,
 * section 54.2.1; PgBouncer, `cancel_key`).
 */
function isPooled(client: pg.Client, pid: number): boolean {
  // as: pg's types leave out the field, which its clients need to cancel a query
  return (client as pg.Client & { readonly processID: number | null }).processID !== pid;
}

/** The time limits that a connection of the shop really has: its own, or those of its role where a pooler drops them. */
async function checkTimeLimits(db: Database, role: string): Promise<Finding> {
  const what = 'time limits';
  const names = Object.keys(timeLimits);
  const rows = await statementRows(
    db,
    sql`select name, setting from pg_settings where name in (${sql.join(
      names.map((name) => sql`${name}`),
      sql`, `,
    )})`,
  );
  const limits = new Map(rows.map(({ name, setting }) => [String(name), Number(setting)]));
  const missing = Object.entries(timeLimits).filter(([name]) => !limits.get(name));
  if (missing.length > 0) {
    const remedy = missing.map(([name, ms]) => `alter role ${role} set ${name} = '${ms / 1000}s'`).join('; ');
    return wrongFinding(
      what,
      `${missing.map(([name]) => name).join(', ')}: off, because a pooler drops what the shop asks for: one ` +
        `statement that hangs keeps customers waiting without an end; run ${remedy}`,
    );
  }
  const longer = Object.entries(timeLimits).filter(([name, ms]) => (limits.get(name) ?? 0) > ms);
  return longer.length > 0
    ? noteFinding(
        what,
        `${longer.map(([name, ms]) => `${name} is ${limits.get(name)} ms (recommended: ${ms})`).join(', ')}; ` +
          'customers wait that long for a database that hangs',
      )
    : okFinding(what, 'a statement, a lock and an idle transaction end in time');
}

/** Largest difference of a process's clock that is not reported, in milliseconds: as for the clock of this machine. */
const strayMs = 5000;

/** Whether the running processes sign alike, and agree about the time. */
export async function checkProcesses(db: Database, { SIGNING_SECRET }: Settings): Promise<Finding[]> {
  const what = 'processes';
  const running = await runningProcesses(db, { SIGNING_SECRET: SIGNING_SECRET ?? '' });
  if (running.length === 0) return [noteFinding(what, 'none has run within the last two minutes')];
  const others = running.filter(({ signsAlike }) => !signsAlike).length;
  const stray = running.reduce((most, { aheadMs }) => Math.max(most, Math.abs(aheadMs)), 0);
  const found = [
    ...(SIGNING_SECRET !== undefined && others > 0
      ? [
          wrongFinding(
            what,
            `${others} of ${running.length} sign with another SIGNING_SECRET than this one, so customers are refused ` +
              'what another process gave them, such as a price or a link; set the same one everywhere, and restart them',
          ),
        ]
      : []),
    ...(stray >= strayMs
      ? [
          wrongFinding(
            what,
            `the clock of one is ${Math.round(stray / 1000)} s off the clock of PostgreSQL, so codes and prices expire ` +
              'at the wrong time; synchronize its machine with NTP',
          ),
        ]
      : []),
  ];
  const count = running.length === 1 ? 'one runs' : `${running.length} run`;
  return found.length > 0 ? found : [okFinding(what, `${count}, with the same secret and the right time`)];
}
