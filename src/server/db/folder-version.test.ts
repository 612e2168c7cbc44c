import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openEmbedded, openMemory, embeddedMajor, FolderVersionMismatch } from './open-database.ts';
import { productionContents } from './migrate.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

const aFolder = (version: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-version-'));
  folders.push(folder);
  mkdirSync(join(folder, 'pgdata'));
  writeFileSync(join(folder, 'pgdata', 'PG_VERSION'), `${version}\n`);
  return folder;
};

describe('a data folder of another major version', () => {
  it.each(['16', '17', '19'])('of PostgreSQL %s is refused with what to do, and is free again', async (version) => {
    const folder = aFolder(version);
    for (const time of ['first', 'second']) {
      const refused = await openEmbedded(folder).catch((error: unknown) => error);
      expect(refused, time).toBeInstanceOf(FolderVersionMismatch);
      expect(String(refused)).toMatch(
        new RegExp(`was written by PostgreSQL ${version}, .*set DATA_DIR to another folder`),
      );
    }
  });

  it('is also refused where it is not a database', async () => {
    await expect(openEmbedded(aFolder('what?'))).rejects.toThrow('is no database of PostgreSQL');
  });

  it('is recognized by the version of PGlite itself', async () => {
    const { client, close } = await openMemory(productionContents);
    const { rows } = await client.query<{ major: string }>(
      `select (current_setting('server_version_num')::int / 10000)::text as major`,
    );
    await close();
    expect(rows[0]?.major).toBe(embeddedMajor);
  }, 60_000);
});
