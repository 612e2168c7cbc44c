import { parseArgs } from 'node:util';
import type { PhaseResult } from './operations/phase.ts';
import { missingPackages, openEndings, type Endings } from './operations/programs.ts';
import { verifyCluster } from './operations/verify-cluster.ts';
import { verifyAsynchronous, verifySynchronous } from './operations/verify-pair.ts';
import { waitsAfterPromotion } from './operations/verify-promotion.ts';
import { aligned } from './report.ts';

/**
 * `npm run verify:operations`: twenty customers buy at two processes of a shop behind HAProxy, one of them behind
 * PgBouncer, while machines of its database are killed, frozen and switched over. After each fault every charge of the
 * providers has to be exactly one payment of the shop. Exits with 1 on a fault. `-- --layout=` selects `patroni` (three
 * PostgreSQL with Patroni and etcd), `pair` (a primary and a synchronous standby), `asynchronous` (a standby that loses
 * payments, which are counted) or `promotion` (the first commit after one); `-- --fault=` the faults of Patroni whose
 * name contains it.
 */
const { values } = parseArgs({ options: { layout: { type: 'string', default: '' }, fault: { type: 'string' } } });

const missing = missingPackages();
if (missing.length > 0) {
  console.info(`Install these packages of Debian first, and stop the services that they start: ${missing.join(' ')}`);
  process.exit(1);
}

const results: PhaseResult[] = [];
const problems: string[] = [];
const report = (result: PhaseResult) => {
  results.push(result);
  problems.push(...result.faults.map((what) => `${result.name}: ${what}`));
  console.info(`${result.name}: ${seconds(result.outageMs)} s, ${result.faults.length} wrong`);
  for (const fault of result.faults.slice(0, 10)) console.info(`  ${fault}`);
};
const seconds = (ms: number) => (ms / 1000).toFixed(1);

const layouts = {
  patroni: (endings: Endings) => verifyCluster({ endings, only: values.fault, report }),
  pair: (endings: Endings) => verifySynchronous(endings, report),
  asynchronous: async (endings: Endings) => {
    const { invented, ofBank, ...loss } = await verifyAsynchronous(endings);
    if (ofBank.lost !== ofBank.named)
      problems.push(`asynchronous: ${ofBank.lost} charges are lost, ${ofBank.named} named`);
    if (invented > 0) problems.push(`asynchronous: ${invented} payments of the shop have no charge`);
    console.info(
      `an asynchronous standby that lags by twenty payments: ${loss.confirmed} confirmed payments, ${loss.lostOrders} of their ` +
        `orders are lost, ${loss.lostCharges} charges are unknown to the shop, ${loss.listed} of them in \`orders unknown\`; ` +
        `report reconcile names ${ofBank.named} of the ${ofBank.lost} that the bank has`,
    );
  },
  promotion: async (endings: Endings) => {
    const later = await waitsAfterPromotion(endings, 'later');
    const atStart = await waitsAfterPromotion(endings, 'at its start');
    if (!atStart)
      problems.push('promotion: with the setting at its start, the first commit does not wait for a standby');
    console.info(
      `the first commit after a promotion, while the checkpointer is busy: ${later ? 'waits' : 'does not wait'} for a ` +
        `standby with synchronous_standby_names set later, ${atStart ? 'waits' : 'does not wait'} with it set at the start`,
    );
  },
};

for (const [name, run] of Object.entries(layouts)) {
  if (!name.startsWith(values.layout)) continue;
  const endings = openEndings();
  const stop = () => void endings.run().then(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await run(endings);
  } catch (error) {
    problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await endings.run();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

const heads = ['fault', 'outage', 'direct', 'pooled', 'pages', 'failed', 'purchases', 'charges', 'captures', 'wrong'];
const rows = results.map((one) => [
  one.name,
  `${seconds(one.outageMs)} s`,
  ...one.notReadyMs.map((ms) => `${seconds(ms)} s`),
  one.pages.asked,
  one.pages.failed,
  one.purchases,
  one.charges,
  one.captures,
  one.faults.length,
]);
console.info(`\n${aligned([heads, ...rows])}\n`);
console.info(
  'outage: the longest time without an accepted payment; direct, pooled: the longest time in which that process was ' +
    'not ready; pages: public pages that were requested meanwhile, and that were not served',
);
for (const problem of problems.slice(0, 40)) console.info(problem);
// the buyers of a fault that was not endured continue for minutes
process.exit(problems.length > 0 ? 1 : 0);
