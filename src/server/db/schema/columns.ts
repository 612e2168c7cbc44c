import { sql, type SQL } from 'drizzle-orm';
import { bigint, customType } from 'drizzle-orm/pg-core';
import type { Language } from '#contract/fields.ts';

/**
 * Conventions: instants are epoch milliseconds (PGlite and pg would round timestamps differently), money is integer
 * minor units beside its currency, and every row of a customer has its brand, so that ownership is always one `where`
 * with brand, user and id.
 */
export const instant = (name: string) => bigint(name, { mode: 'number' });

export const minorUnits = (name: string) => bigint(name, { mode: 'number' });

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

export type Texts<T> = Partial<Record<Language, T>>;

/** States as literals of a statement, so that its text stays constant. For constants only. */
export function sqlLiterals(states: readonly string[]): SQL {
  return sql.raw(states.map((state) => `'${state}'`).join(', '));
}
