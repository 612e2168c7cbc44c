import { setTimeout as pause } from 'node:timers/promises';
import { startPgbouncer } from '#tests/fixtures/pgbouncer.ts';
import type { Purchase } from '../purchase.ts';
import { startPrimaryAddress } from './haproxy.ts';
import { startCluster, type Cluster } from './patroni.ts';
import { runPhase, type Fault, type PhaseResult } from './phase.ts';
import type { Endings } from './programs.ts';
import { openShopOfTwo, type ShopOfTwo } from './shop.ts';

interface ClusterOptions {
  readonly endings: Endings;
  /** runs the faults whose name contains this; all by default */
  readonly only: string | undefined;
  readonly report: (result: PhaseResult) => void;
}

/**
 * Three PostgreSQL with Patroni: one process of the shop names all of them in its DATABASE_URL, the other one connects
 * by PgBouncer and HAProxy to the current primary.
 */
export async function verifyCluster({ endings, only = '', report }: ClusterOptions): Promise<void> {
  const cluster = await startCluster(endings);
  const primaryPort = await startPrimaryAddress(endings, cluster.members);
  const pooler = await startPgbouncer(`postgres://shop:shop@127.0.0.1:${primaryPort}/shop`);
  endings.defer(pooler.stop);
  const options = { urls: [cluster.url, pooler.url], ownUrl: cluster.url, buyers: 150 } as const;
  const shop = await openShopOfTwo(endings, options);
  let purchases: readonly Purchase[] = [];
  for (const fault of faultsOf(cluster, shop, pooler).filter(({ name }) => name.includes(only))) {
    await cluster.untilHealthy();
    const phase = await runPhase(shop, fault, purchases);
    purchases = phase.purchases;
    report(phase.result);
  }
}

/** The faults of a database machine, each with its return. */
function machineFaults({ primary, untilHealthy, switchOver }: Cluster): Fault[] {
  let broken: Awaited<ReturnType<typeof primary>> | undefined;
  return [
    {
      name: 'kill -9 of the primary and its Patroni',
      inject: async () => {
        broken = await primary();
        broken.kill();
      },
      mend: async () => {
        broken?.start();
        await untilHealthy();
      },
    },
    {
      name: 'the primary freezes, and returns after the failover',
      inject: async () => {
        broken = await primary();
        broken.freeze();
      },
      mend: async () => {
        const promoted = await primary();
        broken?.thaw();
        await untilHealthy();
        // what the promoted one has confirmed would be lost
        if ((await primary()) !== promoted) throw new Error('the frozen primary has taken the lock back');
      },
    },
    { name: 'planned switchover', inject: switchOver, mend: untilHealthy },
  ];
}

function faultsOf(cluster: Cluster, { processes }: ShopOfTwo, pooler: { restart(): Promise<void> }): Fault[] {
  const [direct, pooled] = processes;
  return [
    ...machineFaults(cluster),
    { name: 'etcd is lost for 30 s', inject: () => cluster.restartEtcd(30_000), mend: cluster.untilHealthy },
    {
      name: 'kill -9 of each process of the shop in turn',
      inject: async () => {
        for (const one of [direct, pooled]) {
          await one?.kill9();
          await pause(3000);
          await one?.restart();
        }
      },
    },
    { name: 'restart of PgBouncer', inject: pooler.restart },
  ];
}
