import { parseArgs } from 'node:util';
import type { Audit } from './audit.ts';
import { verifyKills } from './kills.ts';
import { verifyMoney } from './money.ts';
import { table } from './report.ts';

/**
 * `npm run verify:money`: many purchases over wires that break in every way, and many kills of the shop under its customers;
 * every purchase ends paid once or cleanly unpaid. Exits with 1 when anything is off. `-- --seed=` starts from a seed that
 * was printed, `-- --purchases=` and `-- --kills=` do less or more.
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
  const proof = await verifyMoney({ purchases, seed, on, atOnce, percent: Number(values.percent) });
  const { kinds, steps } = proof.tally;
  console.info(`${purchases} purchases over faulty wires (${on})\n\n${table(proof.audit.findings, proof.tally)}\n`);
  console.info(`${kinds} different mishaps to ${steps} calls of methods`);
  tell(proof.audit, proof);
}
if (kills > 0) {
  const proof = await verifyKills({ kills, seed, atOnce: Math.min(30, kills * 3) });
  console.info(`\n${kills} kills of the shop (embedded)\n\n${table(proof.audit.findings)}\n`);
  for (const [point, times] of proof.kills) console.info(`${String(times).padStart(4)} ${point}`);
  tell(proof.audit, proof);
}
process.exitCode = wrong > 0 ? 1 : 0;

function changes(told: readonly string[]): string[] {
  return told.filter((status, index) => status !== told[index - 1]);
}

/** Says what is off, if anything is, and how it can be had again. */
function tell({ findings, faults }: Audit, { output, seconds }: { output: string; seconds: number }): void {
  const odd = findings.filter((finding) => finding.faults.length > 0);
  for (const { purchase, faults: what } of odd.slice(0, 20)) {
    console.info(
      `${purchase.way.name} ${purchase.orderId ?? ''}: ${what.join('; ')} (${changes(purchase.told).join(', ')})`,
    );
  }
  for (const fault of faults.slice(0, 20)) console.info(fault);
  const errors = output.split('\n').filter((line) => line.startsWith('{'));
  for (const line of errors.slice(0, 10)) console.info(line);
  wrong += odd.length + faults.length + errors.length;
  console.info(
    `seed ${seed}, ${seconds.toFixed(1)} s, ${odd.length + faults.length} wrong, ${errors.length} errors of the server`,
  );
}
