import { openCatalog } from '#server/brand/catalog.ts';
import { bare } from '#server/db/contents.ts';
import { demonstration } from '#sandbox/demonstration.ts';
import { openEmbedded, openPostgres, type OpenedDatabase } from '#server/db/connect.ts';
import { assertDemo, assertNoSimulatedMoney } from '#sandbox/simulated-money.ts';
import { openScriptCaptcha, openPush, openGoogle, openMailer, openSms } from './open-providers.ts';
import type { Deps } from '#server/deps.ts';
import type { Settings } from '#server/env.ts';
import { createLimitMetrics } from '../limits/limit-metrics.ts';
import { createTurns } from '../limits/one-at-a-time.ts';
import { createLog, type Logger } from '../log.ts';
import { openGateways } from './open-gateways.ts';
import { systemRandom } from '../random.ts';
import { storedSecret } from '../signing-secret.ts';

export interface OpenedDeps {
  readonly deps: Deps;
  /** of the embedded database (`OpenedDatabase`) */
  readonly dump?: (() => Promise<readonly Uint8Array[]>) | undefined;
  close(): Promise<void>;
}

/**
 * Opens everything the settings ask for, over a database that is open where one is given. `lan` is this machine's address
 * in its network, for a phone to visit.
 */
export async function openDeps(
  settings: Settings,
  lan: string | undefined,
  { opened, patient = false }: { readonly opened?: OpenedDatabase; readonly patient?: boolean } = {},
): Promise<OpenedDeps> {
  const log = createLog(settings.LOG_LEVEL);
  const database = opened ?? (await openDatabase(settings, log, patient));
  const { db } = database;
  if (!settings.SANDBOX) await assertNoSimulatedMoney(db).catch((error: unknown) => cancelUnpaidOrder(database, error));
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
      push: openPush(base),
      gateways: openGateways(base),
      google: openGoogle(base),
      scriptCaptcha: openScriptCaptcha(base),
    },
    dump: database.dump,
    close: () => database.close(),
  };
}

function openDatabase(
  { DATABASE_URL, DATA_DIR, SANDBOX, SANDBOX_SAID }: Settings,
  log: Logger,
  patient: boolean,
): Promise<OpenedDatabase> {
  const asked = SANDBOX_SAID ? demonstration : { ...demonstration, accepts: assertDemo };
  const contents = SANDBOX ? asked : bare;
  return DATABASE_URL === undefined
    ? openEmbedded(DATA_DIR, { contents })
    : openPostgres(DATABASE_URL, log, { contents, patient });
}

async function cancelUnpaidOrder(database: OpenedDatabase, error: unknown): Promise<never> {
  await database.close();
  throw error;
}
