import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite, types } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migratePglite, migrationsFolder } from './migrate.ts';
import type { Contents } from './contents.ts';

/**
 * Making a PGlite data folder takes seconds; opening a made one takes 0.3 s. So a migrated one is kept beside the
 * dependencies for each kind of contents, as a folder without rows for the shop to copy, and filled as a dump for tests to
 * hold in memory. Both are made again when migrations, what they are filled from, or PGlite change.
 */
const root = fileURLToPath(new URL('../../../', import.meta.url));
const cacheFolder = join(root, 'node_modules/.cache/marquee');

/** PostgreSQL keeps 128 MB for itself by default, a third of what the whole shop may use; a shop's rows need less. */
const settings = { postgresqlconf: ['shared_buffers = 24MB'] };

/** PGlite converts bytes one by one in JavaScript: a picture of 4 MiB would block the process for a second, and this for 10 ms. */
const conversions = {
  serializers: {
    [types.BYTEA]: (value: unknown) => {
      if (!(value instanceof Uint8Array)) throw new TypeError('bytes must be a Uint8Array');
      return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
    },
  },
  parsers: { [types.BYTEA]: (text: string) => Buffer.from(text.slice(2), 'hex') },
};

interface Prebuilt {
  readonly folder: string;
  readonly dump: string;
}

/** Opens PGlite in a folder; a new one starts as a copy without rows, if there is one to copy. */
export async function openFolder(folder: string, contents: Contents): Promise<PGlite> {
  if (existsSync(join(folder, 'PG_VERSION'))) return PGlite.create({ dataDir: folder, ...conversions });
  const prebuilt = await findPrebuilt(contents);
  if (!prebuilt) return PGlite.create({ dataDir: folder, ...settings, ...conversions });
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  // renamed when it is whole, so that a copy that was cut short is never opened
  cpSync(prebuilt.folder, draft, { recursive: true });
  renameSync(draft, folder);
  return PGlite.create({ dataDir: folder, ...conversions });
}

/** Opens PGlite in memory, migrated and filled. */
export async function openInMemory(contents: Contents): Promise<PGlite> {
  const prebuilt = await findPrebuilt(contents);
  if (prebuilt) return PGlite.create({ loadDataDir: new Blob([readFileSync(prebuilt.dump)]), ...conversions });
  const client = await PGlite.create({ ...settings, ...conversions });
  const db = drizzle({ client });
  await migratePglite(db, contents.migrations);
  await contents.fill(db);
  return client;
}

/** What is kept, made first where it is missing; undefined in an installation that cannot be written to. */
async function findPrebuilt(contents: Contents): Promise<Prebuilt | undefined> {
  const folder = join(cacheFolder, `database-${fingerprint(contents)}`);
  const kept = { folder, dump: `${folder}.tar` };
  if (existsSync(kept.dump)) return kept;
  let draft: string;
  try {
    mkdirSync(cacheFolder, { recursive: true });
    draft = mkdtempSync(`${folder}.`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return undefined;
    throw error;
  }
  await build(contents, draft, kept);
  dropOlder(kept);
  return kept;
}

/** A copy that is a day older than the newest was made by an older build. */
function dropOlder(kept: Prebuilt): void {
  for (const name of readdirSync(cacheFolder)) {
    const path = join(cacheFolder, name);
    const olderMs = statSync(kept.dump).mtimeMs - statSync(path).mtimeMs;
    if (!path.startsWith(kept.folder) && olderMs > 86_400_000) rmSync(path, { recursive: true, force: true });
  }
}

/** Made aside and renamed, the dump last: whoever sees the dump sees a whole folder. The first of many wins. */
async function build(contents: Contents, draft: string, kept: Prebuilt): Promise<void> {
  const folder = await PGlite.create({ dataDir: draft, ...settings });
  await migratePglite(drizzle({ client: folder }), contents.migrations);
  const bare = await folder.dumpDataDir('none');
  await folder.close();
  const memory = await PGlite.create({ loadDataDir: bare });
  await contents.fill(drizzle({ client: memory }));
  const dump = await memory.dumpDataDir('none');
  await memory.close();
  writeFileSync(`${draft}.tar`, new Uint8Array(await dump.arrayBuffer()));
  moveOrDrop(draft, kept.folder);
  renameSync(`${draft}.tar`, kept.dump);
}

function moveOrDrop(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'EPERM') throw error;
    rmSync(draft, { recursive: true });
  }
}

function fingerprint({ name, migrations, sources }: Contents): string {
  const hash = createHash('sha256');
  const version = readFileSync(join(root, 'node_modules/@electric-sql/pglite/package.json'));
  hash.update(version).update(name).update(JSON.stringify(settings));
  for (const folder of [migrationsFolder, ...migrations.map((others) => others.folder), ...sources])
    hashFolder(hash, folder);
  return hash.digest('hex').slice(0, 20);
}

function hashFolder(hash: ReturnType<typeof createHash>, folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => a.name.localeCompare(b.name))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) hashFolder(hash, path);
    else hash.update(entry.name).update(readFileSync(path));
  }
}
