import { createServer, type Server } from 'node:http';
import { answerBy, createShopServer, listenOn } from '#server/http/shop-server.ts';
import { mountApp } from '#server/http/mount-app.ts';
import { networkAddress } from '#server/runtime/request/network.ts';
import { openDeps, type OpenedDeps } from '#server/runtime/wiring/open-deps.ts';
import {
  IncompleteConfiguration,
  missingSettings,
  openProduction,
  readAllSettings,
} from '#server/runtime/wiring/open-production.ts';
import { BadEnvironment, type Settings } from '#server/env.ts';
import { DatabaseUnusable } from '#server/db/connect.ts';
import { FolderVersionMismatch } from '#server/db/open-database.ts';
import {
  claimSigningSecret,
  DataFolderInUse,
  forgetEndedProcesses,
  recordProcess,
  removeProcess,
  SigningSecretMismatch,
} from '#server/db/lock.ts';
import { createStartingApp } from '#server/http/starting-app.ts';
import { systemRandom } from '#server/runtime/random.ts';
import { SandboxMismatch } from '#server/runtime/wiring/simulated-money.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { allowProxies } from '#server/runtime/outbound.ts';
import { startBanner } from '#server/start-banner.ts';
import { flushLog, outliveLog, type Logger } from '#server/runtime/log.ts';

const catalogRefreshMs = 30_000;

type Environment = Readonly<Record<string, string | undefined>>;

interface StartOptions {
  readonly dev: boolean;
  readonly environment: Environment;
}

/** Runs the shop until a signal ends it. `dev` renders from the sources, with hot reload. */
export async function start({ dev, environment }: StartOptions): Promise<void> {
  outliveLog();
  const settings = await withFreePort(settingsOrExit(dev, environment));
  const lan = networkAddress();
  const server = createShopServer(settings);
  let listening: Promise<void> | undefined;
  const listenOnce = () => (listening ??= listen(server, settings));
  const starting = mayWait(settings) ? answerWhileStarting(server, settings, listenOnce) : undefined;
  const onWait = starting?.onWait;
  const opening = settings.SANDBOX ? openDeps(settings, lan, { onWait }) : openProduction(settings, onWait);
  const opened = await opening.catch(exitIfUnusable);
  const { deps, sandbox } = opened;
  const unregister = settings.DATABASE_URL === undefined ? undefined : await register(opened).catch(exitIfUnusable);
  allowProxies(environment, process.execArgv);
  const { app, close: closePages } = await mountApp(opened, { dev, guarded: true });
  starting?.end();
  server.on('request', answerBy(app.fetch));
  await listenOnce();
  const stopJobs = startJobs(deps, {
    deliverNotices: sandbox ? () => sandbox.deliverNotices(deps, async (notice) => app.fetch(notice)) : undefined,
  });
  const refresh = setInterval(() => void refreshCatalog(opened), catalogRefreshMs);
  stopOnSignal(server, deps.log, async () => {
    clearInterval(refresh);
    await stopJobs();
    await unregister?.();
    await closePages();
    await opened.close();
  });
  deps.log.info('started');
  // for people: standard output has only the log
  process.stderr.write(startBanner(deps, { lan, dev }));
}

/** Whether the process may wait for a database: an incomplete configuration ends it at once. */
function mayWait(settings: Settings): boolean {
  return settings.DATABASE_URL !== undefined && (settings.SANDBOX || missingSettings(settings).length === 0);
}

/** How long a start may take until it is answered for. */
const quietStartMs = 20_000;

/**
 * Says that the shop is not open yet, until `end` is called, as soon as the start waits for the database or takes long.
 * A short start does not listen: a proxy sends requests on to another process when a connection is refused, and not when
 * it is answered with 503. A signal ends the process at once: it has no request to finish, and as process 1 of a
 * container it would ignore a signal without a handler.
 */
function answerWhileStarting(server: Server, settings: Settings, listenNow: () => Promise<void>) {
  let reason = 'starting: the database is being opened, and migrated if necessary';
  const app = createStartingApp({ settings, random: systemRandom, reason: () => reason });
  const answer = answerBy(app.fetch);
  server.on('request', answer);
  const stop = () => process.exit(0);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const slow = setTimeout(() => void listenNow(), quietStartMs);
  return {
    onWait: (problem: string) => {
      reason = `waiting for the database: DATABASE_URL: ${problem}`;
      void listenNow();
    },
    end: () => {
      clearTimeout(slow);
      server.off('request', answer);
      process.off('SIGINT', stop).off('SIGTERM', stop);
    },
  };
}

