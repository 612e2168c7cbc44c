import { runOperatorCommand } from '#server/operator/operator.ts';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';

const program = fileURLToPath(new URL('../../src/server/operator/main.ts', import.meta.url));
export const SIGNING_SECRET = 'a secret of the tests that is long enough';
export const why = ['--why', 'a ticket'];

interface Done {
  code: number | null;
  out: string;
  told: string;
}

/** Gives each test of a file a data folder, and runs commands beside it. */
export function operatorProgram() {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'marquee-operator-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return {
    get folder() {
      return folder;
    },
    operate: (args: readonly string[], environment: Record<string, string> = { SIGNING_SECRET }) =>
      operate(args, { DATA_DIR: folder, ...environment }),
    asProgram: (args: readonly string[], { deaf = false, data = folder } = {}) => asProgram(args, data, deaf),
  };
}

async function operate(args: readonly string[], environment: Record<string, string>): Promise<Done> {
  const done: Done = { code: null, out: '', told: '' };
  done.code = await runOperatorCommand(args, environment, {
    clock: Date.now,
    print: (line) => void (done.out += `${line}\n`),
    explain: (line) => void (done.told += `${line}\n`),
  });
  return done;
}

/** Runs the command as an operator does, in its own process; `deaf` closes its standard output. */
function asProgram(args: readonly string[], data: string, deaf: boolean): Promise<Done> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: data, SIGNING_SECRET };
  const child = spawn(process.execPath, [program, ...args], { env });
  const done: Done = { code: null, out: '', told: '' };
  if (deaf) child.stdout.destroy();
  else child.stdout.on('data', (chunk: Buffer) => (done.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (done.told += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...done, code }));
  });
}
