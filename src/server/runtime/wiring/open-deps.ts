import { setTimeout as sleep } from 'node:timers/promises';
import { openCatalog } from '#server/brand/catalog.ts';
import { productionContents, type Contents } from '#server/db/migrate.ts';
import { databaseProblemOf, type OpenedDatabase } from '#server/db/connect.ts';
import { openEmbedded, openPostgres } from '#server/db/open-database.ts';
import { serveDatabase } from '#server/db/database-socket.ts';
import { assertDemo, assertNoSimulatedMoney } from './simulated-money.ts';
import type { Deps } from '#server/deps.ts';
import type { Settings } from '#server/env.ts';
import { addGauge } from '../gauge.ts';
import { createMetrics } from '../metrics.ts';
import { createKeyedQueue } from '../limits/fair-queue.ts';
import { createLog, type Logger } from '../log.ts';
import { openGateways } from './open-gateways.ts';
import type { Sandbox, ProviderDeps } from './sandbox.ts';
import { storedSecret } from '../signing-secret.ts';
import { systemRandom } from '../random.ts';
import type { GoogleProvider } from '#server/auth/sign-on/google-provider.ts';
import { openIdClient } from '#server/auth/sign-on/openid-client.ts';
import type { SendRequest } from '#server/payments/send-provider-request.ts';
import { providerFetch } from '../outbound.ts';
import { observed } from '../observe-provider.ts';
import { isPushHost, isSandboxEndpoint } from '#server/messages/push/send-push.ts';
import { outboxOnly, smtpMailer, type Mailer } from '#server/messages/mailer.ts';
import { type Sms, twilioSms, logSms } from '#server/messages/sms.ts';
import { smsWebhook } from '#server/messages/sms-budget.ts';
import { openCloudUsage, type CloudUsage } from '#server/site/cloud-usage.ts';
import { googleRecaptcha, recaptcha, type ScriptCaptcha } from '#server/auth/captcha/recaptcha.ts';

export interface OpenedDeps {
  readonly deps: Deps;
  /** null where SANDBOX is off */
  readonly sandbox: Sandbox | null;
  close(): Promise<void>;
}

interface OpenOptions {
  readonly opened?: OpenedDatabase;
  readonly withoutTimeout?: boolean;
  /** waits for a database that cannot be used yet, and receives why; without it, that is an error */
  readonly onWait?: ((problem: string) => void) | undefined;
}

/**
 * Opens all services that the settings configure, over `opened` if it is given. `lan` is this machine's address in its
 * network, for phones.
 */
export async function openDeps(
  settings: Settings,
  lan: string | undefined,
  { opened, withoutTimeout = false, onWait }: OpenOptions = {},
): Promise<OpenedDeps> {
  const log = createLog(settings.LOG_LEVEL);
  const sandbox = settings.SANDBOX ? await loadSandbox() : null;
  const database = opened ?? (await openDatabase(settings, { log, withoutTimeout, sandbox, onWait }));
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
  const metrics = createMetrics();
  const { connections } = database;
  const pool = { name: 'db_pool_connections', help: 'Connections, and requests that wait for one', label: 'state' };
  if (connections) addGauge(metrics, pool, connections);
  const sms = openSms({ env, log, clock: Date.now, metrics });
  const base = { db, clock: Date.now, random: systemRandom, mailer, sms, catalog, env, log, metrics };
  return {
    deps: {
      ...base,
      runSerially: createKeyedQueue(),
      push: openPush(base, sandbox),
      gateways: openGateways(base, sandbox),
      google: openGoogle(base, sandbox),
      scriptCaptcha: openScriptCaptcha(base, sandbox),
      cloudUsage: openCloud(base),
    },
    sandbox,
    close: () => database.close(),
  };
}

interface Opening {
  readonly log: Logger;
  readonly withoutTimeout: boolean;
  readonly sandbox: Sandbox | null;
  readonly onWait: OpenOptions['onWait'];
}

function openDatabase(settings: Settings, { log, withoutTimeout, sandbox, onWait }: Opening): Promise<OpenedDatabase> {
  const { DATABASE_URL, DATA_DIR } = settings;
  const contents = contentsOf(settings, sandbox);
  if (DATABASE_URL === undefined) return openDemo(DATA_DIR, contents, log);
  const open = () => openPostgres(DATABASE_URL, log, { contents, withoutTimeout });
  return onWait ? openWhenUsable(open, log, onWait) : open();
}

const retryMs = 2000;

/** Tries again until the database can be used, and logs each problem once. */
async function openWhenUsable(
  open: () => Promise<OpenedDatabase>,
  log: Logger,
  onWait: (problem: string) => void,
): Promise<OpenedDatabase> {
  let logged = '';
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const problem = databaseProblemOf(error);
      if (problem === undefined) throw error;
      onWait(problem);
      if (problem !== logged) log.error(`DATABASE_URL: ${problem}; the shop waits for it`);
      logged = problem;
      await sleep(retryMs);
    }
  }
}

