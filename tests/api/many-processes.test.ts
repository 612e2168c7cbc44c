import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { brands } from '#server/db/schema/brands.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { statementRows } from '#server/db/connect.ts';
import { countPendingMigrations } from '#server/db/migrate.ts';
import { invoiceSettings, issuedBy, setInvoices } from '#tests/builders/invoices.ts';
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';
import { mailsReceivedBy } from '#tests/fixtures/mail-server.ts';
import type { SignedIn } from '#tests/builders/a-customer.ts';
import {
  buyByCard,
  buyByPix,
  customersOf,
  openShopOfMany,
  untilSettled,
  type ShopOfMany,
} from '#tests/tools/verify/shop-of-many.ts';
import { findProviderCharges } from '#tests/tools/verify/provider-charges.ts';

const dayMs = 86_400_000;
let shop: ShopOfMany;
let byCard: SignedIn[];
let byPix: SignedIn[];
beforeAll(async () => {
  shop = await openShopOfMany(4);
  await setInvoices(shop.db, invoiceSettings);
}, 180_000);
afterAll(() => shop?.close());

const books = async () => ({
  orders: await shop.db.select().from(orders),
  attempts: await shop.db.select().from(attempts),
  ledger: await shop.db.select().from(ledger),
});
/** The numbers of paid orders, charges at providers and booked captures of a customer. */
const paidBy = async ({ uid }: SignedIn) => {
  const { orders: all, attempts: tries, ledger: entries } = await books();
  const own = tries.filter((one) => one.uid === uid).map(({ id }) => id);
  return {
    orders: all.filter((one) => one.uid === uid && one.status === 'PAYMENT_SUCCEEDED').length,
    charged: (await findProviderCharges(shop.db, own)).length,
    captures: entries.filter(({ attemptId, kind }) => kind === 'capture' && own.includes(attemptId)).length,
  };
};
const mailed = ({ account }: SignedIn) => mailsReceivedBy(shop.post, account).map(({ subject }) => subject);

describe('many processes on one PostgreSQL', { tags: 'slow' }, () => {
  it('migrate and seed an empty database once when they start simultaneously', async () => {
    const [journal] = await statementRows(
      shop.db,
      sql`select count(*)::int as ran, count(distinct hash)::int as kinds from drizzle.__drizzle_migrations`,
    );
    expect(journal?.['ran']).toBe(journal?.['kinds']);
    expect(await countPendingMigrations(shop.db)).toEqual({ waiting: 0, newer: 0 });
    expect((await shop.db.select().from(brands)).map(({ code }) => code).sort()).toEqual(['baobab', 'lumen', 'mego']);
    for (const one of shop.processes) expect((await fetch(`http://localhost:${one.port}/readyz`)).status).toBe(200);
  });

  it('charge each purchase once, however often it is sent and notified, and send one email about it', async () => {
    [byCard, byPix] = [await customersOf(shop, 8), await customersOf(shop, 4)];
    await Promise.all([...byCard.map((one) => buyByCard(shop, one)), ...byPix.map((one) => buyByPix(shop, one))]);
    const all = [...byCard, ...byPix];
    await untilSettled(() => all.every((one) => mailed(one).length > 0), 'a receipt for every customer');
    for (const one of all) {
      expect(await paidBy(one)).toEqual({ orders: 1, charged: 1, captures: 1 });
      expect(mailed(one)).toHaveLength(1);
    }
    expect(unbalanced(await books())).toEqual([]);
    // Each of the four processes handled requests.
    expect([...shop.front.sent.values()].filter((count) => count > 2)).toHaveLength(4);
  });

  it('renew each subscription once and report it once, even after two of them have stopped', async () => {
    await shop.passTime(23 * dayMs);
    await untilSettled(() => byCard.every((one) => mailed(one).length > 1), 'a notice for every customer');
    await shop.keep(2);
    await shop.passTime(7 * dayMs);
    const isRenewed = async () => (await Promise.all(byCard.map(paidBy))).every(({ captures }) => captures > 1);
    const isNotified = () => byCard.every((one) => mailed(one).length > 2);
    await untilSettled(async () => isNotified() && isRenewed(), 'a renewal for every customer');
    for (const one of byCard) {
      expect(await paidBy(one)).toEqual({ orders: 2, charged: 2, captures: 2 });
      const paid = /^We’ve received your payment \((\w+)\)$/;
      expect(mailed(one).map((subject) => subject.replace(paid, 'paid'))).toEqual([
        'paid',
        expect.stringMatching(/^Your plan renews on /),
        'paid',
      ]);
      expect(new Set(mailed(one)).size).toBe(3);
    }
    expect(unbalanced(await books())).toEqual([]);
  });

  it('number one invoice for each payment, without a gap', async () => {
    const { ledger: entries } = await books();
    await untilSettled(async () => (await issuedBy(shop.db)).length === entries.length, 'an invoice for every payment');
    const issued = await issuedBy(shop.db);
    expect(issued.map(({ sequence }) => sequence)).toEqual(issued.map((_, index) => index + 1));
    expect(new Set(issued.map(({ ledgerId }) => ledgerId)).size).toBe(entries.length);
  });
});
