import type { Database } from '#server/db/connect.ts';
import type { Random } from '#server/runtime/random.ts';
import type { sandboxCharges } from '../schema.ts';

/**
 * [Note: Sandbox bank] A provider of our own that behaves as the real ones do: its own books, its own pages, notices
 * that come late, twice and out of order. The shop reaches it by its adapters and by nothing else; its tables are in
 * our database only so that one command starts everything.
 */
export type Charge = typeof sandboxCharges.$inferSelect;

export interface Bank {
  readonly db: Database;
  /** epoch milliseconds */
  readonly clock: () => number;
  readonly random: Random;
}
