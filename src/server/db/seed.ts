import type { PgTable } from 'drizzle-orm/pg-core';
import { dynamicConfigTypeSchema } from '../../contract/site.ts';
import type { Database } from './connect.ts';
import * as schema from './schema.ts';
import { baobab } from './seed/baobab.ts';
import type { BrandSeed } from './seed/brand-seed.ts';
import { documentFor } from './seed/documents.ts';
import { lumen } from './seed/lumen.ts';
import { mego } from './seed/mego.ts';

export const demoBrands: readonly BrandSeed[] = [lumen, mego, baobab];

/** Fills an empty database with the demo brands, once. A shop that has a brand already is left as it is. */
export async function seed(db: Database): Promise<void> {
  const [known] = await db.select({ code: schema.brands.code }).from(schema.brands).limit(1);
  if (known) return;
  await db.transaction(async (tx) => {
    for (const { brand, ...rest } of demoBrands) await insertBrand(tx, { ...rest, brand: { ...brand, demo: true } });
  });
}

/** Writes everything of a brand. */
export async function insertBrand(db: Database, { brand, hosts, ...sold }: BrandSeed): Promise<void> {
  const own = { brand: brand.code };
  await db.insert(schema.brands).values(brand);
  await db.insert(schema.brandHosts).values(hosts.map((host) => ({ host, ...own })));
  await db.insert(schema.plans).values(sold.plans.map((plan, position) => ({ ...plan, position, ...own })));
  await db.insert(schema.paymentMethods).values(sold.methods.map((row, position) => ({ ...row, position, ...own })));
  await insertAll(
    db,
    schema.banners,
    sold.banners.map((row, position) => ({ ...row, position, ...own })),
  );
  await insertAll(
    db,
    schema.coupons,
    sold.coupons.map((row) => ({ ...row, ...own })),
  );
  await insertAll(
    db,
    schema.wordings,
    sold.wordings.map((row) => ({ ...row, ...own })),
  );
  const texts = dynamicConfigTypeSchema.options.flatMap((type) =>
    sold.languages.map((language) => ({ type, language, content: documentFor(type, language, brand), ...own })),
  );
  await db.insert(schema.documents).values(texts);
}

/** A brand may have none of these, and a statement without rows is none. */
async function insertAll<Table extends PgTable>(
  db: Database,
  table: Table,
  rows: Table['$inferInsert'][],
): Promise<void> {
  if (rows.length > 0) await db.insert(table).values(rows);
}
