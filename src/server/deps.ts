import type { Catalog } from './brand/catalog.ts';
import type { ScriptCaptcha } from './captcha/script-captcha.ts';
import type { Database } from './db/connect.ts';
import type { Mailer } from './email/mailer.ts';
import type { Env } from './env.ts';
import type { Logger } from './log.ts';
import type { Gateways } from './payments/gateway.ts';
import type { Random } from './random.ts';
import type { GoogleProvider } from './sign-on/google-provider.ts';
import type { Sms } from './sms/sms.ts';

/** Everything that varies by time, chance, money or installation. Passed down, never imported as a value. */
export interface Deps {
  readonly db: Database;
  /** epoch milliseconds */
  readonly clock: () => number;
  readonly random: Random;
  readonly mailer: Mailer;
  readonly sms: Sms;
  readonly gateways: Gateways;
  /** null where no brand of this installation has it */
  readonly google: GoogleProvider | null;
  readonly scriptCaptcha: ScriptCaptcha | null;
  readonly catalog: Catalog;
  readonly env: Env;
  readonly log: Logger;
}
