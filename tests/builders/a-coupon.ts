import { and, eq } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { coupons } from '#server/db/schema/orders.ts';

let created = 0;

/** Writes a coupon of Lumen and returns its code; by default it takes 50 % off and can be used once. */
export async function aCoupon(db: Database, given: Partial<typeof coupons.$inferInsert> = {}): Promise<string> {
  created += 1;
  const usual = { brand: 'lumen', kind: 'percent' as const, value: 50, maxUses: 1, startsAt: 0, endsAt: 9e12 };
  const row = { ...usual, code: `TEST${created}`, ...given };
  await db.insert(coupons).values(row);
  return row.code;
}

/** The number of counted uses of a coupon. */
export async function usesOf(db: Database, code: string): Promise<number | undefined> {
  const [row] = await db
    .select()
    .from(coupons)
    .where(and(eq(coupons.brand, 'lumen'), eq(coupons.code, code)));
  return row?.used;
}
