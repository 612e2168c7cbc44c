import { parseArgs } from 'node:util';
import { openPostgres } from '#server/db/open-database.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { createLog } from '#server/runtime/log.ts';
import { startPostgres } from '#tests/fixtures/postgres.ts';
import { startServer } from '#tests/fixtures/server-process.ts';
import { overTheWire } from './fuzz/send.ts';
import { faultOf, shown } from './fuzz/find-fault.ts';
import type { FuzzRequest } from './fuzz/fuzz-request.ts';
import { shotNumber } from './fuzz/request-sequence.ts';
import { makeWorld, type Reply } from './fuzz/world.ts';

/**
 * `npm run verify:fuzz`: sends a million valid and invalid requests to a real server on PostgreSQL, to every endpoint
 * and every other path, by visitors and customers of three brands. Exits with 1 on an internal error, on a late
 * response, or when a request blocks the event loop for more than 200 ms. `-- --seed=` repeats a run, `-- --shots=`
 * sets the number of requests, `-- --first=` skips requests.
 *
 * The CPU time of the server's main thread between two ticks of its loop is measured. Above the limit, the pending
 * requests are repeated alone, three times: a slow request is slow each time, a garbage collection is not.
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
]; // as: four strings are converted into four numbers
const maxBlockedMs = 200;

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

async function sendAndRecord(shot: FuzzRequest): Promise<Reply | undefined> {
  return send(shot).catch((error: unknown) => {
    faults.push(`${String(error)}\n${shown(shot)}`);
    return undefined;
  });
}

async function worker(pending: Set<number>): Promise<void> {
  while (next < first + shots && faults.length < 20) {
    const index = next;
    next += 1;
    pending.add(index);
    const shot = shotNumber(index, seed, world);
    const reply = await sendAndRecord(shot);
    pending.delete(index);
    if (!reply) continue;
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    const fault = faultOf(shot, reply);
    if (fault !== undefined) faults.push(`shot ${index}: ${fault}\n${shown(shot)}`);
  }
}

/**
 * Reads the event loop peak of the server several times a second, and records the pending requests of a blocked loop.
 */
async function watch(pending: ReadonlySet<number>, ended: AbortSignal): Promise<void> {
  let before: readonly number[] = [];
  while (!ended.aborted) {
    const peak = await server.loopPeak();
    worst = { cpuMs: Math.max(worst.cpuMs, peak.cpuMs), delayMs: Math.max(worst.delayMs, peak.delayMs) };
    const now = [...pending];
    if (peak.cpuMs > maxBlockedMs) {
      suspects.push(...[...before, ...now].map((index) => ({ index, cpuMs: peak.cpuMs })));
    }
    before = now;
    await new Promise((resume) => setTimeout(resume, 50));
  }
}

/** Repeats a request alone three times; returns the shortest blocking of the loop. */
async function blockedAlone(index: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await server.loopPeak();
    await sendAndRecord(shotNumber(index, seed, world));
    await new Promise((resume) => setTimeout(resume, 30));
    times.push((await server.loopPeak()).cpuMs);
  }
  return Math.min(...times);
}

console.info(`${shots} requests, seed ${seed}`);
// the start of the server is not measured
await server.loopPeak();
const started = performance.now();
const pending = new Set<number>();
const done = new AbortController();
const watching = watch(pending, done.signal);
const sessionRenewal = setInterval(() => void world.renew(), 2000);
const progressReport = setInterval(
  () =>
    console.info(`    ${next - first} sent, ${Math.round(((next - first) * 1000) / (performance.now() - started))}/s`),
  60_000,
);
await Promise.all(Array.from({ length: atOnce }, () => worker(pending)));
const seconds = (performance.now() - started) / 1000;
clearInterval(sessionRenewal);
clearInterval(progressReport);
done.abort();
await watching;

for (const index of new Set(suspects.map((suspect) => suspect.index))) {
  const ms = await blockedAlone(index);
  if (ms > maxBlockedMs)
    faults.push(`shot ${index}: blocked the loop for ${Math.round(ms)} ms\n${shown(shotNumber(index, seed, world))}`);
}
const errors = server
  .output()
  .split('\n')
  .filter((line) => line.startsWith('{'));

for (const fault of faults) console.info(fault);
for (const line of errors.slice(0, 10)) console.info(line);
const totals = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${status}: ${count}`);
console.info(`responses ${totals.join(', ')}`);
console.info(
  `the loop was blocked for at most ${worst.cpuMs.toFixed(0)} ms of CPU time (${worst.delayMs.toFixed(0)} ms of wall-clock time, including other programs)`,
);
console.info(
  `seed ${seed}, ${next - first} requests in ${seconds.toFixed(0)} s, ${faults.length} faults, ${errors.length} errors of the server`,
);
send.close();
await opened.close();
await server.dispose();
await postgres.stop();
process.exitCode = faults.length + errors.length > 0 ? 1 : 0;
