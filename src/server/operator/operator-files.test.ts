import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createOperatorFile } from './operator-files.ts';

it('a file of the operator that exists is not overwritten, and the message says what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'ana.json');
  await createOperatorFile(path, [Buffer.from('{}')]);
  await expect(createOperatorFile(path, [])).rejects.toThrow(
    `${path} could not be written: it exists, so name another file, or delete it first.`,
  );
  const other = join(folder, 'lee.json');
  writeFileSync(`${other}.part`, '');
  await expect(createOperatorFile(other, [])).rejects.toThrow(
    `${other}.part exists, so another run is still writing, or was interrupted: then delete it.`,
  );
});
