import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError } from './command.ts';

function failing(what: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new OperatorError(`${what}: ${reason}.`);
}

/** Reads a file of the operator. Throws `OperatorError` with the reason. */
export const readOperatorFile = (path: string): Promise<Buffer> =>
  readFile(path).catch((error: unknown) => failing(`${path} cannot be read`, error));

/** Creates a file that only its owner can read, and its folder; fails where it exists. Returns its size in bytes. */
export async function createOperatorFile(
  path: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<number> {
  const part = `${path}.part`;
  try {
    await mkdir(dirname(path), { recursive: true });
    const bytes = await writeWhole(part, content);
    // unlike a rename, a link fails where a file already exists
    await linkInstead(part, path);
    await settle(dirname(path));
    return bytes;
  } catch (error) {
    return failing(`${path} could not be written`, existing(error, path, part));
  }
}

/** Instead of the error of a file that exists, what the operator can do. */
function existing(error: unknown, path: string, part: string): unknown {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error && error.code === 'EEXIST')) return error;
  if (error.syscall === 'link') return new Error('it exists, so name another file, or delete it first');
  return error.syscall === 'open'
    ? new Error(`${part} exists, so another run is still writing, or was interrupted: then delete it`)
    : error;
}

async function writeWhole(path: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const chunk of content) {
      await file.writeFile(chunk);
      bytes += chunk.byteLength;
    }
    await file.sync();
    return bytes;
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await file.close();
  }
}

async function linkInstead(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } finally {
    await unlink(part);
  }
}

/** A new file name is durable only after its folder has been synced. */
async function settle(folder: string): Promise<void> {
  const opened = await open(folder, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
