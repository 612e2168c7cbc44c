import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDeps } from '#server/runtime/wiring/open-deps.ts';
import { openEmbedded, type EmbeddedDatabase } from '#server/db/open-database.ts';
import { ForeignSocket, isDatabaseServed, serveDatabase, socketFolder, socketUrl } from '#server/db/database-socket.ts';
import { readSettings } from '#server/env.ts';
import { root } from '#tests/fixtures/source-tree.ts';

let folder: string;
let demo: EmbeddedDatabase;
let stop: () => Promise<void>;
const clients: pg.Client[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-socket-'));
  demo = await openEmbedded(folder);
  stop = await serveDatabase(demo.client, folder);
  await demo.client.exec('create table counted (n int primary key); insert into counted values (1)');
}, 60_000);
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await stop?.();
  await demo?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function aClient(url = socketUrl(folder)): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  clients.push(client);
  await client.connect();
  return client;
}

const counted = async () => (await demo.client.query<{ n: number }>('select n from counted order by n')).rows;

/** An unlocked query takes a few turns of the event loop: its client, the socket and the database are in this process. */
const turnsOfLockedQuery = 100;

async function isPending(query: Promise<unknown>): Promise<boolean> {
  let pending = true;
  const end = () => void (pending = false);
  query.then(end, end);
  for (let turn = 0; turn < turnsOfLockedQuery; turn += 1) await setImmediate();
  return pending;
}

describe('the socket of a demo', () => {
  it('can be opened only by its owner', () => {
    const socket = statSync(join(folder, '.s.PGSQL.5432'));
    expect([socket.isSocket(), socket.mode & 0o777]).toEqual([true, 0o600]);
  });

  it('answers a PostgreSQL client, with parameters, bytes and rows', async () => {
    const client = await aClient();
    const { rows } = await client.query('select $1::int + 1 as n, $2::bytea as bytes, $3::text as text', [
      41,
      Buffer.from([0, 1, 255]),
      'é',
    ]);
    expect(rows).toEqual([{ n: 42, bytes: Buffer.from([0, 1, 255]), text: 'é' }]);
  });

  it('delays the queries of the demo until a transaction of a client has ended', async () => {
    const client = await aClient();
    await client.query('begin');
    await client.query('insert into counted values ($1)', [2]);
    const rows = counted();
    const written = demo.client.query('insert into counted values (3)');
    expect(await isPending(rows)).toBe(true);
    await client.query('rollback');
    expect(await rows).toEqual([{ n: 1 }]);
    await written;
    expect(await counted()).toEqual([{ n: 1 }, { n: 3 }]);
  });

  it('delays a query of a client until a transaction of the demo has ended', async () => {
    const client = await aClient();
    const until = Promise.withResolvers<void>();
    const transaction = demo.client.transaction(async (tx) => {
      await tx.query('insert into counted values (4)');
      await until.promise;
      await tx.rollback();
    });
    const result = client.query('select max(n) as n from counted');
    expect(await isPending(result)).toBe(true);
    until.resolve();
    await transaction;
    expect((await result).rows).toEqual([{ n: 3 }]);
  });

  it('separates two clients whose messages arrive together', async () => {
    const [one, other] = [await aClient(), await aClient()];
    const count = async (client: pg.Client, first: number) => {
      const numbers: number[] = [];
      for (let number = first; number < 40; number += 2) {
        const { rows } = await client.query<{ n: number }>('select $1::int as n', [number]);
        numbers.push(...rows.map(({ n }) => n));
      }
      return numbers;
    };
    const [even, odd] = await Promise.all([count(one, 0), count(other, 1)]);
    expect(even).toEqual(Array.from({ length: 20 }, (_, index) => 2 * index));
    expect(odd).toEqual(Array.from({ length: 20 }, (_, index) => 2 * index + 1));
  });

  it('keeps working after a failed statement, alone and within a transaction', async () => {
    const client = await aClient();
    await expect(client.query('select $1::int / 0', [1])).rejects.toMatchObject({ code: '22012' });
    await expect(client.query('select nothing from nowhere where x = $1', [1])).rejects.toMatchObject({
      code: '42P01',
    });
    await client.query('begin');
    await client.query('savepoint part');
    await expect(client.query('insert into counted values ($1)', [1])).rejects.toMatchObject({ code: '23505' });
    await client.query('rollback to savepoint part');
    await client.query('insert into counted values ($1)', [5]);
    await client.query('commit');
    expect(await counted()).toEqual([{ n: 1 }, { n: 3 }, { n: 5 }]);
  });

  it('rolls back the open transaction of a killed client', async () => {
    const script = `const { default: pg } = await import('pg');
      const client = new pg.Client({ connectionString: ${JSON.stringify(socketUrl(folder))} });
      await client.connect(); await client.query('begin'); await client.query('delete from counted');
      console.log('deleted'); setInterval(() => {}, 1000);`;
    const args = ['--input-type=module', '-e', script];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const rows = counted();
    expect(await isPending(rows)).toBe(true);
    child.kill('SIGKILL');
    expect(await rows).toHaveLength(3);
  });
});

describe('a demo', () => {
  const settingsOf = (DATA_DIR: string) =>
    readSettings({ NODE_ENV: 'test', SANDBOX: 'true', LOG_LEVEL: 'silent', DATA_DIR });

  it('uses a private folder with a short path if the data folder’s path is too long for a socket', async () => {
    const long = join(folder, 'a'.repeat(60), 'b'.repeat(60));
    mkdirSync(long, { recursive: true });
    const short = socketFolder(long);
    expect(Buffer.byteLength(join(short, '.s.PGSQL.5432'))).toBeLessThanOrEqual(103);
    const stopLong = await serveDatabase(demo.client, long);
    const client = await aClient(socketUrl(long));
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(statSync(short).mode & 0o777).toBe(0o700);
    await client.end();
    clients.splice(clients.indexOf(client), 1);
    await stopLong();
    chmodSync(short, 0o777);
    await expect(serveDatabase(demo.client, long)).rejects.toThrow(ForeignSocket);
    await expect(isDatabaseServed(long)).rejects.toThrow('is not of this user alone');
    rmSync(short, { recursive: true });
  });

  it('replaces the socket that a killed process left behind', async () => {
    const other = mkdtempSync(join(tmpdir(), 'marquee-socket-'));
    const path = join(other, '.s.PGSQL.5432');
    const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('listens'))`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect([existsSync(path), await isDatabaseServed(other)]).toEqual([true, false]);
    const opened = await openDeps(settingsOf(other), undefined);
    expect(await isDatabaseServed(other)).toBe(true);
    await opened.close();
    expect(await isDatabaseServed(other)).toBe(false);
    rmSync(other, { recursive: true, force: true });
  }, 60_000);

  it('starts without its socket where the system does not allow one', async () => {
    const other = mkdtempSync(join(tmpdir(), 'marquee-socket-'));
    // A non-empty folder at the path of the socket can be neither replaced nor removed.
    mkdirSync(join(other, '.s.PGSQL.5432', 'taken'), { recursive: true });
    const opened = await openDeps(settingsOf(other), undefined);
    expect(opened.deps.catalog.all().length).toBeGreaterThan(0);
    await opened.close();
    rmSync(other, { recursive: true, force: true });
  }, 60_000);
});
