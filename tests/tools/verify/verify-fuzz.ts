import { parseArgs } from 'node:util';
import { openPostgres } from '#server/db/open-database.ts';
import { demoContents } from '#sandbox/demonstration.ts';
import { createLog } from '#server/runtime/log.ts';
import { startPostgres } from '#tests/fixtures/postgres.ts';
import { startServer } from '#tests/fixtures/server-process.ts';
import { overTheWire } from './fuzz/send.ts';
import { faultOf, shown } from './fuzz/judge.ts';
import type { FuzzRequest } from './fuzz/shot.ts';
import { shotNumber } from './fuzz/volley.ts';
import { makeWorld, type Reply } from './fuzz/world.ts';

/**
 * `npm run verify:fuzz`: a million requests at a real server on PostgreSQL, right and wrong, to every call and every other
 * door, by visitors and customers of three brands. No answer is a fault of the server's own, none is late, and its event
 * loop is never held for 200 ms. Exits with 1 otherwise. `-- --seed=` has a volley again, `-- --shots=` makes it shorter,
 * `-- --first=` starts at a later one.
 *
 * What is measured is the processor time of the server's main thread between two beats of its loop. Where it is over the
 * limit, what was under way is sent again alone, three times: a request that is at fault is so each time, a collection of
 * garbage is not.
 */
const { values } = parseArgs({
  options: {
    shots: { type: 'string', default: '1000000' },
    first: { type: 'string', default: '0' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    'at-once': { type: 'string', default: '16' },
  },
});
const [shots, first, seed, atOnce] = [values.shots, values.first, values.seed, values['at-once']].map(Number) as [
  number,
  number,
  number,
  number,
]; // as: four texts make four numbers
const heldAtMost = 200;

const postgres = await startPostgres();
const server = await startServer({
  env: { DATABASE_URL: postgres.url, TRUST_PROXY: '127.0.0.1', SANDBOX_CAPTCHA: 'true', LOG_LEVEL: 'error' },
  watchedLoop: true,
});
const opened = await openPostgres(postgres.url, createLog('silent'), { contents: demoContents });
const send = overTheWire(server.port);
const world = await makeWorld(opened.db, send, Date.now);

const faults: string[] = [];
const suspects: { index: number; cpuMs: number }[] = [];
const statuses = new Map<number, number>();
let next = first;
let worst = { cpuMs: 0, delayMs: 0 };

async function sendNoting(shot: FuzzRequest): Promise<Reply | undefined> {
  return send(shot).catch((error: unknown) => {
    faults.push(`${String(error)}\n${shown(shot)}`);
    return undefined;
  });
}

async function worker(underWay: Set<number>): Promise<void> {
  while (next < first + shots && faults.length < 20) {
    const index = next;
    next += 1;
    underWay.add(index);
    const shot = shotNumber(index, seed, world);
    const reply = await sendNoting(shot);
    underWay.delete(index);
    if (!reply) continue;
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    const fault = faultOf(shot, reply);
    if (fault !== undefined) faults.push(`shot ${index}: ${fault}\n${shown(shot)}`);
  }
}

/** Looks at the server's loop a few times a second, and at who was under way when it had been held. */
async function watch(underWay: ReadonlySet<number>, ended: AbortSignal): Promise<void> {
  let before: readonly number[] = [];
  while (!ended.aborted) {
    const peak = await server.loopPeak();
    worst = { cpuMs: Math.max(worst.cpuMs, peak.cpuMs), delayMs: Math.max(worst.delayMs, peak.delayMs) };
    const now = [...underWay];
    if (peak.cpuMs > heldAtMost) {
      suspects.push(...[...before, ...now].map((index) => ({ index, cpuMs: peak.cpuMs })));
    }
    before = now;
    await new Promise((resume) => setTimeout(resume, 50));
  }
}

/** Sends what was under way again, alone. */
async function heldAlone(index: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await server.loopPeak();
    await sendNoting(shotNumber(index, seed, world));
    await new Promise((resume) => setTimeout(resume, 30));
    times.push((await server.loopPeak()).cpuMs);
  }
  return Math.min(...times);
}

console.info(`${shots} requests, seed ${seed}`);
// its start is not what is measured
await server.loopPeak();
const started = performance.now();
const underWay = new Set<number>();
const done = new AbortController();
const watching = watch(underWay, done.signal);
const renewing = setInterval(() => void world.renew(), 2000);
const telling = setInterval(
  () =>
    console.info(`    ${next - first} sent, ${Math.round(((next - first) * 1000) / (performance.now() - started))}/s`),
  60_000,
);
await Promise.all(Array.from({ length: atOnce }, () => worker(underWay)));
const seconds = (performance.now() - started) / 1000;
clearInterval(renewing);
clearInterval(telling);
done.abort();
await watching;

for (const index of new Set(suspects.map((suspect) => suspect.index))) {
  const ms = await heldAlone(index);
  if (ms > heldAtMost)
    faults.push(`shot ${index}: held the loop for ${Math.round(ms)} ms\n${shown(shotNumber(index, seed, world))}`);
}
const errors = server
  .output()
  .split('\n')
  .filter((line) => line.startsWith('{'));

for (const fault of faults) console.info(fault);
for (const line of errors.slice(0, 10)) console.info(line);
const told = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${status}: ${count}`);
console.info(`answers ${told.join(', ')}`);
console.info(
  `the loop was held for ${worst.cpuMs.toFixed(0)} ms of processor time at most (${worst.delayMs.toFixed(0)} ms by the wall, neighbours included)`,
);
console.info(
  `seed ${seed}, ${next - first} requests in ${seconds.toFixed(0)} s, ${faults.length} faults, ${errors.length} errors of the server`,
);
send.close();
await opened.close();
await server.dispose();
await postgres.stop();
process.exitCode = faults.length + errors.length > 0 ? 1 : 0;
