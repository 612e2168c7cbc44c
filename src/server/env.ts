import * as v from 'valibot';
import { googleNames, loginSettings, recaptchaNames } from '#server/auth/login-settings.ts';
import { paypalNames, paypalSettings } from '#server/payments/paypal/settings.ts';
import { stripeNames, stripeSettings } from '#server/payments/stripe/settings.ts';
import { dkimNames, mailSettings } from '#server/messages/mail-settings.ts';
import { retentionSettings } from '#server/site/retention-settings.ts';
import { smsSettings, smsWebhookNames, twilioNames } from '#server/messages/sms-settings.ts';
import { btcpayNames, btcpaySettings } from '#server/payments/btcpay/settings.ts';
import { mpesaNames, mpesaReversalNames, mpesaSettings } from '#server/payments/mpesa/settings.ts';
import { payssionNames, payssionSettings } from '#server/payments/payssion/settings.ts';
import { useepayNames, useepaySettings } from '#server/payments/useepay/settings.ts';
import { flag, list, origin, parts, seconds, wholeSeconds } from '#server/runtime/service-url.ts';
import { readProxyList } from '#server/runtime/request/network.ts';
import { databaseUrlSetting } from '#server/db/database-url.ts';

/*
 * The settings of an installation, read once at start. The doc comments are the text of docs/configuration.md.
 */

