import { and, eq, inArray } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '#server/db/connect.ts';
import {
  banners,
  brandHosts,
  brandPictures,
  brands,
  documents,
  paymentMethods,
  plans,
  wordings,
} from '#server/db/schema/brands.ts';
import { coupons } from '#server/db/schema/orders.ts';
import { differencesOf, targetOf, type Differences, type PartDifference } from './differences.ts';
import type { Picture } from './icons.ts';
import type { BrandRows } from './rows.ts';

/** Writes the differences within the caller's transaction. `now` is what `storedRows` returned there. */
export async function writeRows(tx: Database, wanted: BrandRows, now: BrandRows | undefined): Promise<Differences> {
  const differences = differencesOf(now, targetOf(now, wanted));
  const { brand, hosts, parts } = differences;
  const { code } = wanted.brand;
  await add(tx, brands, brand.added);
  for (const { after } of brand.changed) await tx.update(brands).set(after).where(eq(brands.code, code));
  const hostsGone = and(eq(brandHosts.brand, code), inArray(brandHosts.host, [...hosts.removed]));
  if (hosts.removed.length > 0) await tx.delete(brandHosts).where(hostsGone);
  await add(
    tx,
    brandHosts,
    hosts.added.map((host) => ({ host, brand: code })),
  );
  await writeParts(tx, code, parts);
  await writePictures(tx, code, differences.pictures);
  return differences;
}

async function writeParts(tx: Database, code: string, parts: Differences['parts']): Promise<void> {
  const own = <Row extends object>(row: Row) => ({ ...row, brand: code });
  const of = (column: PgColumn, name: PgColumn) => (value: string) =>
    [
      [column, code],
      [name, value],
    ] as const;
  await write(tx, plans, mapped(parts.plans, own), ({ id }) => of(plans.brand, plans.id)(id));
  await write(tx, paymentMethods, mapped(parts.methods, own), (row) =>
    of(paymentMethods.brand, paymentMethods.code)(row.code),
  );
  await write(tx, banners, mapped(parts.banners, own), ({ id }) => of(banners.brand, banners.id)(id));
  await write(tx, coupons, mapped(parts.coupons, own), (row) => of(coupons.brand, coupons.code)(row.code));
  await write(tx, wordings, mapped(parts.wordings, own), (row) => of(wordings.brand, wordings.language)(row.language));
  await write(tx, documents, mapped(parts.documents, own), ({ type, language }) => [
    ...of(documents.brand, documents.type)(type),
    [documents.language, language],
  ]);
}

async function writePictures(
  tx: Database,
  code: string,
  { added, changed, removed }: PartDifference<Picture>,
): Promise<void> {
  const after = changed.map((one) => one.after);
  const gone = [...removed, ...after].map(({ path }) => path);
  const ofThese = and(eq(brandPictures.brand, code), inArray(brandPictures.path, gone));
  if (gone.length > 0) await tx.delete(brandPictures).where(ofThese);
  const fresh = [...added, ...after].flatMap(({ bytes, ...row }) => (bytes ? [{ ...row, bytes, brand: code }] : []));
  await add(tx, brandPictures, fresh);
}

function mapped<Row, Own>(
  { added, changed, removed }: PartDifference<Row>,
  own: (row: Row) => Own,
): PartDifference<Own> {
  const both = ({ before, after }: { before: Row; after: Row }) => ({ before: own(before), after: own(after) });
  return { added: added.map(own), changed: changed.map(both), removed: removed.map(own) };
}

type Key<Row> = (row: Row) => readonly (readonly [PgColumn, string])[];

async function write<Table extends PgTable>(
  tx: Database,
  table: Table,
  { added, changed, removed }: PartDifference<Table['$inferSelect']>,
  keyOf: Key<Table['$inferSelect']>,
): Promise<void> {
  const where = (row: Table['$inferSelect']) => and(...keyOf(row).map(([column, value]) => eq(column, value)));
  for (const row of removed) await tx.delete(table).where(where(row));
  for (const { after } of changed) await tx.update(table).set(after).where(where(after));
  await add(tx, table, added);
}

/** An insert without rows is invalid SQL. */
async function add<Table extends PgTable>(
  tx: Database,
  table: Table,
  rows: readonly Table['$inferInsert'][],
): Promise<void> {
  if (rows.length > 0) await tx.insert(table).values([...rows]);
}
