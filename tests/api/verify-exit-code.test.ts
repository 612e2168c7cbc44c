import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

const fixture = new URL('../fixtures/postgres.ts', import.meta.url).href;

it(
  'a verification program with its own PostgreSQL exits with the code that it has set',
  { timeout: 120_000 },
  async () => {
    const program = `
    const { startOwnPostgres } = await import('${fixture}');
    await (await startOwnPostgres()).stop();
    process.exitCode = 3;`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
    expect(await once(child, 'exit')).toEqual([3, null]);
  },
);
