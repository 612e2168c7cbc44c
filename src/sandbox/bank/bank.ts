import type { Database } from '#server/db/connect.ts';
import type { Random } from '#server/runtime/random.ts';
import type { sandboxCharges } from '../schema.ts';

/**
 * A simulated provider that behaves like the real ones: its own ledger, its own pages, notices that arrive late, twice
 * and out of order. The server reaches it only through its adapters; its tables are in the same database only so that
 * one command starts everything.
 */
export type Charge = typeof sandboxCharges.$inferSelect;

export interface Bank {
  readonly db: Database;
  /** epoch milliseconds */
  readonly clock: () => number;
  readonly random: Random;
}
