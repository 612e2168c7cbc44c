import { and, asc, eq } from 'drizzle-orm';
import { attempts } from '../db/schema.ts';
import type { Command } from './command.ts';
import { brandOf, inShop } from './open-shop.ts';
import { amountOf } from './transfers.ts';

/** Lists payments that were given up without an answer, for whoever can look into the books of their provider. */
export const orphansCommand: Command = {
  name: 'orphans',
  says: 'lists the payments whose gateway is gone, of which nobody knows whether they were charged',
  options: { brand: { value: 'code', says: 'of this brand only' } },
  run: async (given, { settings, print, explain }) => {
    await inShop(settings, async (deps) => {
      const brand = given['brand'] === undefined ? undefined : brandOf(deps, given['brand']).code;
      const ofBrand = brand === undefined ? undefined : eq(attempts.brand, brand);
      const rows = await deps.db
        .select()
        .from(attempts)
        .where(and(eq(attempts.state, 'ORPHANED'), ofBrand))
        .orderBy(asc(attempts.createdAt));
      for (const row of rows) print(lineOf(row));
      explain(
        rows.length === 0
          ? 'No payment has lost its gateway.'
          : 'Order, brand, amount, gateway, key at the provider, its own id, since. Look each up there and give back ' +
              'what was taken; or install the gateway again, and the shop asks by itself.',
      );
    });
  },
};

function lineOf(row: typeof attempts.$inferSelect): string {
  const { orderId, brand, gateway, id, providerRef, createdAt } = row;
  return [orderId, brand, amountOf(row), gateway, id, providerRef ?? '-', new Date(createdAt).toISOString()].join('\t');
}
