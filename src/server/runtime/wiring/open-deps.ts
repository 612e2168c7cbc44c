import { openCatalog } from '#server/brand/catalog.ts';
import { bare, type Contents } from '#server/db/contents.ts';
import type { OpenedDatabase } from '#server/db/connect.ts';
import { openEmbedded, openPostgres } from '#server/db/open-database.ts';
import { serveDatabase } from '#server/db/database-socket.ts';
import { assertDemo, assertNoSimulatedMoney } from './simulated-money.ts';
import { openScriptCaptcha, openPush, openGoogle, openMailer, openSms } from './open-providers.ts';
import type { Deps } from '#server/deps.ts';
import type { Settings } from '#server/env.ts';
import { createLimitMetrics } from '../limits/limit-metrics.ts';
import { createTurns } from '../limits/one-at-a-time.ts';
import { createLog, type Logger } from '../log.ts';
import { openGateways } from './open-gateways.ts';
import { loadSandbox } from './load-sandbox.ts';
import type { Sandbox } from './sandbox.ts';
import { systemRandom } from '../random.ts';
import { storedSecret } from '../signing-secret.ts';

export interface OpenedDeps {
  readonly deps: Deps;
  /** null where SANDBOX is off */
  readonly sandbox: Sandbox | null;
  close(): Promise<void>;
}

/**
 * Opens all services that the settings configure, over `opened` if it is given. `lan` is this machine's address in its
 * network, for phones.
 */
export async function openDeps(
  settings: Settings,
  lan: string | undefined,
  { opened, patient = false }: { readonly opened?: OpenedDatabase; readonly patient?: boolean } = {},
): Promise<OpenedDeps> {
  const log = createLog(settings.LOG_LEVEL);
  const sandbox = settings.SANDBOX ? await loadSandbox() : null;
  const database = opened ?? (await openDatabase(settings, { log, patient, sandbox }));
  const { db } = database;
  if (!settings.SANDBOX) await assertNoSimulatedMoney(db).catch((error: unknown) => closeAndThrow(database, error));
  const catalog = await openCatalog(db, {
    demo: settings.SANDBOX,
    defaultBrand: settings.DEFAULT_BRAND,
    extraHosts: [...settings.EXTRA_HOSTS, ...(lan !== undefined && settings.SANDBOX ? [lan] : [])],
    publicOrigin: settings.PUBLIC_ORIGIN,
    port: settings.PORT,
    log,
  });
  const env = { ...settings, SIGNING_SECRET: settings.SIGNING_SECRET ?? storedSecret(settings.DATA_DIR) };
  const mailer = openMailer(settings);
  const sms = openSms({ env, log, clock: Date.now });
  const base = { db, clock: Date.now, random: systemRandom, mailer, sms, catalog, env, log };
  const limitMetrics = createLimitMetrics();
  return {
    deps: {
      ...base,
      limitMetrics,
      oneAtATime: createTurns(),
      push: openPush(base, sandbox),
      gateways: openGateways(base, sandbox),
      google: openGoogle(base, sandbox),
      scriptCaptcha: openScriptCaptcha(base, sandbox),
    },
    sandbox,
    close: () => database.close(),
  };
}

interface Opening {
  readonly log: Logger;
  readonly patient: boolean;
  readonly sandbox: Sandbox | null;
}

function openDatabase(settings: Settings, { log, patient, sandbox }: Opening): Promise<OpenedDatabase> {
  const { DATABASE_URL, DATA_DIR } = settings;
  const contents = contentsOf(settings, sandbox);
  return DATABASE_URL === undefined
    ? openDemo(DATA_DIR, contents, log)
    : openPostgres(DATABASE_URL, log, { contents, patient });
}

/** The initial contents of a database; `sandbox` is null where it is off. */
export function contentsOf({ SANDBOX_SAID }: Pick<Settings, 'SANDBOX_SAID'>, sandbox: Sandbox | null): Contents {
  if (!sandbox) return bare;
  return SANDBOX_SAID ? sandbox.demonstration : { ...sandbox.demonstration, accepts: assertDemo };
}

/** The embedded database of a demo, served to operator commands. The demo also works without the socket. */
async function openDemo(folder: string, contents: Contents, log: Logger): Promise<OpenedDatabase> {
  const { db, client, close } = await openEmbedded(folder, { contents });
  const stop = await serveDatabase(client, folder).catch((error: unknown) => {
    log.warn({ err: error }, 'operator commands cannot connect to this demo while it runs');
    return () => Promise.resolve();
  });
  return {
    db,
    close: async () => {
      await stop();
      await close();
    },
  };
}

async function closeAndThrow(database: OpenedDatabase, error: unknown): Promise<never> {
  await database.close();
  throw error;
}