const registerMs = 30_000;

/**
 * Compares the signing secret with that of the other processes, and records this process until the returned function is
 * called. Throws `SigningSecretMismatch`.
 */
async function register({ deps }: OpenedDeps): Promise<() => Promise<void>> {
  const { db, env, clock, random, log } = deps;
  await claimSigningSecret(db, env, clock());
  const id = random.id();
  const record = () =>
    recordProcess(db, id, env, clock).catch((error: unknown) =>
      log.warn({ err: error }, 'could not record this process'),
    );
  await forgetEndedProcesses(db);
  await record();
  const timer = setInterval(() => void record(), registerMs);
  return async () => {
    clearInterval(timer);
    await removeProcess(db, id).catch((error: unknown) => log.warn({ err: error }, 'could not remove this process'));
  };
}

async function refreshCatalog({ deps }: OpenedDeps): Promise<void> {
  try {
    await deps.catalog.refresh();
  } catch (error) {
    deps.log.error({ err: error }, 'the catalogue could not be reloaded; the previous one is used');
  }
}

function settingsOrExit(dev: boolean, environment: Environment): Settings {
  try {
    return readAllSettings({ ...(dev && { NODE_ENV: 'development' }), ...environment });
  } catch (error) {
    if (!(error instanceof BadEnvironment)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(1);
  }
}

/** Explains each problem to the operator; missing settings and simulated money have messages of their own. */
function exitIfUnusable(error: unknown): never {
  if (
    error instanceof IncompleteConfiguration ||
    error instanceof SigningSecretMismatch ||
    error instanceof FolderVersionMismatch
  ) {
    process.stderr.write(`${error.message}.\n`);
    return process.exit(1);
  }
  if (error instanceof DatabaseUnusable) {
    process.stderr.write(`DATABASE_URL: ${error.message}.\n`);
    return process.exit(1);
  }
  if (!(error instanceof DataFolderInUse || error instanceof SandboxMismatch)) throw error;
  const advice = error instanceof DataFolderInUse ? ' Stop that one first, or set DATA_DIR to another folder.' : '';
  process.stderr.write(`${error.message}.${advice}\n`);
  return process.exit(1);
}

async function listen(server: Server, settings: Settings): Promise<void> {
  await listenOn(server, settings).catch((error: unknown) => {
    const { PORT, HOST } = settings;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') process.stderr.write(`Port ${PORT} is taken. Set PORT to another one.\n`);
    else if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      process.stderr.write(`HOST: ${HOST ?? ''} is no address of this machine.\n`);
    else if (code === 'EACCES') process.stderr.write(`PORT: only the administrator may listen at ${PORT}.\n`);
    else throw error;
    process.exit(1);
  });
}

/**
 * Ends the process if its port is taken, before it migrates a database. Port 0 means any free one; it is chosen first,
 * because the demo brands' origins contain it.
 */
async function withFreePort(settings: Settings): Promise<Settings> {
  const probe = createServer();
  await listen(probe, settings);
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('the operating system assigned no port');
  return { ...settings, PORT: address.port };
}

const patienceMs = 10_000;

/**
 * Stops on Ctrl-C or a supervisor's signal: no new connections, open requests have 10 s to finish, then `close`. A
 * second signal exits at once.
 */
function stopOnSignal(server: Server, log: Logger, close: () => Promise<void>): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    await finishRequests(server);
    await close();
    log.info('stopped');
    await flushLog();
    process.exit(0);
  };
  const onSignal = () => {
    stop().catch(async (error: unknown) => {
      log.fatal({ err: error }, 'did not stop cleanly');
      await flushLog();
      process.exit(1);
    });
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

async function finishRequests(server: Server): Promise<void> {
  const finished = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const tooLong = setTimeout(() => server.closeAllConnections(), patienceMs);
  await finished;
  clearTimeout(tooLong);
}
