import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { attempts } from '#server/db/schema/attempts.ts';
import { strayNotices } from '#server/db/schema/ledger.ts';
import { numberOption, type ShopCommand, instantOf } from './command.ts';
import { brandCodeOption } from './open-shop.ts';

/** Lists payments that ended without a response, for an operator who can check them at the provider. */
export const orphansCommand: ShopCommand = {
  name: 'orders orphans',
  summary: 'lists the payments whose gateway is gone, of which nobody knows whether they were charged',
  options: { brand: { value: 'code', summary: 'of this brand only' } },
  inShop: async (given, { deps, row, explain }) => {
    const brand = brandCodeOption(deps, given['brand']);
    const rows = await deps.db
      .select()
      .from(attempts)
      .where(and(sql`${attempts.state} = 'ORPHANED'`, brand === undefined ? undefined : eq(attempts.brand, brand)))
      .orderBy(asc(attempts.createdAt));
    for (const { orderId, brand: of, amount, currency, gateway, id, providerRef, createdAt } of rows) {
      row({
        orderId,
        brand: of,
        amount: { amount, currency },
        gateway,
        key: id,
        providerRef,
        since: instantOf(createdAt),
      });
    }
    explain(
      rows.length === 0
        ? 'No payment has lost its gateway.'
        : 'Order, brand, amount, gateway, key at the provider, its own id, since. Look each up there and give back ' +
            'what was taken; or install the gateway again, and the shop asks by itself.',
    );
  },
};

/** Money that providers reported for no order of this shop, as after a restore ([Note: Restore]). */
export const unknownPaymentsCommand: ShopCommand = {
  name: 'orders unknown',
  summary: 'lists payments that a provider has told of and this shop does not know, as after a restore',
  options: { limit: { value: 'number', summary: 'lines at most (100)' } },
  inShop: async (given, { deps, row, explain }) => {
    const most = numberOption(given, 'limit', { usual: 100, most: 10_000 });
    const rows = await deps.db.select().from(strayNotices).orderBy(desc(strayNotices.receivedAt)).limit(most);
    for (const { receivedAt, gateway, kind, key, providerRef, amount, currency } of rows) {
      row({ at: instantOf(receivedAt), gateway, kind, amount, currency, key, providerRef });
    }
    explain(
      rows.length === 0
        ? 'No provider has told of a payment that is not here.'
        : 'Time, gateway, kind, minor units, currency, key, its own id. Look each up there: its payer has paid and got nothing.',
    );
  },
};
