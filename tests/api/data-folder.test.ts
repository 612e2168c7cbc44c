import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbedded } from '#server/db/open-database.ts';
import { DataFolderInUse, lockFolder } from '#server/db/lock.ts';
import { brands } from '#server/db/schema/brands.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { storedSecret } from '#server/runtime/signing-secret.ts';

const lockModule = fileURLToPath(new URL('../../src/server/db/lock.ts', import.meta.url));
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Another process that locks the folder until it is killed. */
async function otherHolder() {
  const script = `const { lockFolder } = await import(${JSON.stringify(lockModule)});
    globalThis.unlock = lockFolder(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe('a data folder', () => {
  it('belongs to one process, and the refusal names it', async () => {
    const child = await otherHolder();
    try {
      expect(() => lockFolder(folder)).toThrow(DataFolderInUse);
      expect(() => lockFolder(folder)).toThrow(`process ${child.pid}`);
      await expect(openEmbedded(folder, { contents: demoContents })).rejects.toThrow(DataFolderInUse);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('is unlocked when the process that locked it is killed', async () => {
    const child = await otherHolder();
    child.kill('SIGKILL');
    await once(child, 'exit');
    lockFolder(folder)();
  });

  it('is locked by exactly one of many attempts at once', async () => {
    const attempts = Array.from({ length: 6 }, () => {
      try {
        return lockFolder(folder);
      } catch (error) {
        expect(error).toBeInstanceOf(DataFolderInUse);
        return undefined;
      }
    });
    expect(attempts.filter((unlock) => unlock)).toHaveLength(1);
    for (const unlock of attempts) unlock?.();
  });

  it('stores what was written, and is seeded only once', async () => {
    const first = await openEmbedded(folder, { contents: demoContents });
    expect((await first.db.select().from(brands)).map(({ code }) => code)).toEqual(['lumen', 'mego', 'baobab']);
    await first.db.update(brands).set({ name: 'Renamed' });
    await first.close();
    const second = await openEmbedded(folder, { contents: demoContents });
    expect(new Set((await second.db.select().from(brands)).map(({ name }) => name))).toEqual(new Set(['Renamed']));
    await second.close();
  });

  it('stores the secret of the installation, readable only by its owner', async () => {
    const secret = storedSecret(folder);
    expect(secret.length).toBeGreaterThan(40);
    expect(storedSecret(folder)).toBe(secret);
    expect((await stat(join(folder, 'secret'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder, 'secret'), 'utf8')).toBe(secret);
  });
});
