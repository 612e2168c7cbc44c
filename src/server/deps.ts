import type { Catalog } from './brand/catalog.ts';
import type { ScriptCaptcha } from './captcha/script-captcha.ts';
import type { Database } from './db/connect.ts';
import type { Mailer } from './messages/mailer.ts';
import type { Env } from './env.ts';
import type { LimitMetrics } from './limits/limit-metrics.ts';
import type { Logger } from './process/log.ts';
import type { Turns } from './limits/one-at-a-time.ts';
import type { Gateways } from './payments/gateway.ts';
import type { SendRequest } from './payments/ask-provider.ts';
import type { Random } from './process/random.ts';
import type { GoogleProvider } from './sign-on/google-provider.ts';
import type { Sms } from './messages/sms.ts';

/** Everything that varies by time, chance, money or installation. Passed down, never imported as a value. */
export interface Deps {
  readonly db: Database;
  /** epoch milliseconds */
  readonly clock: () => number;
  readonly random: Random;
  readonly mailer: Mailer;
  /** null where no SMS can be sent, and so nothing is offered that needs one */
  readonly sms: Sms | null;
  /** the wire to push services; what goes over it is made by push/send-push.ts */
  readonly push: SendRequest;
  readonly gateways: Gateways;
  /** null where no brand of this installation has it */
  readonly google: GoogleProvider | null;
  readonly scriptCaptcha: ScriptCaptcha | null;
  readonly catalog: Catalog;
  readonly env: Env;
  /** counts what limits refuse, and operator alerts; read at /metrics */
  readonly limitMetrics: LimitMetrics;
  /** of the calls that this process must not run beside each other */
  readonly oneAtATime: Turns;
  readonly log: Logger;
}
