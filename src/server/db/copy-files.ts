import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';

/** At a time: more only fill memory sooner. */
const together = 16;

/**
 * The files of a database in a folder as they are between two statements, as the parts of a tar. Whatever is committed is in
 * them, and what a transaction that is under way has written is undone when they are opened, as after a crash; the
 * checkpoint makes that short. Statements wait while files are read, and nothing else does: PGlite's own `dumpDataDir`
 * reads and packs them in one piece, in which the process answers nobody.
 */
export async function copyFiles(client: PGlite, folder: string): Promise<readonly Uint8Array[]> {
  await client.exec('checkpoint');
  const entries = await client.runExclusive(() => readEntries(folder));
  return [...entries.flatMap(({ header, content }) => [header, content, padding(content.byteLength)]), tarEnd];
}

interface Entry {
  readonly header: Uint8Array;
  readonly content: Uint8Array;
}

async function readEntries(folder: string): Promise<Entry[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const all = found.map((one) => ({ isFolder: one.isDirectory(), place: join(one.parentPath, one.name) }));
  const entries: Entry[] = [];
  // sorted, so that a folder stands before what is in it
  for (const some of inGroups(all.toSorted((one, other) => (one.place < other.place ? -1 : 1)))) {
    const read = some.map(async ({ isFolder, place }) => {
      const content = isFolder ? new Uint8Array() : await readFile(place);
      const name = `/${relative(folder, place).replaceAll(sep, '/')}`;
      return { header: headerOf({ name, isFolder, size: content.byteLength }), content };
    });
    entries.push(...(await Promise.all(read)));
  }
  return entries;
}

function* inGroups<One>(all: readonly One[]): Generator<readonly One[]> {
  for (let at = 0; at < all.length; at += together) yield all.slice(at, at + together);
}

const block = 512;
const tarEnd = new Uint8Array(2 * block);
const padding = (size: number) => new Uint8Array((block - (size % block)) % block);

/** A block before each file (POSIX.1-1988, ustar): numbers are octal text, the check sum counts itself as blanks. */
function headerOf({ name, isFolder, size }: { name: string; isFolder: boolean; size: number }): Uint8Array {
  const header = Buffer.alloc(block);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  if (header.write(name, 0, 100) < Buffer.byteLength(name)) throw new Error(`too long for a tar: ${name}`);
  header.write(octal(isFolder ? 0o700 : 0o600, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(0, 11), 136);
  header.write('        ', 148);
  header.write(isFolder ? '5' : '0', 156);
  header.write('ustar\x0000', 257);
  header.write(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    ),
    148,
  );
  return header;
}
