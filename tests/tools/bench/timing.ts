import { randomUUID } from 'node:crypto';
import type { Endpoint, Input } from '#contract/endpoint.ts';
import { login, resetPasswordByEmail, sendVerificationCode } from '#contract/index.ts';
import { createUser } from '#server/auth/signup.ts';
import { hashPassword } from '#server/auth/password.ts';
import { openCatalog } from '#server/brand/catalog.ts';
import { openEmbedded } from '#server/db/open-database.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { systemRandom } from '#server/runtime/random.ts';
import { createLog } from '#server/runtime/log.ts';
import { startServer, type ServerProcess } from '#tests/fixtures/server-process.ts';
import { callShop, Refused } from '#tests/fixtures/shop-api.ts';
import { median, printFigures, type Figure } from './figures.ts';

/**
 * Measures whether the response time reveals that an account exists: `node tests/tools/bench/timing.ts [pairs]`.
 * Requests pairs of an existing and an unknown account in random order, over HTTP from the real server with its jobs
 * running. The result is the probability that a response for an existing account takes longer: 0.5 reveals nothing.
 * With 300 pairs it exceeds 0.55 by chance about once in thirty runs.
 */
const pairs = Number(process.argv[2] ?? 300);
const warmUp = 40;
const target = 0.55;

interface Probe {
  readonly what: string;
  call(origin: string, account: string, ip: string): Promise<unknown>;
}

const probes: readonly Probe[] = [
  {
    what: 'login with a wrong password',
    call: (origin, account, ip) =>
      refused(3001, call(origin, login, { body: { account, type: 'email', password: 'wrong-password' } }, ip)),
  },
  {
    what: 'requesting a code',
    call: (origin, account, ip) =>
      call(origin, sendVerificationCode, { body: { account, type: 'email', scene: 'login', language: 'en' } }, ip),
  },
  {
    what: 'requesting a reset mail',
    call: (origin, account, ip) => call(origin, resetPasswordByEmail, { body: { email: account, language: 'en' } }, ip),
  },
];

const call = <E extends Endpoint>(origin: string, endpoint: E, input: Input<E>, ip: string) =>
  callShop(origin, endpoint, input, { ip });

async function refused(code: number, answer: Promise<unknown>): Promise<void> {
  const error = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Refused) || error.code !== code) throw new Error(`expected ${code}`, { cause: error });
}

const address = (kind: string) => `${kind}.${randomUUID().slice(0, 13)}@example.com`;

/** Inserts customers with one password while the server is stopped. */
async function insertCustomers(server: ServerProcess, count: number): Promise<string[]> {
  await server.stop();
  const { db, close } = await openEmbedded(server.dataDir, { contents: demoContents });
  const catalog = await openCatalog(db, {
    demo: true,
    defaultBrand: 'lumen',
    extraHosts: [],
    port: server.port,
    log: createLog('silent'),
  });
  const brand = catalog.byCode('lumen');
  if (!brand) throw new Error('no brand');
  const passwordHash = await hashPassword('the right password', 'the bench');
  const accounts = Array.from({ length: count }, () => address('a'));
  for (const account of accounts) {
    const identity = { account, type: 'email', areaCode: null } as const;
    await createUser(
      db,
      { brand, identity, passwordHash, language: 'en', proven: true },
      { clock: Date.now, random: systemRandom },
    );
  }
  await close();
  await server.restart();
  return accounts;
}

let callers = 0;
/** Each call has a new IP address, so that no limit per address applies. */
function nextIp(): string {
  callers += 1;
  return `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}`;
}

async function timeOf({ call: send }: Probe, origin: string, account: string): Promise<number> {
  const ip = nextIp();
  const started = performance.now();
  await send(origin, account, ip);
  return performance.now() - started;
}

async function measure(probe: Probe, origin: string, accounts: readonly string[]): Promise<Figure> {
  const known: number[] = [];
  const unknown: number[] = [];
  for (const [index, account] of accounts.entries()) {
    const requestKnown = async () => known.push(await timeOf(probe, origin, account));
    const requestUnknown = async () => unknown.push(await timeOf(probe, origin, address('b')));
    const order = Math.random() < 0.5 ? [requestKnown, requestUnknown] : [requestUnknown, requestKnown];
    for (const request of order) await request();
    if (index !== warmUp - 1) continue;
    known.length = 0;
    unknown.length = 0;
  }
  const probability = probabilityOfLonger(known, unknown);
  const distinguishability = Math.max(probability, 1 - probability);
  return {
    what: probe.what,
    measured: distinguishability.toFixed(3),
    against: `medians ${median(known).toFixed(2)} and ${median(unknown).toFixed(2)} ms, ${known.length} pairs`,
    target: `at most ${target}`,
    met: distinguishability <= target,
  };
}

/**
 * The probability that a value of the first list is greater than one of the second, over all pairs (Mann–Whitney U).
 */
function probabilityOfLonger(ones: readonly number[], others: readonly number[]): number {
  const wins = ones.flatMap((one) => others.map((other) => (one > other ? 1 : Number(one === other) / 2)));
  return wins.reduce((sum, win) => sum + win, 0) / wins.length;
}

const server = await startServer();
try {
  const accounts = await insertCustomers(server, pairs + warmUp);
  const figures: Figure[] = [];
  for (const probe of probes) figures.push(await measure(probe, server.origin, accounts));
  process.exitCode = printFigures('who has an account', figures) ? 0 : 1;
} finally {
  await server.dispose();
}
