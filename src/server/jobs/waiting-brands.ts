import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/**
 * The brands that have waiting rows, as `waiting_brands(brand)` for `with recursive`; its last row is null. Each brand
 * costs one step in an index that begins with `waits` and the brand: `select distinct` would read every row of a
 * flood.
 */
export function waitingBrands(brand: PgColumn, waits: SQL): SQL {
  const first = (more: SQL) => sql`select ${brand} from ${brand.table} where ${waits}${more} order by ${brand} limit 1`;
  return sql`waiting_brands as (
      (${first(sql``)})
      union all
      select (${first(sql` and ${brand} > waiting_brands.brand`)}) from waiting_brands where waiting_brands.brand is not null
    )`;
}
