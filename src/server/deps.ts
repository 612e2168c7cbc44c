import type { Catalog } from '#server/brand/catalog.ts';
import type { ScriptCaptcha } from '#server/auth/captcha/recaptcha.ts';
import type { Database } from '#server/db/connect.ts';
import type { Mailer } from '#server/messages/mailer.ts';
import type { Env } from './env.ts';
import type { Metrics } from '#server/runtime/metrics.ts';
import type { Logger } from '#server/runtime/log.ts';
import type { KeyedQueue } from '#server/runtime/limits/fair-queue.ts';
import type { Gateways } from '#server/payments/gateway.ts';
import type { SendRequest } from '#server/payments/send-provider-request.ts';
import type { Random } from '#server/runtime/random.ts';
import type { GoogleProvider } from '#server/auth/sign-on/google-provider.ts';
import type { CloudUsage } from '#server/site/cloud-usage.ts';
import type { Sms } from '#server/messages/sms.ts';

/**
 * Everything that depends on time, randomness, money or installation. Passed as a parameter, never imported as a value.
 */
export interface Deps {
  readonly db: Database;
  /** epoch milliseconds */
  readonly clock: () => number;
  readonly random: Random;
  readonly mailer: Mailer;
  /** null where no SMS can be sent; features that need SMS are then not offered */
  readonly sms: Sms | null;
  /** sends requests to push services; push/send-push.ts creates them */
  readonly push: SendRequest;
  readonly gateways: Gateways;
  /** null where no brand of this installation uses it */
  readonly google: GoogleProvider | null;
  readonly scriptCaptcha: ScriptCaptcha | null;
  /** null where no service tells it */
  readonly cloudUsage: CloudUsage | null;
  readonly catalog: Catalog;
  readonly env: Env;
  /** counts refusals by limits, and operator alerts; exported at /metrics */
  readonly metrics: Metrics;
  /** serializes calls that must not run concurrently in this process */
  readonly runSerially: KeyedQueue;
  readonly log: Logger;
}
