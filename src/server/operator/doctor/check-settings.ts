import { missingSettings } from '#server/runtime/wiring/open-production.ts';
import { readDatabaseUrl } from '#server/db/database-url.ts';
import { readSmtpUrl } from '#server/messages/mailer.ts';
import { BadEnvironment, readSettings, type Settings } from '#server/env.ts';
import { noteFinding, okFinding, wrongFinding, type Finding } from './finding.ts';
import type { Database } from '#server/db/connect.ts';
import { compareSigningSecret, SigningSecretMismatch } from '#server/db/lock.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface CheckedSettings {
  readonly findings: readonly Finding[];
  /** as a production shop would have them; undefined where they cannot be parsed at all */
  readonly settings: Settings | undefined;
}

/** Reports invalid and missing settings, and continues without those that cannot be parsed. */
export function checkSettings(environment: Environment): CheckedSettings {
  const { settings, problems } = readWhatFits(environment);
  const unreadable = problems.map((line) => wrongFinding('settings', line));
  if (!settings) return { findings: unreadable, settings };
  const reported = new Set(problems.map(nameIn));
  const missing = missingSettings(settings).filter(({ name }) => !reported.has(name));
  const findings = [
    ...unreadable,
    ...(settings.SANDBOX ? [wrongFinding('settings', isPretended)] : []),
    ...missing.map(({ name, remedy }) => wrongFinding('settings', `${name}: ${remedy}`)),
    ...(settings.MAIL_FROM.endsWith('.example')
      ? [
          wrongFinding(
            'settings',
            `MAIL_FROM: set it to an address of yours; mail servers reject mail from ${settings.MAIL_FROM}`,
          ),
        ]
      : []),
  ];
  return {
    findings: [
      ...(findings.length > 0 ? findings : [okFinding('settings', 'all settings of a production shop are present')]),
      ...unpaid(settings),
      ...unencrypted(settings),
    ],
    settings: { ...settings, SANDBOX: false },
  };
}

/** Configured connections to other machines that do not require encryption. */
function unencrypted({ DATABASE_URL, SMTP_URL }: Settings): Finding[] {
  const database = DATABASE_URL === undefined ? '' : readDatabaseUrl(DATABASE_URL);
  const target = typeof database === 'string' ? undefined : database.targets[0];
  const isPlain = target && !isLocal(target.host) && !/^verify-full$/.test(sslModeOf(target.url));
  const mail = SMTP_URL === undefined ? '' : readSmtpUrl(SMTP_URL);
  const isPlainMail =
    typeof mail !== 'string' && !isLocal(mail.host) && !mail.hasUser && !/^smtps:|[?&]requireTLS=true/.test(mail.url);
  return [
    ...(isPlain
      ? [
          noteFinding(
            'settings',
            `DATABASE_URL: the connection to ${target.name} is not encrypted; add sslmode=verify-full`,
          ),
        ]
      : []),
    ...(isPlainMail
      ? [
          noteFinding(
            'settings',
            `SMTP_URL: mail to ${mail.host} may go unencrypted; use smtps://, or add requireTLS=true`,
          ),
        ]
      : []),
  ];
}

const isLocal = (host: string) => host.startsWith('/') || /^(localhost|127\..*|\[?::1\]?)$/.test(host);
const sslModeOf = (url: string) => new URLSearchParams(url.split('?')[1]).get('sslmode') ?? '';

/** Providers configured for their test environments. */
function unpaid(settings: Settings): Finding[] {
  const playgrounds = [
    ['PayPal', 'PAYPAL_ENVIRONMENT', settings.PAYPAL_CLIENT_ID],
    ['M-Pesa', 'MPESA_ENVIRONMENT', settings.MPESA_CONSUMER_KEY],
    ['UseePay', 'USEEPAY_ENVIRONMENT', settings.USEEPAY_MERCHANT_NO],
    ['Payssion', 'PAYSSION_ENVIRONMENT', settings.PAYSSION_API_KEY],
  ] as const;
  const chosen = playgrounds
    .filter(([, name, key]) => key !== undefined && settings[name] === 'sandbox')
    .map(([provider, name]) => noteFinding('settings', `${name} is sandbox: payments at ${provider} are simulated`));
  // Stripe marks test keys by their prefix (docs.stripe.com/keys)
  const isTest = settings.STRIPE_SECRET_KEY !== undefined && /^[sr]k_test_/.test(settings.STRIPE_SECRET_KEY);
  const stripe = noteFinding('settings', 'STRIPE_SECRET_KEY is of a sandbox: payments at Stripe are simulated');
  return isTest ? [...chosen, stripe] : chosen;
}

const isPretended = 'SANDBOX: is on, so payments and logins are simulated; set it to false, or NODE_ENV to production';

const nameIn = (problem: string) => problem.split(':')[0] ?? '';

function readWhatFits(environment: Environment): { settings: Settings | undefined; problems: readonly string[] } {
  try {
    return { settings: readSettings(environment), problems: [] };
  } catch (error) {
    if (!(error instanceof BadEnvironment)) throw error;
    const bad = new Set(error.problems.map(nameIn));
    const rest = Object.fromEntries(Object.entries(environment).filter(([name]) => !bad.has(name)));
    return { settings: readOrNothing({ SANDBOX: 'false', ...rest }), problems: error.problems };
  }
}

/** A setting may require another one that was left out as invalid. */
function readOrNothing(environment: Environment): Settings | undefined {
  try {
    return readSettings(environment);
  } catch (error) {
    if (error instanceof BadEnvironment) return undefined;
    throw error;
  }
}

const what = 'signing secret';

/** Whether a process with these settings could start alongside the others. */
export async function checkSecret(settings: Settings, db: Database): Promise<Finding[]> {
  const { DATABASE_URL, SIGNING_SECRET } = settings;
  if (DATABASE_URL === undefined || SIGNING_SECRET === undefined) return [];
  const found = await compareSigningSecret(db, { SIGNING_SECRET });
  if (found === 'unknown') return [noteFinding(what, 'is recorded by the first start')];
  return [
    found === 'same'
      ? okFinding(what, 'belongs to this database')
      : wrongFinding(what, new SigningSecretMismatch().message),
  ];
}
