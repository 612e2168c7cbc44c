import { openCatalog } from './brand/catalog.ts';
import { openScriptCaptcha } from './captcha/open-script-captcha.ts';
import { leaveEmpty, openEmbedded, openPostgres, type OpenedDatabase } from './db/connect.ts';
import { assertNothingPretended } from './db/pretended-money.ts';
import { seed } from './db/seed.ts';
import type { Deps } from './deps.ts';
import { outboxOnly } from './email/mailer.ts';
import { smtpMailer } from './email/smtp-mailer.ts';
import type { Settings } from './env.ts';
import { createLog, type Logger } from './log.ts';
import { logSms } from './sms/log-sms.ts';
import { openGateways } from './payments/open-gateways.ts';
import { systemRandom } from './random.ts';
import { openGoogle } from './sign-on/google.ts';
import { keptSecret } from './signing-secret.ts';

export interface OpenedDeps {
  readonly deps: Deps;
  close(): Promise<void>;
}

/** Opens everything the settings ask for. `lan` is this machine's address in its network, for a phone to visit. */
export async function openDeps(settings: Settings, lan: string | undefined): Promise<OpenedDeps> {
  const log = createLog(settings.LOG_LEVEL);
  const database = await openDatabase(settings, log);
  const { db } = database;
  if (!settings.SANDBOX) await assertNothingPretended(db).catch((error: unknown) => giveUp(database, error));
  const catalog = await openCatalog(db, {
    demo: settings.SANDBOX,
    defaultBrand: settings.DEFAULT_BRAND,
    extraHosts: [...settings.EXTRA_HOSTS, ...(lan !== undefined && settings.SANDBOX ? [lan] : [])],
    publicOrigin: settings.PUBLIC_ORIGIN,
    port: settings.PORT,
  });
  const env = { ...settings, SIGNING_SECRET: settings.SIGNING_SECRET ?? keptSecret(settings.DATA_DIR) };
  const mailer = settings.SMTP_URL === undefined ? outboxOnly : smtpMailer(settings.SMTP_URL);
  const base = { db, clock: Date.now, random: systemRandom, mailer, sms: logSms(log), catalog, env, log };
  return {
    deps: { ...base, gateways: openGateways(base), google: openGoogle(base), scriptCaptcha: openScriptCaptcha(base) },
    close: () => database.close(),
  };
}

function openDatabase({ DATABASE_URL, DATA_DIR, SANDBOX }: Settings, log: Logger): Promise<OpenedDatabase> {
  const fill = SANDBOX ? seed : leaveEmpty;
  return DATABASE_URL === undefined ? openEmbedded(DATA_DIR, { fill }) : openPostgres(DATABASE_URL, log, { fill });
}

async function giveUp(database: OpenedDatabase, error: unknown): Promise<never> {
  await database.close();
  throw error;
}
