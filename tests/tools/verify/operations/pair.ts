import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#tests/fixtures/free-port.ts';
import { ask } from '#tests/fixtures/postgres.ts';
import {
  ownedFolder,
  postgresPrograms,
  processesOfServer,
  runProgram,
  signal,
  startProgram,
  titleOf,
  until,
  type Endings,
} from './programs.ts';

/** A primary and one standby without a tool that promotes it. */
export interface Pair {
  /** names both, for DATABASE_URL */
  readonly url: string;
  readonly standbyUrl: string;
  /** stops the standby from receiving until `lag` has ended, and then kills the primary at once */
  lagAndKillPrimary(lag: () => Promise<unknown>): Promise<void>;
  /** promotes the standby; returns the time of the last transaction that it has, in epoch milliseconds */
  promote(): Promise<number>;
}

/** Starts both; with `synchronous` a commit waits until the standby has it. They are stopped with `endings`. */
export async function startPair(endings: Endings, synchronous: boolean): Promise<Pair> {
  const folder = ownedFolder('pair');
  endings.defer(() => rmSync(folder, { recursive: true, force: true }));
  const run = (name: string, ...args: string[]) => runProgram(join(postgresPrograms(), name), args);
  const [port, standbyPort] = [await freePort(), await freePort()];
  const [data, standbyData] = [join(folder, 'primary'), join(folder, 'standby')];
  run('initdb', '-D', data, '-A', 'trust', '-U', 'shop', '-E', 'UTF8');
  // on the command line, because a copy of the folder would wait for a standby of its own after its promotion
  const waits = synchronous ? ['-c', 'synchronous_standby_names=standby'] : [];
  const primary = startServer(data, port, folder, waits);
  endings.defer(() => primary.stop('SIGQUIT'));
  await until(() => accepts(port), 'the primary accepts connections');
  const source = `host=127.0.0.1 port=${port} user=shop application_name=standby`;
  run('pg_basebackup', '-D', standbyData, '-R', '-c', 'fast', '-d', source);
  const standby = startServer(standbyData, standbyPort, folder, []);
  endings.defer(() => standby.stop('SIGQUIT'));
  await until(() => accepts(standbyPort), 'the standby accepts connections');
  await ask(urlOf(port, 'postgres'), 'create database shop');
  const receiver = () => processesOfServer(standbyData).filter((pid) => titleOf(pid).includes('walreceiver'));
  return {
    url: `postgres://shop@127.0.0.1:${port},127.0.0.1:${standbyPort}/shop`,
    standbyUrl: urlOf(standbyPort, 'shop'),
    lagAndKillPrimary: async (lag) => {
      const receivers = receiver();
      if (receivers.length === 0) throw new Error('the standby does not follow the primary');
      signal(receivers, 'SIGSTOP');
      await lag();
      signal(processesOfServer(data), 'SIGKILL');
      // what the primary had sent is lost as well, as with the network between two machines
      signal(receivers, 'SIGKILL');
    },
    promote: async () => {
      // the standby restarts, because PostgreSQL restarts its processes after one of them was killed
      await until(() => accepts(standbyPort), 'the standby accepts connections');
      const [row] = await ask<{ at: Date | null }>(
        urlOf(standbyPort, 'shop'),
        'select pg_last_xact_replay_timestamp() as at',
      );
      run('pg_ctl', 'promote', '-w', '-D', standbyData);
      return row?.at?.getTime() ?? 0;
    },
  };
}

export const urlOf = (port: number, database: string) => `postgres://shop@127.0.0.1:${port}/${database}`;

export const accepts = async (port: number) => (await ask(urlOf(port, 'postgres'), 'select 1')).length === 1;

/** Starts a PostgreSQL with settings of its own; it is stopped by its caller. */
export function startServer(data: string, port: number, folder: string, settings: readonly string[]) {
  const own = ['-c', `unix_socket_directories=${folder}`, '-c', 'listen_addresses=127.0.0.1'];
  return startProgram(join(postgresPrograms(), 'postgres'), ['-D', data, '-p', String(port), ...own, ...settings]);
}
