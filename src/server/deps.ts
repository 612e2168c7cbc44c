import type { Catalog } from './brand/catalog.ts';
import type { Database } from './db/connect.ts';
import type { Mailer } from './email/mailer.ts';
import type { Env } from './env.ts';
import type { Logger } from './log.ts';
import type { Gateways } from './payments/gateway.ts';
import type { Random } from './random.ts';

/** Everything that varies by time, chance, money or installation. Passed down, never imported as a value. */
export interface Deps {
  readonly db: Database;
  /** epoch milliseconds */
  readonly clock: () => number;
  readonly random: Random;
  readonly mailer: Mailer;
  readonly gateways: Gateways;
  readonly catalog: Catalog;
  readonly env: Env;
  readonly log: Logger;
}
