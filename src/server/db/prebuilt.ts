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
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migratePglite, migrationsFolder } from './migrate.ts';
import { seed } from './seed.ts';

/**
 * Making a PGlite data folder takes seconds; opening a made one takes 0.3 s. So a migrated one is kept beside the
 * dependencies, as a folder for the shop to copy, which holds no brand, and with the demonstration's brands as a dump
 * for tests to hold in memory. Both are made again when migrations, seed or PGlite change.
 */
const root = fileURLToPath(new URL('../../../', import.meta.url));
const cacheFolder = join(root, 'node_modules/.cache/marquee');
const seedFolder = fileURLToPath(new URL('./seed', import.meta.url));

/** PostgreSQL keeps 128 MB for itself by default, a third of what the whole shop may use; a shop's rows need less. */
const settings = { postgresqlconf: ['shared_buffers = 24MB'] };

interface Prebuilt {
  readonly folder: string;
  readonly dump: string;
}

/** Opens PGlite in a folder; a new one starts as a copy without rows, if there is one to copy. */
export async function openFolder(folder: string): Promise<PGlite> {
  if (existsSync(join(folder, 'PG_VERSION'))) return PGlite.create({ dataDir: folder });
  const prebuilt = await findPrebuilt();
  if (!prebuilt) return PGlite.create({ dataDir: folder, ...settings });
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  // renamed when it is whole, so that a copy that was cut short is never opened
  cpSync(prebuilt.folder, draft, { recursive: true });
  renameSync(draft, folder);
  return PGlite.create({ dataDir: folder });
}

/** Opens PGlite in memory, migrated and seeded. */
export async function openInMemory(): Promise<PGlite> {
  const prebuilt = await findPrebuilt();
  if (prebuilt) return PGlite.create({ loadDataDir: new Blob([readFileSync(prebuilt.dump)]) });
  const client = await PGlite.create(settings);
  await fill(client);
  return client;
}

/** What is kept, made first where it is missing; undefined in an installation that cannot be written to. */
async function findPrebuilt(): Promise<Prebuilt | undefined> {
  const folder = join(cacheFolder, `database-${fingerprint()}`);
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
  await build(draft, kept);
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
async function build(draft: string, kept: Prebuilt): Promise<void> {
  const folder = await PGlite.create({ dataDir: draft, ...settings });
  await migratePglite(drizzle({ client: folder }));
  const bare = await folder.dumpDataDir('none');
  await folder.close();
  const memory = await PGlite.create({ loadDataDir: bare });
  await seed(drizzle({ client: memory }));
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

async function fill(client: PGlite): Promise<void> {
  const db = drizzle({ client });
  await migratePglite(db);
  await seed(db);
}

function fingerprint(): string {
  const hash = createHash('sha256');
  const version = readFileSync(join(root, 'node_modules/@electric-sql/pglite/package.json'));
  hash
    .update(version)
    .update(JSON.stringify(settings))
    .update(readFileSync(fileURLToPath(new URL('./seed.ts', import.meta.url))));
  for (const folder of [migrationsFolder, seedFolder]) hashFolder(hash, folder);
  return hash.digest('hex').slice(0, 20);
}

function hashFolder(hash: ReturnType<typeof createHash>, folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => a.name.localeCompare(b.name))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) hashFolder(hash, path);
    else hash.update(entry.name).update(readFileSync(path));
  }
}
