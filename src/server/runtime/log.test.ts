import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { withoutValues } from './log.ts';

describe('an error in the log', () => {
  it('tells what failed and where, but never the values of a statement', () => {
    const driver = Object.assign(new Error('duplicate key value violates unique constraint'), {
      code: '23505',
      detail: 'Key (code)=(4711) already exists.',
    });
    const failed = Object.assign(
      new Error('Failed query: insert into message_requests\nparams: ana@example.com,4711'),
      {
        cause: driver,
        params: ['ana@example.com', '4711'],
      },
    );
    const shown = JSON.stringify(withoutValues(failed));
    expect(shown).not.toContain('4711');
    expect(shown).not.toContain('ana@example.com');
    expect(shown).toContain('23505');
    expect(shown).toContain('log.test.ts');
  });

  it('logs the message of any other error', () => {
    expect(withoutValues(new TypeError('x is not a function'))).toMatchObject({ message: 'x is not a function' });
  });

  it('logs only the type of a thrown value that is not an error', () => {
    expect(withoutValues('token 4711')).toBe('string');
  });
});

describe('a process whose log cannot be written', () => {
  const program = (lines: number) => `
    import { createLog, flushLog, outliveLog } from '${new URL('log.ts', import.meta.url).href}';
    outliveLog();
    const log = createLog('info');
    for (let index = 0; index < ${lines}; index += 1) log.info('x'.repeat(500));
    process.once('SIGTERM', () => void flushLog().then(() => process.exit(0)));
    setInterval(() => log.info('still here'), 10);
    process.stderr.write('ready');
  `;
  const start = (lines = 3000, redirection = '') =>
    spawn('sh', ['-c', `exec "$0" "$@" ${redirection}`, process.execPath, '--input-type=module', '-e', program(lines)]);

  async function saidUntilEnd(child: ReturnType<typeof start>) {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    await once(child.stderr, 'data');
    child.kill('SIGTERM');
    await once(child, 'close');
    return { code: child.exitCode, said };
  }

  it('ends at a signal, and said why its log ends, when the reader has gone', async () => {
    const child = start();
    child.stdout.destroy();
    const { code, said } = await saidUntilEnd(child);
    expect([code, said]).toEqual([0, expect.stringContaining('cannot be written: write EPIPE')]);
  });

  it('ends at a signal, and said why lines are lost, when the disk is full', async () => {
    const { code, said } = await saidUntilEnd(start(3000, '> /dev/full'));
    expect([code, said.match(/ENOSPC/g)?.length]).toEqual([0, 1]);
  });

  it('ends at a signal when the reader is stuck', async () => {
    const child = start();
    await once(child.stderr, 'data');
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
  });

  it('keeps 16 MiB, and says how many lines it dropped as soon as somebody reads again', async () => {
    const child = start(40_000);
    await once(child.stderr, 'data');
    let last = '';
    for await (const part of child.stdout.setEncoding('utf8')) {
      last = last.slice(-1000) + String(part);
      if (last.includes('lines were dropped')) break;
    }
    expect(last).toMatch(/\{"level":40,"time":"[^"]+","dropped":\d{4,},"msg":"lines were dropped"\}\n/);
    child.kill('SIGKILL');
  });
});
