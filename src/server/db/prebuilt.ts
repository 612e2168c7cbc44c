import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migratePglite, migrationsFolder } from './migrate.ts';
import { seed } from './seed.ts';

/**
 * Making a PGlite data folder takes seconds; opening a dumped one takes 0.3 s. The dump of a migrated and seeded
 * folder is kept beside the dependencies and made again when migrations, seed or PGlite change.
 */
const root = fileURLToPath(new URL('../../../', import.meta.url));
const cacheFolder = join(root, 'node_modules/.cache/marquee');
const seedFolder = fileURLToPath(new URL('./seed', import.meta.url));

/** Opens PGlite in `folder`, or in memory; a new one starts from the dump. */
export async function loadPrebuilt(folder?: string): Promise<PGlite> {
  if (folder !== undefined && existsSync(join(folder, 'PG_VERSION'))) return PGlite.create({ dataDir: folder });
  const dump = new Blob([await readDump()]);
  return PGlite.create({ ...(folder === undefined ? {} : { dataDir: folder }), loadDataDir: dump });
}

async function readDump(): Promise<Uint8Array<ArrayBuffer>> {
  const file = join(cacheFolder, `database-${fingerprint()}.tar`);
  if (existsSync(file)) return readFileSync(file);
  const client = await PGlite.create();
  try {
    const db = drizzle({ client });
    await migratePglite(db);
    await seed(db);
    const dump = new Uint8Array(await (await client.dumpDataDir('none')).arrayBuffer());
    keep(file, dump);
    return dump;
  } finally {
    await client.close();
  }
}

/** Written beside and renamed, so that nobody reads half a file. A read-only installation goes without. */
function keep(file: string, dump: Uint8Array): void {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(cacheFolder, { recursive: true });
    writeFileSync(draft, dump);
    renameSync(draft, file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') throw error;
  }
}

function fingerprint(): string {
  const hash = createHash('sha256');
  const version = readFileSync(join(root, 'node_modules/@electric-sql/pglite/package.json'));
  hash.update(version).update(readFileSync(fileURLToPath(new URL('./seed.ts', import.meta.url))));
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
