import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import * as v from 'valibot';
import { freePort } from '#tests/fixtures/free-port.ts';
import { ask } from '#tests/fixtures/postgres.ts';
import { root } from '#tests/fixtures/source-tree.ts';
import {
  ownedFile,
  ownedFolder,
  postgresPrograms,
  processesOfServer,
  runProgram,
  signal,
  startProgram,
  until,
  type Endings,
  type Program,
} from './programs.ts';

/** One machine of the cluster: Patroni and its PostgreSQL. */
interface Member {
  readonly name: string;
  readonly port: number;
  /** of Patroni's REST API, which HAProxy checks */
  readonly restPort: number;
  /** kills every process of the machine at once */
  kill(): void;
  /** stops every process without ending it, like a machine that hangs */
  freeze(): void;
  thaw(): void;
  /** starts it again after `kill` */
  start(): void;
}

/** Three PostgreSQL managed by Patroni with etcd, by the shipped settings. */
export interface Cluster {
  /** names all members, for DATABASE_URL */
  readonly url: string;
  readonly members: readonly Member[];
  /** the member that Patroni names as the leader */
  primary(): Promise<Member>;
  /** waits until there are a leader, a synchronous standby and another streaming member */
  untilHealthy(): Promise<void>;
  /** moves the primary as an operator does, by `patronictl switchover` */
  switchOver(): Promise<void>;
  /** kills etcd and starts it again after a while */
  restartEtcd(afterMs: number): Promise<void>;
}

const clusterSchema = v.object({
  members: v.array(v.object({ name: v.string(), role: v.string(), state: v.string(), lag: v.optional(v.unknown()) })),
});
type MemberState = v.InferOutput<typeof clusterSchema>['members'][number];

const passwords = { superuser: 'of-the-superuser', replication: 'of-the-replication' };
const runs = new Set(['running', 'streaming']);
/** Bytes of a member that follows: purchases continue, so it is never exactly none. */
const isSmall = (lag: unknown) => typeof lag === 'number' && lag < 16 * 1024 * 1024;

/** Starts them; they are stopped with `endings`. */
export async function startCluster(endings: Endings): Promise<Cluster> {
  const folder = ownedFolder('patroni');
  endings.defer(() => rmSync(folder, { recursive: true, force: true }));
  const etcd = await startEtcd(folder);
  endings.defer(etcd.stop);
  const members: StoppableMember[] = [];
  for (const name of ['db-1', 'db-2', 'db-3']) {
    const member = await startMember({ name, folder, etcd: etcd.port });
    endings.defer(member.stop);
    members.push(member);
  }
  const all = { members, folder };
  await untilHealthy(all);
  await createShopDatabase(await leaderOf(all));
  return {
    members,
    url: `postgres://shop:shop@${members.map(({ port }) => `127.0.0.1:${port}`).join(',')}/shop`,
    primary: () => leaderOf(all),
    untilHealthy: () => untilHealthy(all),
    switchOver: () => switchOver(all),
    restartEtcd: etcd.restart,
  };
}

type Members = { readonly members: readonly StoppableMember[]; readonly folder: string };

/** The states of all members, by the first one that answers. */
async function statesOf({ members }: Members): Promise<MemberState[]> {
  const answers = members.map(async ({ restPort }) => {
    const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(5000) });
    return v.parse(clusterSchema, await answer.json()).members;
  });
  return Promise.any(answers);
}

async function leaderOf(all: Members): Promise<StoppableMember> {
  const states = await statesOf(all);
  const leader = all.members.find(({ name }) => states.some((one) => one.name === name && one.role === 'leader'));
  if (!leader) throw new Error('there is no leader');
  return leader;
}

async function isHealthy(all: Members): Promise<boolean> {
  const states = await statesOf(all);
  const has = (role: string) => states.some((one) => one.role === role);
  const follow = states.filter(({ state, role, lag }) => runs.has(state) && (role === 'leader' || isSmall(lag)));
  return has('leader') && has('sync_standby') && follow.length === all.members.length;
}

/** Throws with the states and the last words of all members after two minutes. */
async function untilHealthy(all: Members): Promise<void> {
  await until(() => isHealthy(all), 'every member follows the primary', 120_000).catch(async (cause: unknown) => {
    const states = JSON.stringify(await statesOf(all).catch(String));
    const said = all.members.map(({ name, output }) => `${name}: ${output().slice(-1500)}`);
    throw new Error(['the members do not follow the primary:', states, ...said].join('\n'), { cause });
  });
}

