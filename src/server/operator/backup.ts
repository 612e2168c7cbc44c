import { sql } from 'drizzle-orm';
import { packBackup, type Manifest, type ManifestFacts } from '#server/db/backup-file.ts';
import type { Database } from '#server/db/connect.ts';
import { statementRows } from '#server/db/driver-results.ts';
import { brands } from '#server/db/schema/brands.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import type { Settings } from '#server/env.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import { instantOf } from './answers.ts';
import { auditOptions, writeAudit } from './audit.ts';
import { need, OperatorError, type ShopCommand } from './command.ts';

/** Why PostgreSQL is not ours to copy. */
export const byPostgresItself =
  'The database is PostgreSQL, which has tools of its own: `pg_dump --format=custom --file=shop.dump "$DATABASE_URL"`, and ' +
  '`pg_restore --clean --if-exists --dbname="$DATABASE_URL" shop.dump` into it while no process of the shop runs, and then ' +
  '`npm run operator -- restored --backup-at <when pg_dump began> --why <ticket>` before it starts again.';

/** Tells one signing secret from another without telling anything about it. */
export const secretCheck = (env: Pick<Deps['env'], 'SIGNING_SECRET'>): string =>
  derivedKey(env, 'backup').toString('hex').slice(0, 16);

/** Writes everything that the embedded database holds into a file ([Note: Backup file]), while the shop goes on. */
export const backupCommand: ShopCommand = {
  name: 'backup',
  summary: 'writes all that the embedded database holds into a new file, while the shop runs',
  words: ['file'],
  options: auditOptions,
  inShop: async (given, { deps, dump, files, settings, done, explain }) => {
    if (!dump) throw new OperatorError(byPostgresItself);
    const file = need(given, 'file');
    const facts = await factsOf(deps, settings);
    const { manifest, parts } = await packBackup(facts, await dump());
    const bytes = await files.create(file, parts);
    await writeAudit(deps.db, given, { command: 'backup', detail: { sha256: manifest.sha256 } }, deps);
    const megabytes = (bytes / 1024 / 1024).toFixed(1);
    done(`${file} has the shop as it was at ${instantOf(manifest.at)} (${megabytes} MB).`, { file, ...told(manifest) });
    explain(
      'It holds what is personal and keys of customers: keep it as you keep the database. The signing secret is not in it ' +
        '(SIGNING_SECRET, or `secret` in DATA_DIR): keep that, too, in another place.',
    );
  },
};

/** What of a manifest people and programs are told. */
export function told({ at, postgres, sandbox, counts, brands: codes, bytes, sha256 }: Manifest) {
  return { at: instantOf(at), postgres, sandbox, brands: codes.join(' '), ...counts, bytes, sha256 };
}

async function factsOf({ db, clock, env }: Deps, { SANDBOX }: Settings): Promise<ManifestFacts> {
  const [version] = await db
    .select({ is: sql<string>`current_setting('server_version')` })
    .from(brands)
    .limit(1);
  const [journal] = await statementRows(db, sql`select max(created_at) as last from drizzle.__drizzle_migrations`);
  const codes = await db.select({ code: brands.code }).from(brands).orderBy(brands.code);
  return {
    at: clock(),
    schema: Number(journal?.['last'] ?? 0),
    postgres: version?.is ?? '',
    sandbox: SANDBOX,
    secretCheck: secretCheck(env),
    brands: codes.map(({ code }) => code),
    counts: await countsOf(db),
  };
}

async function countsOf(db: Database): Promise<Record<string, number>> {
  return {
    customers: await db.$count(users),
    orders: await db.$count(orders),
    ledger: await db.$count(ledger),
    renewals: await db.$count(subscriptions),
  };
}
