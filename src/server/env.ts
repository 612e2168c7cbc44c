import * as v from 'valibot';
import { readProxies } from './network.ts';

/** Settings of an installation, read once at start. Sizes and names that a stranger could send never come from here. */
const flag = v.pipe(
  v.optional(v.picklist(['true', 'false', '1', '0', '']), 'false'),
  v.transform((value) => value === 'true' || value === '1'),
);
const list = v.pipe(
  v.optional(v.string(), ''),
  v.transform((value) => value.split(',').map((part) => part.trim().toLowerCase())),
  v.transform((parts) => parts.filter((part) => part !== '')),
);
/** Addresses and networks; a switch would believe whoever can reach the port. */
const proxyList = v.pipe(
  list,
  v.rawTransform(({ dataset, addIssue }) => {
    const { proxies, wrong } = readProxies(dataset.value);
    if (wrong.length > 0) {
      addIssue({
        message: `must list the proxies in front of the shop by address or network, such as 10.0.0.0/8, 2001:db8::1; this is neither: ${wrong.join(', ')}`,
      });
    }
    return proxies;
  }),
);
const origin = v.pipe(
  v.string(),
  v.url(),
  v.regex(/^https?:\/\/[^/]+$/, 'must be a scheme and a host without a path, such as https://shop.example'),
);

const wholeSeconds = v.pipe(v.string(), v.regex(/^\d{1,5}$/), v.transform(Number), v.minValue(1));
const seconds = (usual: number) => v.optional(wholeSeconds, String(usual));

const months = (usual: number) =>
  v.pipe(
    v.optional(v.string(), String(usual)),
    v.regex(/^\d{1,3}$/, 'must be a number of months'),
    v.transform(Number),
    v.minValue(1, 'must be a month or more'),
    v.maxValue(120, 'must be ten years or less'),
  );

const envSchema = v.object({
  /** production unless told otherwise; only when it is told does it ask for `SANDBOX` */
  NODE_ENV: v.optional(v.picklist(['production', 'development', 'test'])),
  /** 0 asks the system for a free one */
  PORT: v.pipe(v.optional(v.string(), '3000'), v.regex(/^\d{1,5}$/), v.transform(Number), v.maxValue(65_535)),
  HOST: v.optional(v.pipe(v.string(), v.minLength(1)), '0.0.0.0'),
  DATA_DIR: v.optional(v.pipe(v.string(), v.minLength(1)), '.data'),
  DATABASE_URL: v.optional(v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//, 'must start with postgres://'))),
  /** where customers reach the default brand, when a proxy stands in front */
  PUBLIC_ORIGIN: v.optional(origin),
  /** brand of `EXTRA_HOSTS` and of the addresses that are told at start */
  DEFAULT_BRAND: v.optional(v.pipe(v.string(), v.minLength(1)), 'lumen'),
  EXTRA_HOSTS: list,
  /** proxies whose X-Forwarded-For, -Host, -Proto and country count; each must set all that it lets through */
  TRUST_PROXY: proxyList,
  LOG_LEVEL: v.optional(v.picklist(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']), 'info'),
  SIGNING_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must have 32 characters or more'))),
  METRICS_TOKEN: v.optional(v.pipe(v.string(), v.minLength(16, 'must have 16 characters or more'))),
  SMTP_URL: v.optional(v.pipe(v.string(), v.regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://'))),
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
  /** how long sign-ins, with their network addresses, and analytics are kept */
  SIGN_INS_KEPT_MONTHS: months(12),
  ANALYTICS_KEPT_MONTHS: months(13),
  /** the sandbox bank, Google and mailbox; on unless told otherwise, but see `asksForSandbox` */
  SANDBOX: v.optional(
    v.pipe(
      v.picklist(['true', 'false', '1', '0']),
      v.transform((value) => value === 'true' || value === '1'),
    ),
  ),
  /** lets callers from outside of private networks through the doors of the sandbox, too */
  SANDBOX_PUBLIC: flag,
});

/** What is only set where customers come, and therefore asks whether everything is pretended or nothing. */
const asksForSandbox = ['PUBLIC_ORIGIN', 'SMTP_URL', 'NODE_ENV'] as const;

function undecided(env: v.InferOutput<typeof envSchema>): string | undefined {
  if (env.SANDBOX !== undefined) return undefined;
  return asksForSandbox.find((name) => (name === 'NODE_ENV' ? env[name] === 'production' : env[name] !== undefined));
}

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
  v.transform((env) => ({ ...env, NODE_ENV: env.NODE_ENV ?? 'production', SANDBOX: env.SANDBOX ?? true })),
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
