import { sql, type Placeholder } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Database } from './connect.ts';

/** A statement that is built once and has no name on the server ([Note: Pooler]). */
export const unnamed = '';

/** Builds a query the first time it runs on a database and keeps it: building one costs as much as running it. */
export function prepareOnce<P>(prepare: (db: Database) => P): (db: Database) => P {
  const kept = new WeakMap<Database, P>();
  return (db) => {
    const known = kept.get(db);
    if (known !== undefined) return known;
    const made = prepare(db);
    kept.set(db, made);
    return made;
  };
}

/** A row of placeholders for some columns of a table, each named `prefix` and the column's own name. */
export function placeholderRow<T extends PgTable, K extends keyof T['$inferInsert'] & string>(
  _table: T,
  prefix: string,
  columns: readonly K[],
): Record<K, Placeholder> {
  const row = columns.map((name) => [name, sql.placeholder(`${prefix}${name}`)]);
  // as: made from exactly these names
  return Object.fromEntries(row) as Record<K, Placeholder>;
}

/** The values of such a row. */
export function placeholderValues(row: object, prefix: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [`${prefix}${name}`, value]));
}
