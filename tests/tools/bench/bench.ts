import { readFileSync } from 'node:fs';
import { startOwnPostgres, type RunningPostgres } from '#tests/fixtures/postgres.ts';
import { startServer, type ServerProcess } from '#tests/fixtures/server-process.ts';
import { ms, printFigures, type Figure } from './figures.ts';
import { measureJobs } from './jobs.ts';
import { measureMany } from './many.ts';
import { measureOwnPages } from './own-pages.ts';
import { measurePageLoad } from './page-load.ts';
import { measurePayments } from './payments.ts';
import { measurePurchase } from './purchase.ts';
import { compareRenewals } from './renewals.ts';
import { measureTaps } from './taps.ts';
import { measureThroughput } from './throughput.ts';

const idleMs = 5000;
const megabyte = 1024 * 1024;

/** Resident memory of a process in bytes (Linux only; NaN elsewhere). */
function residentMemory(pid: number): number {
  const status = process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) * 1024;
}

async function measureProcess(server: ServerProcess): Promise<Figure[]> {
  await server.stop();
  const started = performance.now();
  await server.restart();
  const readyAfter = performance.now() - started;
  await new Promise((resolve) => setTimeout(resolve, idleMs));
  const memory = residentMemory(server.pid) / megabyte;
  return [
    {
      what: 'second start to the first response',
      measured: ms(readyAfter),
      target: 'under 3000 ms',
      met: readyAfter < 3000,
    },
    { what: 'memory when idle', measured: `${memory.toFixed(0)} MB`, target: 'under 450 MB', met: !(memory >= 450) },
  ];
}

let postgres: Promise<RunningPostgres> | undefined;
let started: Promise<ServerProcess> | undefined;
/** Starts PostgreSQL on demand; as in production, a commit waits for the disk. */
const database = () => (postgres ??= startOwnPostgres(['fsync=on']));
/** Starts the server on demand: the jobs are measured without one. */
const server = () => (started ??= database().then(({ url }) => startServer({ env: { DATABASE_URL: url } })));

const selected = process.argv.slice(2);
/** `npm run bench`, or with the names of the selected parts: `npm run bench -- jobs`. */
const parts: Readonly<Record<string, () => Promise<Figure[]>>> = {
  process: async () => measureProcess(await server()),
  page: async () => measurePageLoad((await server()).origin),
  own: async () => measureOwnPages((await server()).origin),
  taps: async () => measureTaps((await server()).origin),
  purchase: async () => measurePurchase((await server()).origin),
  server: async () => measureThroughput((await server()).origin),
  pay: async () => measurePayments((await server()).origin, await database()),
  many: measureMany,
  jobs: measureJobs,
  // a part of the jobs, only when it is selected
  ...(selected.includes('renewals') && { renewals: compareRenewals }),
};
let met = true;
try {
  for (const [name, measure] of Object.entries(parts)) {
    if (selected.length && !selected.includes(name)) continue;
    met = printFigures(name, await measure()) && met;
  }
} finally {
  await (await started)?.dispose();
  await (await postgres)?.stop();
}
process.exitCode = met ? 0 : 1;
