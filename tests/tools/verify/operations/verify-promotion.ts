import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#tests/fixtures/free-port.ts';
import { ask } from '#tests/fixtures/postgres.ts';
import { accepts, startServer, urlOf } from './pair.ts';
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

/** A commit that takes longer waits for a standby; without waiting it takes milliseconds. */
const waitsMs = 3000;

/**
 * Whether the first commit after a promotion waits for a standby, while the checkpointer of the promoted server is busy:
 * it is stopped here. The setting is either set after the promotion, as Patroni does without its strict mode, or the
 * server was started with it.
 */
export async function waitsAfterPromotion(endings: Endings, isSet: 'at its start' | 'later'): Promise<boolean> {
  const folder = ownedFolder('promotion');
  endings.defer(() => rmSync(folder, { recursive: true, force: true }));
  const run = (name: string, ...args: string[]) => runProgram(join(postgresPrograms(), name), args);
  const start = async (data: string, at: number, ...settings: string[]) => {
    const server = startServer(data, at, folder, settings);
    endings.defer(() => server.stop('SIGQUIT'));
    await until(() => accepts(at), 'PostgreSQL accepts connections');
  };
  const [port, standbyPort] = [await freePort(), await freePort()];
  const [data, standbyData] = [join(folder, 'primary'), join(folder, 'standby')];
  run('initdb', '-D', data, '-A', 'trust', '-U', 'shop', '-E', 'UTF8');
  await start(data, port);
  run('pg_basebackup', '-D', standbyData, '-R', '-c', 'fast', '-d', `host=127.0.0.1 port=${port} user=shop`);
  await start(standbyData, standbyPort, ...(isSet === 'later' ? [] : ['-c', 'synchronous_standby_names=*']));
  const checkpointer = processesOfServer(standbyData).filter((pid) => titleOf(pid).includes('checkpointer'));
  if (checkpointer.length === 0) throw new Error('the standby has no checkpointer');
  signal(checkpointer, 'SIGSTOP');
  endings.defer(() => signal(checkpointer, 'SIGCONT'));
  signal(processesOfServer(data), 'SIGKILL');
  const promoted = urlOf(standbyPort, 'postgres');
  await ask(promoted, 'select pg_promote()');
  if (isSet === 'later') {
    await ask(promoted, `alter system set synchronous_standby_names = '*'`);
    await ask(promoted, 'select pg_reload_conf()');
  }
  const setting = async () =>
    (await ask<{ now: string }>(promoted, `select current_setting('${name}') as now`))[0]?.now;
  await until(async () => (await setting()) === '*', 'the setting is in force');
  const commit = startProgram(join(postgresPrograms(), 'psql'), [promoted, '-c', 'create table confirmed ()']);
  endings.defer(() => commit.stop('SIGKILL'));
  await pause(waitsMs);
  return commit.isRunning();
}

const name = 'synchronous_standby_names';
