import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const servers = '/usr/lib/postgresql';

/** Debian's packages by a file of each. */
const packages: Readonly<Record<string, string>> = {
  postgresql: servers,
  patroni: '/usr/bin/patroni',
  'python3-etcd': '/usr/lib/python3/dist-packages/etcd',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
};

/** The Debian packages that a verification of operations needs and this machine does not have. */
export const missingPackages = (): string[] =>
  Object.keys(packages).filter((name) => !existsSync(packages[name] ?? ''));

/** The folder of the programs of the newest PostgreSQL of Debian, which has `pg_basebackup` and `pg_rewind`. */
export function postgresPrograms(): string {
  const [newest] = readdirSync(servers).sort((a, b) => Number(b) - Number(a));
  return join(servers, newest ?? '', 'bin');
}

const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString());

/** PostgreSQL and Patroni refuse to run as root: they run as the user `postgres` then. */
const findOwner = () => (process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {});

/** A new folder in the temporary one, of the user that the programs run as. */
export function ownedFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `marquee-${name}-`));
  const owner = findOwner();
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  return folder;
}

/** Writes a file into such a folder. */
export function ownedFile(file: string, text: string): string {
  writeFileSync(file, text, { mode: 0o600 });
  const owner = findOwner();
  if (owner.uid !== undefined) chownSync(file, owner.uid, owner.gid);
  return file;
}

/** A running program. */
export interface Program {
  readonly pid: number;
  output(): string;
  isRunning(): boolean;
  /** stops it; kills it if it continues for ten seconds */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a program as the user `postgres`, or as this user. `env` is added to the variables of this process. */
export function startProgram(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Program {
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  // a group of its own: Ctrl-C in a terminal stops this process, which stops the programs in their order
  const child: ChildProcess = spawn(command, args, {
    cwd: '/',
    detached: true,
    env: { ...process.env, ...env },
    stdio: [...stdio],
    ...findOwner(),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-20_000)));
  }
  child.on('error', (error) => (output += String(error)));
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid ?? 0,
    output: () => output,
    isRunning,
    stop: async (signal = 'SIGTERM') => {
      if (!isRunning()) return;
      const ended = once(child, 'exit');
      const tooLong = setTimeout(() => child.kill('SIGKILL'), 10_000);
      child.kill('SIGCONT');
      child.kill(signal);
      await ended;
      clearTimeout(tooLong);
    },
  };
}

/** Runs a program to its end and returns its output. Throws with the output where it fails. */
export function runProgram(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { cwd: '/', encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], ...findOwner() });
}

/** The postmaster of a data folder and its processes; none where it does not run. */
export function processesOfServer(dataFolder: string): number[] {
  const file = join(dataFolder, 'postmaster.pid');
  if (!existsSync(file)) return [];
  const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0]);
  return existsSync(`/proc/${postmaster}`) ? [postmaster, ...childrenOf(postmaster)] : [];
}

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

/** Sends a signal to processes; those that have ended meanwhile are skipped. */
export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) if (existsSync(`/proc/${pid}`)) process.kill(pid, name);
}

/** The title of a process, such as `postgres: walreceiver streaming`. */
export const titleOf = (pid: number): string =>
  existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') : '';

/** Waits until a condition holds; an error counts as no. Throws with `what` after the limit. */
export async function until(isSo: () => Promise<boolean>, what: string, limitMs = 90_000): Promise<void> {
  const limit = Date.now() + limitMs;
  let failure: unknown;
  const holds = () =>
    isSo().catch((error: unknown) => {
      failure = error;
      return false;
    });
  while (!(await holds())) {
    if (Date.now() > limit) throw new Error(`not within ${limitMs / 1000} s: ${what}`, { cause: failure });
    await pause(200);
  }
}

/** What a verification has started; it is stopped in reverse order at the end, after a failure and on Ctrl-C. */
export interface Endings {
  defer(end: () => unknown): void;
  run(): Promise<void>;
}

export function openEndings(): Endings {
  const ends: (() => unknown)[] = [];
  let hasEnded = false;
  const stop = (end: () => unknown) =>
    Promise.resolve()
      .then(end)
      // the others have to be stopped as well
      .catch((error: unknown) => console.info(`could not be stopped: ${String(error)}`));
  return {
    // what starts after Ctrl-C is stopped at once
    defer: (end) => (hasEnded ? void stop(end) : void ends.push(end)),
    run: async () => {
      hasEnded = true;
      for (let end = ends.pop(); end; end = ends.pop()) await stop(end);
    },
  };
}
