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
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { drizzle } from 'drizzle-orm/pglite';
import { migratePglite, migrationsFolder, type Contents } from './migrate.ts';

/**
 * Creating a PGlite data folder takes seconds; opening one takes 0.3 s. So a migrated one is cached in `node_modules`
 * for each kind of contents: as a folder without rows for the shop to copy, and filled as a dump for tests in memory.
 * Both are rebuilt when migrations, the sources of `fill`, or PGlite change.
 */
const root = fileURLToPath(new URL('../../../', import.meta.url));
const cacheFolder = join(root, 'node_modules/.cache/marquee');

/** PostgreSQL reserves 128 MB by default, a third of what the whole shop may use; a shop's rows need less. */
const settings = { postgresqlconf: ['shared_buffers = 24MB'] };

/**
 * `pg_trgm` is for the search by a part of a name. PGlite converts bytes one by one in JavaScript: an image of 4 MiB
 * would block the process for a second; the serializer here takes 10 ms.
 */
const options = {
  extensions: { pg_trgm },
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

/** Opens PGlite in a folder; a new folder starts as a copy of the cached one, if there is one. */
export async function openFolder(folder: string, contents: Contents): Promise<PGlite> {
  if (existsSync(join(folder, 'PG_VERSION'))) return PGlite.create({ dataDir: folder, ...options });
  const prebuilt = await findPrebuilt(contents);
  if (!prebuilt) return PGlite.create({ dataDir: folder, ...settings, ...options });
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  // renamed when complete, so that an interrupted copy is never opened
  cpSync(prebuilt.folder, draft, { recursive: true });
  renameSync(draft, folder);
  return PGlite.create({ dataDir: folder, ...options });
}

/** Opens PGlite in memory, migrated and filled. */
export async function openInMemory(contents: Contents): Promise<PGlite> {
  const prebuilt = await findPrebuilt(contents);
  if (prebuilt) return PGlite.create({ loadDataDir: new Blob([readFileSync(prebuilt.dump)]), ...options });
  const client = await PGlite.create({ ...settings, ...options });
  const db = drizzle({ client });
  await migratePglite(db, contents.migrations);
  await contents.fill(db);
  return client;
}

/** The cached folder and dump, built first where they are missing; undefined in a read-only installation. */
async function findPrebuilt(contents: Contents): Promise<Prebuilt | undefined> {
  const folder = join(cacheFolder, `database-${fingerprint(contents)}`);
  const prebuilt = { folder, dump: `${folder}.tar` };
  if (existsSync(prebuilt.dump)) return prebuilt;
  let draft: string;
  try {
    mkdirSync(cacheFolder, { recursive: true });
    draft = mkdtempSync(`${folder}.`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return undefined;
    throw error;
  }
  await build(contents, draft, prebuilt);
  dropOlder(prebuilt);
  return prebuilt;
}

/** A copy a day older than the newest belongs to an older build. */
function dropOlder(prebuilt: Prebuilt): void {
  for (const name of readdirSync(cacheFolder)) {
    const path = join(cacheFolder, name);
    const olderMs = statSync(prebuilt.dump).mtimeMs - statSync(path).mtimeMs;
    if (!path.startsWith(prebuilt.folder) && olderMs > 86_400_000) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Built in a draft folder and renamed, the dump last: where the dump exists, the folder is complete. Of several
 * processes the first one wins.
 */
async function build(contents: Contents, draft: string, prebuilt: Prebuilt): Promise<void> {
  const folder = await PGlite.create({ dataDir: draft, ...settings, ...options });
  await migratePglite(drizzle({ client: folder }), contents.migrations);
  const bare = await folder.dumpDataDir('none');
  await folder.close();
  const memory = await PGlite.create({ loadDataDir: bare, ...options });
  await contents.fill(drizzle({ client: memory }));
  const dump = await memory.dumpDataDir('none');
  await memory.close();
  writeFileSync(`${draft}.tar`, new Uint8Array(await dump.arrayBuffer()));
  moveOrDrop(draft, prebuilt.folder);
  renameSync(`${draft}.tar`, prebuilt.dump);
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