/** The initial contents of a database; `sandbox` is null where it is off. */
export function contentsOf({ SANDBOX_SAID }: Pick<Settings, 'SANDBOX_SAID'>, sandbox: Sandbox | null): Contents {
  if (!sandbox) return productionContents;
  return SANDBOX_SAID ? sandbox.demoContents : { ...sandbox.demoContents, accepts: assertDemo };
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

const googleIssuer = 'https://accounts.google.com';
/** The hosts of tokens and keys in Google's metadata (developers.google.com/identity/openid-connect). */
const googleOrigins = [googleIssuer, 'https://oauth2.googleapis.com', 'https://www.googleapis.com'] as const;

/**
 * Google where a client is configured; else the sandbox provider, which uses the same protocol and code without the
 * network; else null.
 */
export function openGoogle(deps: Omit<ProviderDeps, 'catalog'>, sandbox: Sandbox | null): GoogleProvider | null {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = deps.env;
  // readSettings accepts one only with the other
  if (GOOGLE_CLIENT_ID !== undefined && GOOGLE_CLIENT_SECRET !== undefined) {
    const client = { clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET };
    return openIdClient(
      { ...client, issuer: () => googleIssuer, fetch: observed(deps, 'google', providerFetch(...googleOrigins)) },
      deps,
    );
  }
  return sandbox?.google(deps) ?? null;
}

/** Sends mail through SMTP, signed where a DKIM key is set; else mail stays in the outbox. */
export function openMailer(settings: Settings): Mailer {
  const { SMTP_URL: url, MAIL_DKIM_DOMAIN: domainName, MAIL_DKIM_SELECTOR: keySelector } = settings;
  const { MAIL_DKIM_KEY: privateKey } = settings;
  if (url === undefined) return outboxOnly;
  const isSigned = domainName !== undefined && keySelector !== undefined && privateKey !== undefined;
  return smtpMailer(url, isSigned ? { domainName, keySelector, privateKey } : undefined);
}

/** The SMS provider of this installation: Twilio, the operator's webhook, the log where the sandbox is on, or null. */
export function openSms({ env, clock, ...deps }: Pick<Deps, 'env' | 'log' | 'clock' | 'metrics'>): Sms | null {
  const { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: authToken, TWILIO_FROM: from } = env;
  const twilio = env.TWILIO_URL ?? 'https://api.twilio.com';
  const { SMS_WEBHOOK_URL: url, SMS_WEBHOOK_SECRET: secret } = env;
  if (sid !== undefined && authToken !== undefined && from !== undefined)
    return twilioSms({
      base: twilio,
      sid,
      authToken,
      from,
      send: observed(deps, 'twilio', providerFetch(twilio)),
      clock,
    });
  if (url !== undefined && secret !== undefined)
    return smsWebhook({ url, secret, send: observed(deps, 'sms_webhook', providerFetch(url)), clock });
  return env.SANDBOX ? logSms(deps.log) : null;
}

/**
 * Sends requests to push services. Where the sandbox is on, its own service is called in process with the same
 * protocol.
 */
export function openPush(
  deps: Pick<Deps, 'db' | 'clock' | 'random' | 'env' | 'log' | 'metrics'>,
  sandbox: Sandbox | null,
): SendRequest {
  const send = observed(
    deps,
    'push',
    providerFetch((host, port) => port === 443 && isPushHost(host, deps.env)),
  );
  if (!sandbox) return send;
  const sendToSandbox = sandbox.push(deps);
  return (request) => (isSandboxEndpoint(new URL(request.url)) ? sendToSandbox(request) : send(request));
}

/** The script captcha of this installation: reCAPTCHA, the sandbox's where it is enabled, or null. */
export function openScriptCaptcha(deps: Omit<ProviderDeps, 'catalog'>, sandbox: Sandbox | null): ScriptCaptcha | null {
  const { env, log } = deps;
  const { RECAPTCHA_SITE_KEY: siteKey, RECAPTCHA_SECRET: secret } = env;
  if (siteKey !== undefined && secret !== undefined) {
    const send = observed(deps, 'recaptcha', providerFetch(googleRecaptcha.verifyAt));
    return recaptcha({ ...googleRecaptcha, siteKey, secret, log, send });
  }
  return env.SANDBOX_CAPTCHA ? (sandbox?.scriptCaptcha(deps) ?? null) : null;
}

/** The service that knows the used storage of customers, or null. */
export function openCloud({ env, ...deps }: Pick<Deps, 'env' | 'clock' | 'log' | 'metrics'>): CloudUsage | null {
  const { CLOUD_USAGE_URL: url, CLOUD_USAGE_SECRET: secret } = env;
  // readSettings accepts one only with the other
  if (url === undefined || secret === undefined) return null;
  return openCloudUsage({ ...deps, url, secret, send: observed(deps, 'cloud_usage', providerFetch(url)) });
}

/** The one place that loads `src/sandbox`: where SANDBOX is on, and for commands about brand folders. */
export async function loadSandbox(): Promise<Sandbox> {
  const { sandbox } = await import('#sandbox/sandbox.ts');
  return sandbox;
}
