import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
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
import { invoices } from '#server/db/schema/invoices.ts';
import { coupons, orders } from '#server/db/schema/orders.ts';
import type { BrandRows } from './rows.ts';

/** All stored rows of a brand, including what is no longer sold; undefined for an unknown brand. */
export async function storedRows(db: Database, code: string): Promise<BrandRows | undefined> {
  // locked, so that concurrent changes run one after the other
  const [brand] = await db.select().from(brands).where(eq(brands.code, code)).for('update');
  if (!brand) return undefined;
  const hosts = await db.select().from(brandHosts).where(eq(brandHosts.brand, code)).orderBy(asc(brandHosts.host));
  return {
    brand,
    hosts: hosts.map(({ host }) => host),
    plans: bare(await db.select().from(plans).where(eq(plans.brand, code)).orderBy(asc(plans.position), asc(plans.id))),
    methods: bare(
      await db
        .select()
        .from(paymentMethods)
        .where(eq(paymentMethods.brand, code))
        .orderBy(asc(paymentMethods.position), asc(paymentMethods.code)),
    ),
    banners: bare(
      await db.select().from(banners).where(eq(banners.brand, code)).orderBy(asc(banners.position), asc(banners.id)),
    ),
    coupons: bare(await db.select().from(coupons).where(eq(coupons.brand, code)).orderBy(asc(coupons.code))),
    wordings: bare(await db.select().from(wordings).where(eq(wordings.brand, code)).orderBy(asc(wordings.language))),
    documents: bare(
      await db
        .select()
        .from(documents)
        .where(eq(documents.brand, code))
        .orderBy(asc(documents.type), asc(documents.language)),
    ),
    // without their bytes, which are read only where needed
    pictures: await db
      .select({ path: brandPictures.path, type: brandPictures.type, hash: brandPictures.hash })
      .from(brandPictures)
      .where(eq(brandPictures.brand, code))
      .orderBy(asc(brandPictures.path)),
  };
}

function bare<Row extends { brand: string }>(rows: readonly Row[]): Omit<Row, 'brand'>[] {
  return rows.map(({ brand: _, ...row }) => row);
}

/** Conflicts with rows of other brands, as sentences for the operator. */
export async function findConflicts(db: Database, wanted: BrandRows, now: BrandRows | undefined): Promise<string[]> {
  const { code } = wanted.brand;
  const taken = await db
    .select()
    .from(brandHosts)
    .where(and(inArray(brandHosts.host, [...wanted.hosts]), ne(brandHosts.brand, code)));
  const sold: string[] = [];
  for (const plan of wanted.plans) {
    const before = now?.plans.find(({ id }) => id === plan.id);
    const differs = before && (before.days !== plan.days || before.devices !== plan.devices);
    if (differs && (await wasSold(db, code, plan.id))) {
      sold.push(
        `Plan ${plan.id} has been sold with ${before.days} days and ${before.devices} devices, and renews so: give the other one an id of its own.`,
      );
    }
  }
  return [
    ...taken.map(({ host, brand }) => `The host ${host} belongs to the brand ${brand}.`),
    ...(await findPrefixConflicts(db, wanted.brand)),
    ...sold,
  ];
}

/** Two brands may have one seller, and no seller may use a number twice. */
async function findPrefixConflicts(db: Database, { code, invoices: own }: BrandRows['brand']): Promise<string[]> {
  if (!own) return [];
  const { number } = invoices;
  const [now] = await db
    .select({ code: brands.code })
    .from(brands)
    .where(and(ne(brands.code, code), sql`${brands.invoices}->>'prefix' = ${own.prefix}`))
    .limit(1);
  const [before] = await db
    .select({ code: invoices.brand })
    .from(invoices)
    // the period is the character after the hyphen
    .where(and(ne(invoices.brand, code), sql`${number} ~>=~ ${`${own.prefix}-`} and ${number} ~<~ ${`${own.prefix}.`}`))
    .limit(1);
  const other = now ?? before;
  return other ? [`Invoices of the brand ${other.code} begin with ${own.prefix}: choose another invoices.prefix.`] : [];
}

async function wasSold(db: Database, brand: string, planId: string): Promise<boolean> {
  const [sold] = await db
    .select({ orderId: orders.orderId })
    .from(orders)
    .where(and(eq(orders.brand, brand), eq(orders.planId, planId)))
    .limit(1);
  return sold !== undefined;
}
