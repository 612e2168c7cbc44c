import * as v from 'valibot';
import { stripeSettings } from '#server/payments/stripe/settings.ts';
import { dkimNames, mailSettings } from '#server/messages/mail-settings.ts';
import { smtpUrlSetting } from '#server/messages/smtp-url.ts';
import { retentionSettings } from '#server/site/retention-settings.ts';
import { smsSettings, smsWebhookNames, twilioNames } from '#server/messages/sms-settings.ts';
import { btcpayNames, btcpaySettings } from '#server/payments/btcpay/settings.ts';
import { mpesaNames, mpesaReversalNames, mpesaSettings } from '#server/payments/mpesa/settings.ts';
import { payssionNames, payssionSettings } from '#server/payments/payssion/settings.ts';
import { useepayNames, useepaySettings } from '#server/payments/useepay/settings.ts';
import { canonicalOrigin } from '#server/runtime/host-name.ts';
import { readProxyList } from '#server/runtime/request/network.ts';
import { databaseUrlSetting } from '#server/db/database-url.ts';

/** Settings of an installation, read once at start. Sizes and names that a stranger could send never come from here. */
const flag = v.pipe(
  v.optional(v.picklist(['true', 'false', '1', '0', '']), 'false'),
  v.transform((value) => value === 'true' || value === '1'),
);
const parts = v.pipe(
  v.optional(v.string(), ''),
  v.transform((value) => value.split(',').map((part) => part.trim())),
  v.transform((all) => all.filter((part) => part !== '')),
);
const list = v.pipe(
  parts,
  v.transform((all) => all.map((part) => part.toLowerCase())),
);
const origin = v.pipe(
  v.string(),
  v.url(),
  v.regex(/^https?:\/\/[^/]+$/, 'must be a scheme and a host without a path, such as https://shop.example'),
  v.transform(canonicalOrigin),
);

const wholeSeconds = v.pipe(v.string(), v.regex(/^\d{1,5}$/), v.transform(Number), v.minValue(1));
const seconds = (usual: number) => v.optional(wholeSeconds, String(usual));

const years = (usual: number) =>
  v.pipe(
    v.optional(v.string(), String(usual)),
    v.regex(/^\d{1,2}$/, 'must be a number of years'),
    v.transform(Number),
    v.minValue(1, 'must be a year or more'),
    v.maxValue(30, 'must be thirty years or less'),
  );

