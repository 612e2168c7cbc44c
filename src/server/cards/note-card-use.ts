import { and, eq } from 'drizzle-orm';
import type { AttemptRow } from '../billing/purchase-rows.ts';
import { savedCards } from '../db/schema.ts';
import type { Deps } from '../deps.ts';

/** The card used last is the first that is offered. */
export async function noteCardUse(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { brand, uid, gateway }: Pick<AttemptRow, 'brand' | 'uid' | 'gateway'>,
  token: string,
): Promise<void> {
  const theirs = and(eq(savedCards.brand, brand), eq(savedCards.uid, uid), eq(savedCards.gateway, gateway));
  await db
    .update(savedCards)
    .set({ usedAt: clock() })
    .where(and(theirs, eq(savedCards.token, token)));
}