/** Server. How the process listens, and where it finds its files. */
const serverSettings = {
  /** With `production` the sandbox is off unless `SANDBOX` is `true`. With `development` sources are served, not a build. */
  NODE_ENV: v.optional(v.picklist(['production', 'development', 'test'])),
  /** The port to listen on. `0` lets the system choose a free port. */
  PORT: v.pipe(
    v.optional(v.string(), '3000'),
    v.regex(/^\d{1,5}$/, 'must be a number up to 65535'),
    v.transform(Number),
    v.maxValue(65_535),
  ),
  /** The address to listen on. Without it the server listens on all interfaces, IPv6 and IPv4. */
  HOST: v.optional(v.pipe(v.string(), v.minLength(1))),
  /** Seconds until an idle connection is closed. It must be longer than at the proxy: Caddy 120, nginx and AWS 60, Google 600. */
  KEEP_ALIVE_SECONDS: seconds(130),
  /** The folder of the generated signing secret and, in a demo, of the embedded database. */
  DATA_DIR: v.optional(v.pipe(v.string(), v.minLength(1)), '.data'),
  /** The folder with the builds that `npm run build` makes. Without it the server uses `dist/builds` of the project. */
  BUILDS_DIR: v.optional(v.pipe(v.string(), v.minLength(1))),
  /** `off` unregisters the service worker of every browser and deletes its caches. Sessions and drafts remain. */
  WORKER: v.optional(v.picklist(['on', 'off']), 'on'),
  /** The level of the log on standard output. */
  LOG_LEVEL: v.optional(v.picklist(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']), 'info'),
};

/** Database. The connection to PostgreSQL. */
const databaseSettings = {
  /**
   * `postgres://user:password@host:5432/name`. Required where the sandbox is off. Write `%` in the password as `%25`.
   * With several hosts (`postgres://a,b/name`) the server uses the one that accepts writes. `sslmode=require` verifies
   * the certificate; `sslrootcert=/path/ca.pem` adds your own certificate authority.
   */
  DATABASE_URL: v.optional(databaseUrlSetting),
  /** No longer supported; only `false` and `0` are accepted. Remove it, and set `DATABASE_URL` to PostgreSQL. */
  EMBEDDED_DATABASE: v.optional(
    v.picklist(
      ['false', '0'],
      'is no longer supported; remove it and set DATABASE_URL to a PostgreSQL, postgres://user:password@host/name',
    ),
  ),
};

/** Cloud. The service that knows how much of their cloud customers use. */
const cloudSettings = {
  /** The address that is asked for the used storage of a customer. Without it the page shows the size only. */
  CLOUD_USAGE_URL: v.optional(v.pipe(v.string(), v.url(), v.regex(/^https?:\/\//, 'must begin with https://'))),
  /** The secret that signs these requests: 32 characters or more. */
  CLOUD_USAGE_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must have 32 characters or more'))),
};

const cloudNames = ['CLOUD_USAGE_URL', 'CLOUD_USAGE_SECRET'] as const;

/** Addresses and proxies. The hosts of the default brand, and which proxies the server trusts. */
const addressSettings = {
  /** The scheme and host of the default brand, such as `https://shop.example`. */
  PUBLIC_ORIGIN: v.optional(origin),
  /** The code of the brand of `localhost`, `PUBLIC_ORIGIN` and `EXTRA_HOSTS`. */
  DEFAULT_BRAND: v.optional(v.pipe(v.string(), v.minLength(1)), 'lumen'),
  /** More host names of the default brand, separated by commas. */
  EXTRA_HOSTS: list,
  /**
   * Addresses and networks of the proxies in front, such as `10.0.0.0/8, 2001:db8::1`. Only their `X-Forwarded-*`
   * headers and country header are used. The client is the right-most address that is not a proxy. `127.0.0.1` includes
   * `::1`. `true` is refused, because it would trust every caller.
   */
  TRUST_PROXY: v.pipe(list, readProxyList),
  /** Whether the HSTS header includes subdomains. Set it only if every host below the brand's host has a certificate. */
  HSTS_SUBDOMAINS: flag,
};

/** Secrets. Keys that all processes of one installation share. */
const secretSettings = {
  /**
   * The root of all keys, 32 bytes or more. Required where the sandbox is off; a demo generates it in `DATA_DIR`. Every
   * process on one database needs the same value.
   */
  SIGNING_SECRET: v.optional(v.pipe(v.string(), v.minBytes(32, 'must have 32 bytes or more'))),
  /**
   * Previous signing secrets, separated by commas. They decrypt stored payers and buyers, sign webhooks beside the new
   * one, and verify links that end offers.
   */
  FORMER_SIGNING_SECRETS: v.pipe(
    parts,
    v.everyItem((secret) => Buffer.byteLength(secret) >= 32, 'must have 32 bytes or more each'),
  ),
  /** The bearer token of `/metrics`. Required where the sandbox is off. Without it only this machine gets the metrics. */
  METRICS_TOKEN: v.optional(v.pipe(v.string(), v.minLength(16, 'must have 16 characters or more'))),
};

/** Sandbox. Simulated providers for demo, development and tests. */
const sandboxSettings = {
  /**
   * Whether bank, Google, PayPal and mailbox are simulated. The default is `true`, and `false` if `NODE_ENV` is set to
   * `production`. It must be set explicitly if `PUBLIC_ORIGIN` or `SMTP_URL` is set. Production needs `false`.
   */
  SANDBOX: v.optional(
    v.pipe(
      v.picklist(['true', 'false', '1', '0']),
      v.transform((value) => value === 'true' || value === '1'),
    ),
  ),
  /** Whether callers outside this machine and private networks reach the pages of the sandbox. */
  SANDBOX_PUBLIC: flag,
  /** Whether a simulated third-party captcha script is offered. */
  SANDBOX_CAPTCHA: flag,
  /** The origin through which the sandbox providers are called over a real connection. Only tests set it. */
  SANDBOX_WIRE: v.optional(origin),
  /** Seconds until the provider of an open payment is asked for its state. Only tests set it. */
  RECONCILE_AFTER_SECONDS: v.optional(wholeSeconds),
};

const envSchema = v.object({
  ...serverSettings,
  ...databaseSettings,
  ...addressSettings,
  ...secretSettings,
  ...loginSettings,
  ...mailSettings,
  ...smsSettings,
  ...cloudSettings,
  ...stripeSettings,
  ...paypalSettings,
  ...btcpaySettings,
  ...mpesaSettings,
  ...useepaySettings,
  ...payssionSettings,
  ...retentionSettings,
  ...sandboxSettings,
});

/** What is only set where customers come, and therefore asks whether everything is pretended or nothing. */
const asksForSandbox = ['PUBLIC_ORIGIN', 'SMTP_URL'] as const;

function undecided(env: v.InferOutput<typeof envSchema>): string | undefined {
  if (env.SANDBOX !== undefined || env.NODE_ENV === 'production') return undefined;
  return asksForSandbox.find((name) => env[name] !== undefined);
}

/** Whether all of them are set, or none. */
function isWhole(env: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return new Set(names.map((name) => env[name] === undefined)).size === 1;
}

const together = (names: readonly string[]) =>
  v.check<v.InferOutput<typeof envSchema>, string>(
    (env) => isWhole(env, names),
    `must be set together with ${names.join(', ')}`,
  );

/** What one setting asks of another. */
const settingsSchema = v.pipe(
  envSchema,
  v.forward(together(googleNames), ['GOOGLE_CLIENT_SECRET']),
  v.forward(together(paypalNames), ['PAYPAL_CLIENT_SECRET']),
  v.forward(together(btcpayNames), ['BTCPAY_URL']),
  v.forward(together(mpesaNames), ['MPESA_SHORT_CODE']),
  v.forward(together(useepayNames), ['USEEPAY_MERCHANT_NO']),
  v.forward(together(payssionNames), ['PAYSSION_API_KEY']),
  v.forward(together(twilioNames), ['TWILIO_ACCOUNT_SID']),
  v.forward(together(dkimNames), ['MAIL_DKIM_DOMAIN']),
  v.forward(together(smsWebhookNames), ['SMS_WEBHOOK_URL']),
  v.forward(together(cloudNames), ['CLOUD_USAGE_URL']),
  v.forward(together(mpesaReversalNames), ['MPESA_INITIATOR']),
  v.forward(together(stripeNames), ['STRIPE_WEBHOOK_SECRET']),
  v.forward(together(recaptchaNames), ['RECAPTCHA_SECRET']),
  v.forward(
    v.check(
      (env) => env.RECAPTCHA_SITE_KEY === undefined || env.CAPTCHA_ORIGIN !== undefined,
      'must be set with RECAPTCHA_SITE_KEY, to an origin of this server that no brand uses',
    ),
    ['CAPTCHA_ORIGIN'],
  ),
  v.forward(
    v.check(
      (env) => undecided(env) === undefined,
      ({ input }) =>
        `must be set, because ${undecided(input)} indicates production: false for a shop with real payments, true for a ` +
        'demo, in which anyone can log in as anyone and payments are simulated',
    ),
    ['SANDBOX'],
  ),
  v.transform((env) => ({
    ...env,
    NODE_ENV: env.NODE_ENV ?? 'production',
    SANDBOX: env.SANDBOX ?? env.NODE_ENV !== 'production',
    SANDBOX_SAID: env.SANDBOX !== undefined,
  })),
);

export interface Env extends Settings {
  /** 32 characters or more that sign quotes and provider notices; kept in the data folder when not given */
  readonly SIGNING_SECRET: string;
}
export type Settings = v.InferOutput<typeof settingsSchema>;

/** The environment does not fit; `problems` names each variable and what is wrong with it. */
export class BadEnvironment extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Invalid environment:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'BadEnvironment';
    this.problems = problems;
  }
}

/** Reads the settings; throws `BadEnvironment`. An empty variable counts as absent. */
export function readSettings(source: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = v.safeParse(settingsSchema, given);
  if (parsed.success) return parsed.output;
  throw new BadEnvironment(parsed.issues.map((issue) => `${v.getDotPath(issue) ?? '?'}: ${sentenceOf(issue)}`));
}

/** A schema's own message shows its pattern and the value, which can be a secret: the setting says what to write. */
function sentenceOf({ type, message, expected, requirement }: v.BaseIssue<unknown>): string {
  if (!message.startsWith('Invalid ')) return message;
  if (type === 'picklist')
    return `must be one of ${[...(expected ?? '').matchAll(/"([^"]+)"/g)].map(([, one]) => one).join(', ')}`;
  if (type === 'url') return 'must be an address with its scheme, such as https://shop.example';
  if (type === 'email') return 'must be an email address, such as shop@shop.example';
  if (type === 'min_length') return `must have ${String(requirement)} characters or more`;
  if (type === 'max_length') return `must have ${String(requirement)} characters at most`;
  if (type === 'min_value') return `must be ${String(requirement)} or more`;
  if (type === 'max_value') return `must be ${String(requirement)} or less`;
  return 'has another form; copy it from where it was issued';
}