const envSchema = v.object({
  /** production unless told otherwise; only when it is told, the sandbox is off ([Note: Production]) */
  NODE_ENV: v.optional(v.picklist(['production', 'development', 'test'])),
  /** 0 asks the system for a free one */
  PORT: v.pipe(v.optional(v.string(), '3000'), v.regex(/^\d{1,5}$/), v.transform(Number), v.maxValue(65_535)),
  /** all interfaces, IPv4 and IPv6, where it is not set */
  HOST: v.optional(v.pipe(v.string(), v.minLength(1))),
  /** how long an idle connection stays open: longer than at the proxy in front */
  KEEP_ALIVE_SECONDS: seconds(130),
  DATA_DIR: v.optional(v.pipe(v.string(), v.minLength(1)), '.data'),
  DATABASE_URL: v.optional(databaseUrlSetting),
  /** a shop for customers is content with the database inside of it ([Note: Production]) */
  EMBEDDED_DATABASE: flag,
  /** where customers reach the default brand, when a proxy stands in front */
  PUBLIC_ORIGIN: v.optional(origin),
  /** brand of `EXTRA_HOSTS` and of the addresses that are told at start */
  DEFAULT_BRAND: v.optional(v.pipe(v.string(), v.minLength(1)), 'lumen'),
  EXTRA_HOSTS: list,
  /** proxies whose X-Forwarded-For, -Host, -Proto and country count; each must set all that it lets through */
  TRUST_PROXY: v.pipe(list, readProxyList),
  /** where the build script has left the storefront; `dist/builds` of the project unless told otherwise */
  BUILDS_DIR: v.optional(v.pipe(v.string(), v.minLength(1))),
  /** `off` ends the service workers that phones have ([Note: Worker off]) */
  WORKER: v.optional(v.picklist(['on', 'off']), 'on'),
  /** push services beside those of the browsers that are known (push/push-services.ts), by host name */
  PUSH_HOSTS: list,
  LOG_LEVEL: v.optional(v.picklist(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']), 'info'),
  SIGNING_SECRET: v.optional(v.pipe(v.string(), v.minBytes(32, 'must have 32 bytes or more'))),
  /** former secrets: they only open what was sealed with them (process/sealed.ts) */
  FORMER_SIGNING_SECRETS: v.pipe(
    parts,
    v.everyItem((secret) => Buffer.byteLength(secret) >= 32, 'must have 32 bytes or more each'),
  ),
  /** whether browsers reach every host below a brand's by https only, for a year */
  HSTS_SUBDOMAINS: flag,
  METRICS_TOKEN: v.optional(v.pipe(v.string(), v.minLength(16, 'must have 16 characters or more'))),
  SMTP_URL: v.optional(smtpUrlSetting),
  /** sender of mail; the brand's name is put before it */
  MAIL_FROM: v.optional(v.pipe(v.string(), v.email()), 'no-reply@marquee.example'),
  /** seconds that a single sign-on token of a link from the app, or of a QR on a TV, is good for */
  SSO_APP_SECONDS: seconds(60),
  SSO_QR_SECONDS: seconds(600),
  /** OpenID Connect client at Google; without it the sandbox provider stands in, where that is on */
  GOOGLE_CLIENT_ID: v.optional(v.pipe(v.string(), v.minLength(10))),
  GOOGLE_CLIENT_SECRET: v.optional(v.pipe(v.string(), v.minLength(10))),
  /** REST app at PayPal; without it the sandbox PayPal stands in, where that is on */
  PAYPAL_CLIENT_ID: v.optional(v.pipe(v.string(), v.minLength(10))),
  PAYPAL_CLIENT_SECRET: v.optional(v.pipe(v.string(), v.minLength(10))),
  /** names the webhook of that app; without it every notice of PayPal is refused */
  PAYPAL_WEBHOOK_ID: v.optional(v.pipe(v.string(), v.regex(/^[a-zA-Z0-9]{1,50}$/))),
  /** which PayPal: its own sandbox, or the one with real money */
  PAYPAL_ENVIRONMENT: v.optional(v.picklist(['sandbox', 'live']), 'sandbox'),
  ...stripeSettings,
  ...btcpaySettings,
  ...mpesaSettings,
  ...useepaySettings,
  ...payssionSettings,
  ...smsSettings,
  ...mailSettings,
  /** where PayPal's API is, for whoever stands in for it; its own address unless told otherwise */
  PAYPAL_ORIGIN: v.optional(origin),
  /** keys of the script captcha (reCAPTCHA), which also needs CAPTCHA_ORIGIN; without them there is none */
  RECAPTCHA_SITE_KEY: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{10,100}$/))),
  RECAPTCHA_SECRET: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{10,100}$/))),
  /** the sandbox provider of a script captcha, for development and tests; off unless told otherwise */
  SANDBOX_CAPTCHA: flag,
  /** another origin of this server, so that the captcha's foreign script shares nothing with the storefront */
  CAPTCHA_ORIGIN: v.optional(origin),
  /** where the shop reaches the sandbox bank: an origin of this server, by way of something that breaks wires */
  SANDBOX_WIRE: v.optional(origin),
  /** how long an open payment stays quiet before its provider is asked about it; only proofs are in a hurry (reconcile.ts) */
  RECONCILE_AFTER_SECONDS: v.optional(wholeSeconds),
  ...retentionSettings,
  /** how long the orders of a deleted account are kept without a name, for the tax office */
  ORDERS_KEPT_YEARS: years(10),
  /** the sandbox bank, Google and mailbox; on unless told otherwise or NODE_ENV is production, but see `asksForSandbox` */
  SANDBOX: v.optional(
    v.pipe(
      v.picklist(['true', 'false', '1', '0']),
      v.transform((value) => value === 'true' || value === '1'),
    ),
  ),
  /** lets callers from outside of private networks to the addresses of the sandbox, too */
  SANDBOX_PUBLIC: flag,
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
  v.forward(
    v.check(
      (env) => (env.GOOGLE_CLIENT_ID === undefined) === (env.GOOGLE_CLIENT_SECRET === undefined),
      'must be set together with GOOGLE_CLIENT_ID',
    ),
    ['GOOGLE_CLIENT_SECRET'],
  ),
  v.forward(
    v.check(
      (env) => (env.PAYPAL_CLIENT_ID === undefined) === (env.PAYPAL_CLIENT_SECRET === undefined),
      'must be set together with PAYPAL_CLIENT_ID',
    ),
    ['PAYPAL_CLIENT_SECRET'],
  ),
  v.forward(together(btcpayNames), ['BTCPAY_URL']),
  v.forward(together(mpesaNames), ['MPESA_SHORT_CODE']),
  v.forward(together(useepayNames), ['USEEPAY_MERCHANT_NO']),
  v.forward(together(payssionNames), ['PAYSSION_API_KEY']),
  v.forward(together(twilioNames), ['TWILIO_ACCOUNT_SID']),
  v.forward(together(dkimNames), ['MAIL_DKIM_DOMAIN']),
  v.forward(together(smsWebhookNames), ['SMS_WEBHOOK_URL']),
  v.forward(together(mpesaReversalNames), ['MPESA_INITIATOR']),
  v.forward(
    v.check(
      (env) => (env.STRIPE_SECRET_KEY === undefined) === (env.STRIPE_WEBHOOK_SECRET === undefined),
      'must be set together with STRIPE_SECRET_KEY',
    ),
    ['STRIPE_WEBHOOK_SECRET'],
  ),
  v.forward(
    v.check(
      (env) => (env.RECAPTCHA_SITE_KEY === undefined) === (env.RECAPTCHA_SECRET === undefined),
      'must be set together with RECAPTCHA_SITE_KEY',
    ),
    ['RECAPTCHA_SECRET'],
  ),
  v.forward(
    v.check(
      (env) => env.RECAPTCHA_SITE_KEY === undefined || env.CAPTCHA_ORIGIN !== undefined,
      'must be set with RECAPTCHA_SITE_KEY, to an origin of this server where no brand lives',
    ),
    ['CAPTCHA_ORIGIN'],
  ),
  v.forward(
    v.check(
      (env) => undecided(env) === undefined,
      ({ input }) =>
        `must be said, because ${undecided(input)} speaks of customers: false for a shop where people pay with money, true for a ` +
        'demonstration, in which anyone can sign in as anyone and pay with nothing',
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
    super(`The environment does not fit:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'BadEnvironment';
    this.problems = problems;
  }
}

/** Reads the settings; throws `BadEnvironment`. An empty variable counts as absent. */
export function readSettings(source: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = v.safeParse(settingsSchema, given);
  if (parsed.success) return parsed.output;
  throw new BadEnvironment(parsed.issues.map((issue) => `${v.getDotPath(issue) ?? '?'}: ${issue.message}`));
}
