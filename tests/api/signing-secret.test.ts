import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenedDatabase } from '#server/db/connect.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { claimSigningSecret, SigningSecretMismatch } from '#server/db/lock.ts';
import { checkProcesses } from '#server/operator/doctor/check-database.ts';
import { checkSecret } from '#server/operator/doctor/check-settings.ts';
import { runOperatorCommand } from '#server/operator/operator.ts';
import { readSettings } from '#server/env.ts';
import { createLog } from '#server/runtime/log.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { sessions } from '#server/db/schema/users.ts';
import { insertCustomers } from '#tests/builders/a-customer.ts';
import { startPostgres, type RunningPostgres } from '#tests/fixtures/postgres.ts';
import { startServer } from '#tests/fixtures/server-process.ts';

const first = 'the first secret of this shop, long enough';
const second = 'another secret of this shop, long enough';
const now = Date.UTC(2026, 10, 26);
let postgres: RunningPostgres;
let opened: OpenedDatabase;
beforeAll(async () => {
  postgres = await startPostgres({ filled: true });
  opened = await openPostgres(postgres.url, createLog('silent'), { contents: demoContents });
}, 120_000);
afterAll(async () => {
  await opened?.close();
  await postgres?.stop();
});

const run = async (args: readonly string[], SIGNING_SECRET: string) => {
  const lines: string[] = [];
  const line = (text: string) => void lines.push(text);
  const environment = { DATABASE_URL: postgres.url, SANDBOX: 'true', SIGNING_SECRET };
  const code = await runOperatorCommand(args, environment, {
    clock: () => now,
    print: line,
    explain: line,
    ask: undefined,
  });
  return { code, output: lines.join('\n') };
};
const doctor = async (SIGNING_SECRET: string) => {
  const settings = readSettings({ DATABASE_URL: postgres.url, SANDBOX: 'false', SIGNING_SECRET });
  return (await checkSecret(settings, opened.db)).map(({ state }) => state);
};

describe('SIGNING_SECRET of several processes on one database', { timeout: 60_000 }, () => {
  it('is the one of the first process if many start at the same time on an empty database', async () => {
    expect(await doctor(first)).toEqual(['note']);
    const secrets = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? first : second));
    const starts = secrets.map(async (SIGNING_SECRET) => {
      await claimSigningSecret(opened.db, { SIGNING_SECRET }, now);
      return SIGNING_SECRET;
    });
    const settled = await Promise.allSettled(starts);
    const started = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(new Set(started).size).toBe(1);
    expect(started).toHaveLength(10);
    expect(refused.every((error) => error instanceof SigningSecretMismatch)).toBe(true);
    await run(['signing-secret', 'replace', '--why', 'a defined beginning'], first);
  });

  it('prevents the start of a process with another one, with one message that names the setting', async () => {
    const env = { DATABASE_URL: postgres.url, SIGNING_SECRET: second };
    const output = await startServer({ env }).then(String, String);
    const lines = output.split('\n').slice(1).filter(Boolean);
    expect(lines).toEqual([expect.stringMatching(/^SIGNING_SECRET: it is not the one .* signing-secret replace/)]);
    expect(output).not.toContain(second);
    expect(await doctor(first)).toEqual(['ok']);
    expect(await doctor(second)).toEqual(['wrong']);
  });

  it('prevents operator commands that would sign with another one', async () => {
    const refused = await run(['brand', 'list'], second);
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(/^SIGNING_SECRET: /);
    expect((await run(['brand', 'list'], first)).code).toBe(0);
  });

  it('can be replaced by a command, which is recorded', async () => {
    const replaced = await run(['signing-secret', 'replace', '--why', 'yearly'], second);
    expect(replaced.code).toBe(0);
    expect(replaced.output).toContain('from now on');
    await claimSigningSecret(opened.db, { SIGNING_SECRET: second }, now);
    await expect(claimSigningSecret(opened.db, { SIGNING_SECRET: first }, now)).rejects.toThrow(SigningSecretMismatch);
    expect((await run(['audit', 'list'], second)).output).toContain('signing-secret replace');
    expect((await run(['signing-secret', 'replace', '--why', 'again'], second)).output).toContain(
      'nothing has changed',
    );
  });

  it('can be replaced after a leak: the sessions of all customers end', async () => {
    await insertCustomers(opened.db, 'lumen', 3, now);
    expect((await run(['signing-secret', 'replace', '--end-sessions', '--why', 'leaked'], first)).output).toMatch(
      /and \d+ sessions\.$/,
    );
    expect(await opened.db.$count(sessions)).toBe(0);
    await insertCustomers(opened.db, 'lumen', 2, now);
    const again = await run(['signing-secret', 'replace', '--end-sessions', '--why', 'leaked', '--json'], first);
    expect(again.output).toContain('"changed":false,"sessions":2');
    await run(['signing-secret', 'replace', '--why', 'for the next test'], second);
  });

  it('is compared by the doctor with that of each running process', async () => {
    const server = await startServer({ env: { DATABASE_URL: postgres.url, SIGNING_SECRET: second } });
    const found = async (SIGNING_SECRET: string) => {
      const settings = readSettings({ DATABASE_URL: postgres.url, SANDBOX: 'false', SIGNING_SECRET });
      return (await checkProcesses(opened.db, settings)).map(({ state, says }) => `${state} ${says}`);
    };
    expect(await found(second)).toEqual(['ok one runs, with the same secret and the right time']);
    await run(['signing-secret', 'replace', '--why', 'while a process runs'], first);
    expect(await found(first)).toEqual([expect.stringMatching(/^wrong 1 of 1 sign with another SIGNING_SECRET/)]);
    await server.dispose();
    expect(await found(first)).toEqual(['note none has run within the last two minutes']);
  });
});
