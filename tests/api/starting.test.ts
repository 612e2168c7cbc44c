import { afterEach, describe, expect, it } from 'vitest';
import { openMigrated } from '#server/db/open-database.ts';
import { countPendingMigrations } from '#server/db/migrate.ts';
import { lookAtShop } from '#server/operator/doctor/check-from-outside.ts';
import { createLog } from '#server/runtime/log.ts';
import { freePort } from '#tests/fixtures/free-port.ts';
import { hasPgbouncer, startPgbouncer } from '#tests/fixtures/pgbouncer.ts';
import { ask, startOwnPostgres, startPostgres } from '#tests/fixtures/postgres.ts';
import { productionEnv, startServer, type ServerProcess } from '#tests/fixtures/server-process.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function aWaitingShop(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const server = await startServer({ env, listensOnly: true });
  closing.push(server.dispose);
  return server;
}

async function aDatabase() {
  const postgres = await startPostgres({ filled: true });
  closing.push(postgres.stop);
  return postgres.url;
}

const reasonOf = async ({ origin }: ServerProcess, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${origin}/readyz`, { headers });
  return `${answer.status} ${await answer.text()}`;
};

const untilReady = (server: ServerProcess) =>
  expect.poll(async () => (await fetch(`${server.origin}/readyz`)).status, { timeout: 60_000 }).toBe(200);

describe('a server whose database cannot be used yet', { timeout: 120_000 }, () => {
  it('listens, says why at /readyz, and opens as soon as PostgreSQL has started', async () => {
    const port = await freePort();
    const server = await aWaitingShop({ DATABASE_URL: `postgres://shop:shop@127.0.0.1:${port}/shop` });
    await expect
      .poll(() => reasonOf(server), { timeout: 30_000 })
      .toMatch(/^503 waiting for the database: DATABASE_URL: nothing listens at 127\.0\.0\.1:\d+; see/);
    const probe = async (path: string) => (await fetch(`${server.origin}${path}`)).status;
    expect([await probe('/healthz'), await probe('/healthz/started')]).toEqual([200, 503]);
    const page = await fetch(`${server.origin}/pricing-table`);
    expect([page.status, page.headers.get('retry-after'), page.headers.get('cache-control')]).toEqual([
      503,
      '3',
      'no-store',
    ]);
    expect(await page.text()).toContain('Please try again in a moment.');
    const api = await fetch(`${server.origin}/api/site/theme/v1`, { method: 'POST', body: '{}' });
    expect([api.status, api.headers.get('retry-after')]).toEqual([503, '3']);
    expect(await api.json()).toMatchObject({ code: -24040, errCode: -24040, params: { waitSeconds: 3 } });
    const postgres = await startOwnPostgres([], port);
    closing.push(postgres.stop);
    await untilReady(server);
    expect([await probe('/healthz/started'), await probe('/pricing-table')]).toEqual([200, 200]);
    // the problem is one line of the log, however often it was tried
    const lines = server.output().split('\n');
    expect(lines.filter((line) => line.includes('nothing listens at'))).toHaveLength(1);
    await server.dispose();
  });

  it('says that PostgreSQL refuses the password, and opens once it is accepted', async () => {
    const url = await aDatabase();
    const role = `late_${crypto.randomUUID().replaceAll('-', '')}`;
    const login = new URL(url);
    [login.username, login.password] = [role, 'the right one'];
    await ask(url, `create role ${role} login superuser password 'another one'`);
    closing.push(() => ask(url, `drop role ${role}`));
    const server = await aWaitingShop({ DATABASE_URL: login.href });
    await expect
      .poll(() => reasonOf(server), { timeout: 30_000 })
      .toBe(
        `503 waiting for the database: DATABASE_URL: PostgreSQL refuses the password of the user ${role}; ` +
          'if the password contains %, write that as %25',
      );
    expect(server.output()).not.toContain('    at ');
    await ask(url, `alter role ${role} password 'the right one'`);
    await untilReady(server);
  });

  it('says that the host does not exist, and to other machines only that it waits', async () => {
    const env = { ...productionEnv, DATABASE_URL: 'postgres://shop:a-secret-word@database.invalid/shop' };
    const server = await aWaitingShop(env);
    await expect
      .poll(() => reasonOf(server), { timeout: 30_000 })
      .toMatch(/DATABASE_URL: the host of database\.invalid:5432 is not in the/);
    const forwarded = { 'x-forwarded-for': '203.0.113.9' };
    expect(await reasonOf(server, forwarded)).toBe('503 starting; the log says what the shop waits for');
    const withToken = { ...forwarded, authorization: `Bearer ${productionEnv.METRICS_TOKEN}` };
    expect(await reasonOf(server, withToken)).toContain('database.invalid');
    expect(server.output()).toContain('DATABASE_URL: the host of database.invalid:5432');
    const seen = await lookAtShop(new URL(server.origin), {
      code: 'acme',
      origin: server.origin,
      hosts: [],
      tenantId: '1',
    });
    expect(`${seen.state} ${seen.says}`).toMatch(/^wrong runs, but cannot use its database, so customers see an error/);
    expect(server.output()).not.toContain('a-secret-word');
    expect(await reasonOf(server)).not.toContain('a-secret-word');
    await server.stop();
    expect(server.exitCode()).toBe(0);
  });

  it('says which settings PgBouncer lacks, instead of a statement that failed', async ({ skip }) => {
    skip(!hasPgbouncer(), 'PgBouncer is not on this machine: apt-get install --no-install-recommends pgbouncer');
    const pooler = await startPgbouncer(await aDatabase(), { ignoresLimits: false });
    closing.push(pooler.stop);
    const server = await aWaitingShop({ DATABASE_URL: pooler.url });
    const says =
      /^503 .*the PgBouncer at 127\.0\.0\.1:\d+ refuses .* add to pgbouncer\.ini: ignore_startup_parameters = /;
    await expect.poll(() => reasonOf(server), { timeout: 30_000 }).toMatch(says);
  });

  it('does not listen before it can serve, so that a proxy asks another process', async () => {
    const server = await aWaitingShop({ DATABASE_URL: await aDatabase() });
    expect(await reasonOf(server)).toBe('200 ready');
  });

  it('listens and says that it starts if its migrations take long', { tags: 'slow' }, async () => {
    const url = await aDatabase();
    const { db, close } = openMigrated(url, createLog('silent'), { withoutTimeout: true });
    closing.push(close);
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const holding = db.transaction(async (tx) => {
      await tx.execute('lock table drizzle.__drizzle_migrations');
      await released;
    });
    const server = await aWaitingShop({ DATABASE_URL: url });
    expect(await reasonOf(server)).toBe('503 starting: the database is being opened, and migrated if necessary');
    release();
    await holding;
    await untilReady(server);
  });

  it('ends at once if the configuration can never work', async () => {
    const DATABASE_URL = 'postgres://shop:shop@database.invalid/shop';
    const ended = (env: Record<string, string>) => startServer({ env, listensOnly: true }).then(String, String);
    expect(await ended({ DATABASE_URL, METRICS_TOKEN: 'short' })).toMatch(/ended at its start[^]*METRICS_TOKEN: must/);
    const incomplete = { ...productionEnv, DATABASE_URL, SMTP_URL: '' };
    expect(await ended(incomplete)).toMatch(/ended at its start[^]*SMTP_URL: set it/);
  });
});

describe('a server on a database of a newer version', { timeout: 120_000 }, () => {
  it('says so once in its log, runs no migration of its own, and serves', async () => {
    const url = await aDatabase();
    const later = Date.UTC(2126, 0, 31);
    // the last migration of this version is not recorded, so running it would fail
    const journal = 'drizzle.__drizzle_migrations';
    await ask(url, `delete from ${journal} where created_at = (select max(created_at) from ${journal})`);
    await ask(url, `insert into ${journal} (hash, created_at) values ('later', ${later})`);
    const server = await aWaitingShop({ DATABASE_URL: url });
    await untilReady(server);
    const warnings = server
      .output()
      .split('\n')
      .filter((line) => line.includes('newer version'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/1 of its migrations is unknown to this one \(of 2126-01-31\); .*directly before/);
    expect((await fetch(`${server.origin}/pricing-table`)).status).toBe(200);
    const { db, close } = openMigrated(url, createLog('silent'));
    closing.push(close);
    expect(await countPendingMigrations(db)).toEqual({ waiting: 0, newer: 1 });
  });
});