async function switchOver(all: Members): Promise<void> {
  const { name, file } = await leaderOf(all);
  const candidate = (await statesOf(all)).find(({ role }) => role === 'sync_standby')?.name ?? '';
  const options = ['--primary', name, '--candidate', candidate, '--force'];
  runProgram('/usr/bin/patronictl', ['-c', file, 'switchover', 'shop', ...options]);
}

/** The role and the database of the guide (several-machines.md), with the limits that PgBouncer drops. */
async function createShopDatabase({ port }: Member): Promise<void> {
  const admin = `postgres://postgres:${passwords.superuser}@127.0.0.1:${port}/postgres`;
  await ask(admin, `create role shop login password 'shop'`);
  await ask(admin, 'create database shop owner shop');
  const guide = readFileSync(join(root, 'src/server/docs/several-machines.md'), 'utf8');
  for (const [statement] of guide.matchAll(/^alter role shop set .*;$/gm)) await ask(admin, statement);
}

async function startEtcd(folder: string) {
  const [port, peerPort] = [await freePort(), await freePort()];
  const settings = etcdSettings(folder, port, peerPort);
  const begin = () => startProgram('/usr/bin/etcd', ['--log-level=error'], settings);
  let etcd = begin();
  return {
    port,
    restart: async (afterMs: number) => {
      await etcd.stop('SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      etcd = begin();
    },
    stop: () => etcd.stop(),
  };
}

/** The shipped settings with the addresses and the folder of this run, for one etcd in place of three. */
function etcdSettings(folder: string, port: number, peerPort: number): NodeJS.ProcessEnv {
  const shipped = readFileSync(join(root, '.deploy/etcd.env'), 'utf8')
    .replaceAll('10.0.0.31:2379', `127.0.0.1:${port}`)
    .replaceAll('10.0.0.31:2380', `127.0.0.1:${peerPort}`)
    .replace(/^(ETCD_DATA_DIR=).*/m, `$1${join(folder, 'etcd')}`)
    .replace(/^(ETCD_INITIAL_CLUSTER=[^,]+).*/m, '$1');
  return parseEnv(shipped);
}

interface StoppableMember extends Member {
  /** its settings */
  readonly file: string;
  output(): string;
  stop(): Promise<void>;
}

async function startMember({ name, folder, etcd }: { name: string; folder: string; etcd: number }) {
  const [port, restPort] = [await freePort(), await freePort()];
  const data = join(folder, name);
  const file = ownedFile(join(folder, `${name}.yaml`), settingsOf({ name, port, restPort, etcd, data, folder }));
  const begin = () => startProgram('/usr/bin/patroni', [file]);
  let patroni: Program = begin();
  const processes = () => [patroni.pid, ...processesOfServer(data)];
  return {
    name,
    port,
    restPort,
    file,
    output: () => patroni.output(),
    kill: () => signal(processes(), 'SIGKILL'),
    freeze: () => signal(processes(), 'SIGSTOP'),
    thaw: () => signal(processes(), 'SIGCONT'),
    start: () => void (patroni = begin()),
    stop: async () => {
      signal(processes(), 'SIGCONT');
      await patroni.stop();
      signal(processesOfServer(data), 'SIGKILL');
    },
  } satisfies StoppableMember;
}

/** The shipped settings with the addresses, folders and passwords of this run. */
function settingsOf(given: {
  name: string;
  port: number;
  restPort: number;
  etcd: number;
  data: string;
  folder: string;
}): string {
  return readFileSync(join(root, '.deploy/patroni.yaml'), 'utf8')
    .replace(/^name: .*/m, `name: ${given.name}`)
    .replace(/^ {2}hosts: .*/m, `  hosts: 127.0.0.1:${given.etcd}`)
    .replaceAll('10.0.0.21:8008', `127.0.0.1:${given.restPort}`)
    .replaceAll('10.0.0.21:5432', `127.0.0.1:${given.port}`)
    .replace(/data_dir: .*/, `data_dir: ${given.data}`)
    .replace(/bin_dir: .*/, `bin_dir: ${postgresPrograms()}`)
    .replace('- local all postgres peer', '- local all postgres scram-sha-256')
    .replaceAll('10.0.0.0/24', '127.0.0.0/8')
    .replace('write your own', passwords.superuser)
    .replace('write another one', passwords.replication)
    .concat(`  pgpass: ${given.data}.pgpass\n  parameters:\n    unix_socket_directories: ${given.folder}\n`);
}
