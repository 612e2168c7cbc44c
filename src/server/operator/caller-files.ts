import { link, mkdir, open, readdir, readFile, unlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { OperatorError, type CallerFiles } from './command.ts';

function failing(what: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new OperatorError(`${what}: ${reason}.`);
}

/** Files that this process accesses itself. */
export const localFiles: CallerFiles = {
  read: (path) => readFile(path).catch((error: unknown) => failing(`${path} cannot be read`, error)),
  names: async (folder) => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) =>
      failing(`${folder} cannot be read`, error),
    );
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return paths.map((path) => relative(folder, path)).sort();
  },
  create: async (path, content) => {
    const part = `${path}.part`;
    try {
      await mkdir(dirname(path), { recursive: true });
      const bytes = await writeWhole(part, content);
      // unlike a rename, a link fails where a file already exists
      await linkInstead(part, path);
      await settle(dirname(path));
      return bytes;
    } catch (error) {
      return failing(`${path} could not be written`, error);
    }
  },
};

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
