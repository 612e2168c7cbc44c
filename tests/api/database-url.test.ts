import { execFileSync } from 'node:child_process';
import { copyFileSync, chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '#server/db/open-database.ts';
import { productionContents } from '#server/db/migrate.ts';
import { statementRows } from '#server/db/connect.ts';
import { runAtDatabase } from '#tests/builders/an-operator-demo.ts';
import { createLog } from '#server/runtime/log.ts';
import { freePort } from '#tests/fixtures/free-port.ts';
import { ask, startOwnPostgres } from '#tests/fixtures/postgres.ts';

type OwnPostgres = Awaited<ReturnType<typeof startOwnPostgres>>;

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
const password = `/a#b@c?d[e]f:g=h+i&j`;
const login = `postgres://hard:${password}`;
const log = createLog('silent');
let folder: string;
let primary: OwnPostgres;
let standby: OwnPostgres;
let silent: Server;
const portOf = (url: string) => new URL(url).port;
const at = (...servers: readonly OwnPostgres[]) => servers.map(({ url }) => `127.0.0.1:${portOf(url)}`).join(',');

/** Simulates a standby, which accepts only reads. */
const setReadOnly = ({ url }: OwnPostgres, value: 'on' | 'off') =>
  ask(url, `begin read write; alter database shop set default_transaction_read_only = ${value}; commit`);

/** Copies the key, because PostgreSQL requires it to belong to the user it runs as. */
function ownKey(): string {
  const key = join(folder, 'server.key');
  copyFileSync(fixture('localhost.key.pem'), key);
  chmodSync(key, 0o600);
  if (process.getuid?.() === 0) {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString());
    chmodSync(folder, 0o755);
    chownSync(key, id('-u'), id('-g'));
  }
  return key;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-database-url-'));
  copyFileSync(fixture('localhost.pem'), join(folder, 'server.pem'));
  primary = await startOwnPostgres([
    'ssl=on',
    `ssl_cert_file=${join(folder, 'server.pem')}`,
    `ssl_key_file=${ownKey()}`,
  ]);
  standby = await startOwnPostgres();
  await ask(primary.url, `create role hard login superuser password '${password}'`);
  await ask(standby.url, `create role hard login superuser password '${password}'`);
  await setReadOnly(standby, 'on');
  silent = createServer(() => undefined).listen(0, '127.0.0.1');
}, 120_000);
afterAll(async () => {
  silent?.close();
  await Promise.all([primary?.stop(), standby?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const refusal = async (url: string) => {
  const opened = await openPostgres(url, log, { contents: productionContents }).catch((error: unknown) => error);
  if (opened instanceof Error) return opened.message;
  throw new Error('the database was opened');
};

/** Opens the database as the shop does and returns the port of the server that its pool writes to. */
async function writesTo(url: string): Promise<string> {
  const { db, close } = await openPostgres(url, log, { contents: productionContents });
  try {
    await db.execute(sql`create temporary table written (id integer)`);
    const [row] = await statementRows(db, sql`select inet_server_port() as port`);
    return String(row?.['port']);
  } finally {
    await close();
  }
}

describe('DATABASE_URL', { timeout: 60_000 }, () => {
  it('accepts a password of any characters, literal or percent-encoded', async () => {
    expect(await writesTo(`${login}@${at(primary)}/shop`)).toBe(portOf(primary.url));
    expect(await writesTo(`postgres://hard:${encodeURIComponent(password)}@${at(primary)}/shop`)).toBe(
      portOf(primary.url),
    );
  });

  it('finds the writable server among several', async () => {
    const port = portOf(primary.url);
    const nowhere = `127.0.0.1:${await freePort()}`;
    for (const hosts of [at(primary, standby), at(standby, primary), `${nowhere},${at(standby, primary)}`]) {
      expect(await writesTo(`${login}@${hosts}/shop?target_session_attrs=read-write`)).toBe(port);
    }
    expect(await writesTo(`${login}@${at(standby, primary)}/shop`)).toBe(port);
  });

  it('switches to a promoted server without a restart', async () => {
    const { db, close } = await openPostgres(`${login}@${at(primary, standby)}/shop`, log, {
      contents: productionContents,
    });
    const drop = (url: string) =>
      ask(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'hard' and pid <> pg_backend_pid()`,
      );
    const port = async () => (await statementRows(db, sql`select inet_server_port() as port`))[0]?.['port'];
    try {
      expect(await port()).toBe(Number(portOf(primary.url)));
      await setReadOnly(primary, 'on');
      await setReadOnly(standby, 'off');
      await drop(primary.url);
      await expect.poll(async () => port().catch(() => 0), { timeout: 10_000 }).toBe(Number(portOf(standby.url)));
    } finally {
      await setReadOnly(primary, 'off');
      await setReadOnly(standby, 'on');
      await close();
    }
  });

  it('reports in one sentence why it cannot be used', async () => {
    const server = at(primary);
    const nowhere = await freePort();
    // as: a listening TCP server has an address with a port
    const silentPort = (silent.address() as { port: number }).port;
    const cases: readonly (readonly [string, RegExp])[] = [
      [`${login}@127.0.0.1:${nowhere}/shop`, /^nothing listens at 127\.0\.0\.1:\d+; see/],
      [`${login}@database.invalid/shop`, /^the host of database\.invalid:5432 is not in the DNS/],
      [`postgres://hard:100%@${server}/shop`, /^PostgreSQL refuses the password of the user hard; .*%25$/],
      [`postgres://hard@${server}/shop`, /password of the user hard/],
      [`postgres://nobody:x@${server}/shop`, /^PostgreSQL refuses the password of the user nobody/],
      [`${login}@${server}/elsewhere`, /^there is no database elsewhere at /],
      [`${login}@${at(standby)}/shop?sslmode=require`, /offers no TLS; .* remove sslmode$/],
      [
        `${login}@localhost:${portOf(primary.url)}/shop?sslmode=require`,
        /a CA that this machine does not know; .*sslrootcert=/,
      ],
      [`${login}@${server}/shop?sslrootcert=/no/such.pem`, /^the file \/no\/such\.pem .* does not exist$/],
      [`${login}@127.0.0.1:${silentPort}/shop`, /does not answer; see firewalls/],
      [
        `${login}@${at(standby)}/shop?target_session_attrs=read-write`,
        /is a standby or read-only, and the shop writes$/,
      ],
      [`${login}@127.0.0.1:${nowhere},${at(standby)}/shop`, /^nothing listens at .*; 127\.0\.0\.1:\d+ is a standby/],
      [`${login}@${at(standby)}/shop`, /is a standby or read-only/],
    ];
    for (const [url, pattern] of cases) {
      const message = await refusal(url);
      expect(message, url).toMatch(pattern);
      expect(message).not.toContain('\n');
      expect(message).not.toContain(password);
    }
  });

  it('connects over TLS with the CA of the operator', async () => {
    const ca = encodeURIComponent(fixture('ca.pem'));
    const url = `${login}@localhost:${portOf(primary.url)}/shop?sslmode=require&sslrootcert=${ca}`;
    expect(await writesTo(url)).toBe(portOf(primary.url));
  });

  it('stops an operator command with that sentence and the setting, without a stack trace', async () => {
    const DATABASE_URL = `postgres://shop:wrong/#@${at(primary)}/shop`;
    const lines: string[] = [];
    const out = {
      clock: Date.now,
      print: () => undefined,
      explain: (line: string) => void lines.push(line),
      ask: undefined,
    };
    expect(await runAtDatabase(['brand', 'list'], { DATABASE_URL, SANDBOX: 'false' }, out)).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/^DATABASE_URL: PostgreSQL refuses/)]);
  });
});
