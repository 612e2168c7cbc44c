import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { BadBackup, readBackup, type Manifest } from '#server/db/backup-file.ts';
import type { Database } from '#server/db/connect.ts';
import { bare } from '#server/db/contents.ts';
import { DiskFull } from '#server/db/disk-room.ts';
import { embeddedMajor } from '#server/db/folder-version.ts';
import { DataFolderInUse } from '#server/db/lock.ts';
import { migrationsFolder } from '#server/db/migrate.ts';
import { FolderTaken, restoreFolder } from '#server/db/restore-folder.ts';
import type { Settings } from '#server/env.ts';
import { systemRandom } from '#server/runtime/random.ts';
import { storedSecret } from '#server/runtime/signing-secret.ts';
import { loadSandbox } from '#server/runtime/wiring/load-sandbox.ts';
import { instantOf } from './answers.ts';
import { auditOptions, writeAudit } from './audit.ts';
import { byPostgresItself, secretCheck } from './backup.ts';
import { isOn, need, OperatorError, type Given, type LocalCommand, type ShopCommand } from './command.ts';
import { settleRestored, type Restored } from './restored-rows.ts';

/** Makes the data folder hold what a backup does ([Note: Restore]). The shop must not run. */
export const restoreCommand: LocalCommand = {
  name: 'restore',
  summary: 'makes DATA_DIR hold what a backup does; the shop must not run',
  words: ['file'],
  options: {
    yes: { summary: 'also where DATA_DIR holds a shop: its database is put aside, and not removed' },
    ...auditOptions,
  },
  run: async (given, { settings, files, clock, explain, done }) => {
    if (settings.DATABASE_URL !== undefined) throw new OperatorError(byPostgresItself);
    need(given, 'why');
    const file = need(given, 'file');
    const { manifest, tar } = await readBackup(await files.read(file)).catch((error: unknown): never => {
      if (error instanceof BadBackup) throw new OperatorError(`${file} cannot be restored: ${error.message}.`);
      throw error;
    });
    assertFits(manifest, settings);
    const { migrations } = manifest.sandbox ? (await loadSandbox()).demonstration : bare;
    let restored: Restored | undefined;
    const prepare = (db: Database) =>
      db.transaction(async (tx) => void (restored = await settle(tx, given, manifest.at, clock)));
    const wish = { folder: settings.DATA_DIR, dump: tar, migrations, replaces: isOn(given, 'yes'), prepare };
    const former = await restoreFolder(wish).catch((error: unknown): never => inWords(error, settings));
    warnOfSecret(manifest, settings, explain);
    const place =
      former === undefined ? '' : ` The database of before is in ${former}; remove it when you need it no longer.`;
    const at = instantOf(manifest.at);
    done(`${settings.DATA_DIR} has the shop as it was at ${at}.${place}`, { at, former: former ?? null, ...restored });
    explain(whatIsLeft(at));
  },
};

/** The same for PostgreSQL, whose tools have put the rows back. */
export const restoredCommand: ShopCommand = {
  name: 'restored',
  patient: true,
  summary: 'after pg_restore and before the shop starts: holds renewals, ends sessions, sends no mail twice',
  options: {
    'backup-at': { required: true, value: 'time', summary: 'when pg_dump began, such as 2026-11-23T02:00:00Z' },
    ...auditOptions,
  },
  inShop: async (given, { deps, dump, done, explain }) => {
    if (dump) throw new OperatorError('The embedded database is restored by `restore`, which does this, too.');
    const at = Date.parse(need(given, 'backup-at'));
    if (!(at <= deps.clock())) throw new OperatorError('--backup-at is no time of the past.', { badUsage: true });
    const restored = await deps.db.transaction((tx) => settle(tx, given, at, deps.clock));
    done('Sessions have ended, mail that waited is not sent, and renewals are held.', { ...restored });
    explain(whatIsLeft(instantOf(at)));
  },
};

async function settle(tx: Database, given: Given, backupAt: number, clock: () => number): Promise<Restored> {
  const restored = await settleRestored(tx, clock());
  const detail = { backupAt: instantOf(backupAt), ...restored };
  await writeAudit(tx, given, { command: 'restore', detail }, { clock, random: systemRandom });
  return restored;
}

function assertFits({ schema, sandbox, postgres }: Manifest, { SANDBOX }: Settings): void {
  const major = postgres.split('.')[0] ?? '';
  if (/^\d+$/.test(major) && major !== embeddedMajor) {
    throw new OperatorError(
      `The file was written by PostgreSQL ${major}, and this version of the shop reads PostgreSQL ${embeddedMajor} alone. ` +
        'Restore it with the version of the shop that wrote it.',
    );
  }
  const newest = Math.max(...readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis));
  if (schema > newest) {
    throw new OperatorError(
      'The file was written by a newer version of the shop. Restore it with that one, or a later one.',
    );
  }
  if (sandbox === SANDBOX) return;
  const [its, ours] = sandbox ? ['a demonstration', 'SANDBOX=true'] : ['a shop for customers', 'SANDBOX=false'];
  throw new OperatorError(`The file is of ${its}. Give this command the environment of that shop (${ours}).`);
}

function inWords(error: unknown, { DATA_DIR }: Settings): never {
  if (error instanceof DataFolderInUse) throw new OperatorError(`${error.message}: stop the shop first.`);
  if (error instanceof FolderTaken) {
    throw new OperatorError(`${error.message}. With --yes its database is put aside, and this one takes its place.`);
  }
  if (error instanceof DiskFull) throw new OperatorError(`${error.message}. Nothing has changed in ${DATA_DIR}.`);
  throw error;
}

/** Known devices, offers' links and keys of browsers' pushes are signed with it. */
function warnOfSecret({ secretCheck: its }: Manifest, settings: Settings, explain: (line: string) => void): void {
  const { DATA_DIR } = settings;
  const given = settings.SIGNING_SECRET ?? (existsSync(join(DATA_DIR, 'secret')) ? storedSecret(DATA_DIR) : undefined);
  if (given !== undefined && secretCheck({ SIGNING_SECRET: given }) === its) return;
  explain(
    'The signing secret here is not the one of that shop. Set SIGNING_SECRET to it, or put its file `secret` into ' +
      'DATA_DIR, before the shop starts; else links in mails that stop offers, and browsers that are told by push, are lost.',
  );
}

const whatIsLeft = (at: string | null) =>
  `What happened after ${at} is not known here. Look into the books of each provider for payments since then and give ` +
  'back or grant by hand what is missing; `orders unknown` lists what providers tell of when the shop runs. Renewals whose ' +
  'day was since are held and asked about: `renewals held` lists them in a quarter of an hour, `renewals release` lets ' +
  'them be charged. Refunds, blocks, deletions, new passwords and cards, given since then, have to be given again.';
