import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import { forgetEndedProcesses, recordProcess, removeProcess } from '#server/db/lock.ts';
import { readSettings } from '#server/env.ts';
import { checkDatabase, checkProcesses } from '#server/operator/doctor/check-database.ts';
import type { Finding } from '#server/operator/doctor/finding.ts';
import { hasPgbouncer, startPgbouncer } from '#tests/fixtures/pgbouncer.ts';
import { ask, inDatabase, startPostgres, type RunningPostgres } from '#tests/fixtures/postgres.ts';

const noPgbouncer = 'PgBouncer is not on this machine: apt-get install --no-install-recommends pgbouncer';
const SIGNING_SECRET = 'a secret of the tests that is long enough';
const settingsOf = (DATABASE_URL: string) => readSettings({ DATABASE_URL, SANDBOX: 'false', SIGNING_SECRET });

let postgres: RunningPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
}, 120_000);
afterAll(() => postgres?.stop());

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function examine(url: string, clock = Date.now): Promise<Record<string, string>> {
  const { findings, close } = await checkDatabase(settingsOf(url), clock);
  await close();
  return reported(findings);
}

const reported = (findings: readonly Finding[]) =>
  Object.fromEntries(findings.map(({ state, what, says }) => [what, `${state} ${says}`]));

/** A role of its own, which can log in to the database of the tests. */
async function aRole(): Promise<{ role: string; url: string }> {
  const role = `shop_${crypto.randomUUID().replaceAll('-', '')}`;
  await ask(postgres.url, `create role ${role} login password 'a-word'`);
  closing.push(() => ask(postgres.url, `drop role ${role}`));
  const url = new URL(postgres.url);
  [url.username, url.password] = [role, 'a-word'];
  return { role, url: url.href };
}

type Pooler = NonNullable<Parameters<typeof startPgbouncer>[1]>;

async function aPooler(url: string, options: Pooler = {}): Promise<string> {
  const pooler = await startPgbouncer(url, options);
  closing.push(pooler.stop);
  return pooler.url;
}

describe('the doctor at a PostgreSQL without a pooler', { timeout: 60_000 }, () => {
  it('finds the time limits that the shop asks for', async () => {
    const found = await examine((await aRole()).url);
    expect(found['database']).toMatch(/^ok PostgreSQL \d+(\.\d+)? answers$/);
    expect(found['time limits']).toMatch(/^ok /);
    expect(found['clock of database']).toMatch(/^ok is 0 s/);
  });

  it('finds a clock that differs from that of the database', async () => {
    const found = await examine(postgres.url, () => Date.now() + 90_000);
    expect(found['clock of database']).toMatch(/^wrong is 90 s ahead of the clock of PostgreSQL; codes and .* NTP$/);
  });
});

describe('the doctor at a PgBouncer', { timeout: 60_000 }, () => {
  it('recognises it, and finds a role without time limits until they are set as it says', async ({ skip }) => {
    skip(!hasPgbouncer(), noPgbouncer);
    const { role, url } = await aRole();
    const without = await examine(await aPooler(url));
    expect(without['database']).toMatch(/^ok PostgreSQL \S+ answers through a pooler such as PgBouncer$/);
    expect(without['time limits']).toBe(
      'wrong statement_timeout, lock_timeout, idle_in_transaction_session_timeout: off, because a pooler drops what the ' +
        'shop asks for: one statement that hangs keeps customers waiting without an end; run ' +
        `alter role ${role} set statement_timeout = '4s'; alter role ${role} set lock_timeout = '3s'; ` +
        `alter role ${role} set idle_in_transaction_session_timeout = '10s'`,
    );
    await ask(postgres.url, without['time limits']?.split('; run ')[1] ?? '');
    expect((await examine(await aPooler(url)))['time limits']).toMatch(/^ok /);
    await ask(postgres.url, `alter role ${role} set lock_timeout = '20s'`);
    expect((await examine(await aPooler(url)))['time limits']).toMatch(
      /^note lock_timeout is 20000 ms \(recommended: 3000\)/,
    );
  });

  it('finds the settings without which the shop cannot connect, and checks the rest', async ({ skip }) => {
    skip(!hasPgbouncer(), noPgbouncer);
    const { findings, close } = await checkDatabase(
      settingsOf(await aPooler(postgres.url, { ignoresLimits: false })),
      Date.now,
    );
    await close();
    const said = findings.filter(({ what }) => what === 'database').map(({ state, says }) => `${state} ${says}`);
    expect(said).toEqual([
      expect.stringMatching(
        /^wrong DATABASE_URL: the PgBouncer at .* add to pgbouncer\.ini: ignore_startup_parameters = /,
      ),
      expect.stringMatching(/^ok PostgreSQL/),
    ]);
    expect(reported(findings)['clock of database']).toMatch(/^ok/);
  });

  it('finds one that allows no transactions', async ({ skip }) => {
    skip(!hasPgbouncer(), noPgbouncer);
    const found = await examine(await aPooler(postgres.url, { poolMode: 'statement' }));
    expect(found['database']).toMatch(
      /^wrong DATABASE_URL: the PgBouncer allows no transactions.*pool_mode = transaction$/,
    );
  });
});

describe('the doctor beside running processes', { timeout: 60_000 }, () => {
  const check = () =>
    inDatabase(postgres.url, async (db) => reported(await checkProcesses(db, settingsOf(postgres.url)))['processes']);
  const record = (id: string, secret: string, clock: () => number = Date.now) =>
    inDatabase(postgres.url, (db) => recordProcess(db, id, { SIGNING_SECRET: secret }, clock));

  it('finds those that sign with another secret or have a wrong clock, and forgets those that ended', async () => {
    expect(await check()).toBe('note none has run within the last two minutes');
    await record('one', SIGNING_SECRET);
    await record('two', SIGNING_SECRET);
    expect(await check()).toBe('ok 2 run, with the same secret and the right time');
    await record('two', 'another secret of another process, long enough');
    expect(await check()).toMatch(/^wrong 1 of 2 sign with another SIGNING_SECRET than this one, so customers are/);
    const stored = JSON.stringify(await ask(postgres.url, 'select * from processes'));
    expect(stored).not.toContain('another secret');
    await record('two', SIGNING_SECRET, () => Date.now() - 40_000);
    expect(await check()).toMatch(/^wrong the clock of one is 40 s off the clock of PostgreSQL/);
    await inDatabase(postgres.url, (db) => removeProcess(db, 'two'));
    expect(await check()).toBe('ok one runs, with the same secret and the right time');
    await ask(postgres.url, 'update processes set seen_at = seen_at - 150000');
    expect(await check()).toMatch(/^note none/);
    await ask(postgres.url, 'update processes set seen_at = seen_at - 3600000');
    await inDatabase(postgres.url, forgetEndedProcesses);
    expect(await ask(postgres.url, 'select id from processes')).toEqual([]);
  });
});
