import { eq } from 'drizzle-orm';
import { plans } from '#server/db/schema/brands.ts';
import { currency } from './subscribers.ts';
import type { World } from './world.ts';

/** The price of the year rises and falls again, that of the half-year rises, and the month is cheaper for a while. */
export async function changePrices(
  { db, processes }: Pick<World, 'db' | 'processes'>,
  days: number,
  day: number,
): Promise<void> {
  const at = (part: number) => day === Math.floor(days * part);
  const changes = [
    [0.4, '103', 19_990],
    [0.55, '102', 10_990],
    [0.6, '101', 1490],
    [0.63, '101', 1990],
    [0.7, '103', 17_990],
    [0.8, '103', 19_990],
  ] as const;
  const [, id, amount] = changes.find(([part]) => at(part)) ?? [];
  if (id === undefined) return;
  const [plan] = await db.select().from(plans).where(eq(plans.id, id));
  await db
    .update(plans)
    .set({ prices: { ...plan?.prices, [currency]: amount } })
    .where(eq(plans.id, id));
  for (const { app, run } of processes) {
    await app.deps.catalog.refresh();
    await run('refresh');
  }
}
