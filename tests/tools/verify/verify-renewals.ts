import { parseArgs } from 'node:util';
import { openPostgres } from '#server/db/open-database.ts';
import { createLog } from '#server/runtime/log.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { startOwnPostgres } from '#tests/fixtures/postgres.ts';
import { verifyRenewals, type OpenProcess } from './renewals/verify.ts';
import { openWorkerProcess } from './renewals/worker-process.ts';

/**
 * `npm run verify:renewals`: simulates a hundred thousand subscriptions for three years on a real PostgreSQL. Exits
 * with 1 when a period was charged twice or without a notice, when a stopped renewal was charged, or when access
 * exceeded the paid days plus the grace period. `-- --seed=` repeats a printed seed; `-- --subscriptions=` and `--
 * --days=` set the numbers.
 */
const { values } = parseArgs({
  options: {
    subscriptions: { type: 'string', default: '100000' },
    days: { type: 'string', default: '1095' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    months: { type: 'string', default: '2' },
    'half-years': { type: 'string', default: '8' },
    'acts-a-year': { type: 'string', default: '0.15' },
    kills: { type: 'string', default: '0.02' },
  },
});
const options = {
  subscriptions: Number(values.subscriptions),
  days: Number(values.days),
  seed: Number(values.seed),
  months: Number(values.months),
  halfYears: Number(values['half-years']),
  actsAYear: Number(values['acts-a-year']),
  kills: Number(values.kills),
  roundsADay: 2,
};
// only processes are killed, not the machine, so the database need not survive a power failure
const postgres = await startOwnPostgres([
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_wal_size=4GB',
  'shared_buffers=512MB',
  'jit=off',
]);
const connect = () => openPostgres(postgres.socketUrl, createLog('silent'), { contents: demoContents });
const opened = [await connect(), await connect()] as const;
const workers: { close(): void }[] = [];
const open: OpenProcess = async (options) => {
  const worker = await openWorkerProcess(postgres.socketUrl, options);
  workers.push(worker);
  return worker;
};
try {
  const started = performance.now();
  const { audit, kills } = await verifyRenewals([opened[0].db, opened[1].db], options, {
    say: console.info,
    open,
  });
  const { faults, ...counts } = audit;
  for (const fault of faults.slice(0, 30)) console.info(fault);
  console.info(`${options.subscriptions} subscriptions over ${options.days} days, ${kills} kills:`);
  for (const [name, count] of Object.entries(counts)) console.info(`${String(count).padStart(9)} ${name}`);
  const seconds = (performance.now() - started) / 1000;
  console.info(`seed ${options.seed}, ${seconds.toFixed(1)} s, ${faults.length} wrong`);
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  for (const { close } of workers) close();
  for (const { close } of opened) await close();
  await postgres.stop();
}
