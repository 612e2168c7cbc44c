import { parseArgs } from 'node:util';
import type { Audit } from './audit.ts';
import { verifyKills } from './kills.ts';
import { verifyMoney } from './money.ts';
import { table } from './report.ts';

/**
 * `npm run verify:money`: makes many purchases over faulty connections, and kills the shop many times during purchases;
 * every purchase has to end as paid once or as unpaid. Exits with 1 on a fault. `-- --seed=` repeats a printed seed;
 * `-- --purchases=` and `-- --kills=` set the numbers.
 */
const { values } = parseArgs({
  options: {
    purchases: { type: 'string', default: '2000' },
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    on: { type: 'string', default: 'postgres' },
    'at-once': { type: 'string', default: '100' },
    percent: { type: 'string', default: '20' },
  },
});
const [purchases, kills, seed] = [Number(values.purchases), Number(values.kills), Number(values.seed)];
let wrong = 0;

if (purchases > 0) {
  const on = values.on === 'embedded' ? 'embedded' : 'postgres';
  const atOnce = Math.min(purchases, Number(values['at-once']));
  const result = await verifyMoney({ purchases, seed, on, atOnce, percent: Number(values.percent) });
  const { kinds, steps } = result.tally;
  console.info(
    `${purchases} purchases over faulty connections (${on})\n\n${table(result.audit.findings, result.tally)}\n`,
  );
  console.info(`${kinds} different faults of ${steps} calls of methods`);
  report(result.audit, result);
}
if (kills > 0) {
  const result = await verifyKills({ kills, seed, atOnce: Math.min(30, kills * 3) });
  console.info(`\n${kills} kills of the shop (embedded)\n\n${table(result.audit.findings)}\n`);
  for (const [point, times] of result.kills) console.info(`${String(times).padStart(4)} ${point}`);
  report(result.audit, result);
}
process.exitCode = wrong > 0 ? 1 : 0;

/** The statuses without consecutive repetitions. */
function changes(statuses: readonly string[]): string[] {
  return statuses.filter((status, index) => status !== statuses[index - 1]);
}

/** Prints the faults, and the seed that repeats the run. */
function report({ findings, faults }: Audit, { output, seconds }: { output: string; seconds: number }): void {
  const wrongFindings = findings.filter((finding) => finding.faults.length > 0);
  for (const { purchase, faults: what } of wrongFindings.slice(0, 20)) {
    console.info(
      `${purchase.way.name} ${purchase.orderId ?? ''}: ${what.join('; ')} (${changes(purchase.told).join(', ')})`,
    );
  }
  for (const fault of faults.slice(0, 20)) console.info(fault);
  const errors = output.split('\n').filter((line) => line.startsWith('{'));
  for (const line of errors.slice(0, 10)) console.info(line);
  wrong += wrongFindings.length + faults.length + errors.length;
  console.info(
    `seed ${seed}, ${seconds.toFixed(1)} s, ${wrongFindings.length + faults.length} wrong, ${errors.length} errors of the server`,
  );
}
