import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The major version of PostgreSQL in PGlite; only the same version can read a data folder. */
export const embeddedMajor = '18';

/** The files were written by another major version of PostgreSQL, or are not a database. */
export class OtherFolderVersion extends Error {
  constructor(folder: string, version: string) {
    const written = /^\d+$/.test(version) ? `was written by PostgreSQL ${version}` : 'is no database of PostgreSQL';
    super(
      `${folder} ${written}, and this version of the shop reads PostgreSQL ${embeddedMajor} alone; start the version of the shop ` +
        'that wrote it, or set DATA_DIR to another folder, in which a new database is made',
    );
    this.name = 'OtherFolderVersion';
  }
}

/** Throws `OtherFolderVersion` for a folder that would crash PGlite; a folder that does not exist yet is accepted. */
export function assertFolderVersion(folder: string): void {
  const file = join(folder, 'PG_VERSION');
  if (!existsSync(file)) return;
  const version = readFileSync(file, 'utf8').trim();
  if (version !== embeddedMajor) throw new OtherFolderVersion(folder, version);
}
