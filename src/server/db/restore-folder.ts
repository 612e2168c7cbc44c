import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import type { Database } from './connect.ts';
import { roomIn } from './disk-room.ts';
import { lockFolder } from './lock.ts';
import { migratePglite, type Migrations } from './migrate.ts';

/** The folder holds a shop already, which nobody has said may go. */
export class FolderTaken extends Error {
  constructor(folder: string) {
    super(`${folder} holds a shop already`);
    this.name = 'FolderTaken';
  }
}

const inFolder = (folder: string) => ({
  place: join(folder, 'pgdata'),
  draft: join(folder, 'pgdata.restoring'),
  ready: join(folder, 'pgdata.restored'),
});

interface Restoring {
  readonly folder: string;
  /** a tar of a database's files (`OpenedDatabase.dump`) */
  readonly dump: Uint8Array;
  /** of tables beside the shop's own */
  readonly migrations: readonly Migrations[];
  /** whether the shop that is there may be put aside */
  readonly replaces: boolean;
  /** what is written before anybody sees it; where it throws, nothing has changed */
  readonly prepare: (db: Database) => Promise<void>;
}

/**
 * Makes a folder hold what a dump does, migrated and prepared; answers where the database of before was put, if there was one.
 * It is made aside, and from the moment in which it has its name it is the shop's, whoever is cut off after that
 * (`finishRestore`). Throws `DataFolderInUse` where a shop runs, `FolderTaken`, and `DiskFull`.
 */
export async function restoreFolder({ folder, dump, ...wish }: Restoring): Promise<string | undefined> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { place, draft, ready } = inFolder(folder);
  const unlock = lockFolder(folder);
  try {
    finishRestore(folder);
    if (existsSync(place) && !wish.replaces) throw new FolderTaken(folder);
    roomIn(folder)();
    rmSync(draft, { recursive: true, force: true });
    const client = await PGlite.create({ dataDir: draft, loadDataDir: new Blob([new Uint8Array(dump)]) });
    try {
      const db = drizzle({ client });
      await migratePglite(db, wish.migrations);
      await wish.prepare(db);
    } finally {
      await client.close();
    }
    renameSync(draft, ready);
    return finishRestore(folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
    unlock();
  }
}

/** Puts a database that was restored whole into its place, and the one of before aside; answers where that is. */
export function finishRestore(folder: string): string | undefined {
  const { place, ready } = inFolder(folder);
  if (!existsSync(ready)) return undefined;
  const former = existsSync(place) ? freeName(`${place}.former`) : undefined;
  if (former !== undefined) renameSync(place, former);
  renameSync(ready, place);
  return former;
}

function freeName(path: string): string {
  let name = path;
  for (let number = 2; existsSync(name); number += 1) name = `${path}-${number}`;
  return name;
}
