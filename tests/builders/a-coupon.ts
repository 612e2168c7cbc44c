import { and, eq } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { coupons } from '#server/db/schema/orders.ts';

let made = 0;

/** Writes a coupon of Lumen that takes half off, once, unless told otherwise; answers its code. */
export async function aCoupon(db: Database, given: Partial<typeof coupons.$inferInsert> = {}): Promise<string> {
  made += 1;
  const usual = { brand: 'lumen', kind: 'percent' as const, value: 50, maxUses: 1, startsAt: 0, endsAt: 9e12 };
  const row = { ...usual, code: `TEST${made}`, ...given };
  await db.insert(coupons).values(row);
  return row.code;
}

/** How many uses of it are taken. */
export async function usesOf(db: Database, code: string): Promise<number | undefined> {
  const [row] = await db
    .select()
    .from(coupons)
    .where(and(eq(coupons.brand, 'lumen'), eq(coupons.code, code)));
  return row?.used;
}
