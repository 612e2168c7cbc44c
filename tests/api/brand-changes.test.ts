import { describe, expect, it } from 'vitest';
import { errors } from '#contract/error-codes.ts';
import * as endpoints from '#contract/index.ts';
import { readBrandFolder } from '#server/brand/folder/read-folder.ts';
import { rowsOf } from '#server/brand/folder/rows.ts';
import { findConflicts, storedRows } from '#server/brand/folder/stored-rows.ts';
import { filesOfRows } from '#server/brand/folder/write-folder.ts';
import { writeRows } from '#server/brand/folder/write-rows.ts';
import { demoBrand } from '#sandbox/demo-brands.ts';
import { demoBrandsFolder } from '#sandbox/demo-brands-folder.ts';
import { aRenewing, advanceDays } from '#tests/builders/a-renewal.ts';
import { aShop } from '#tests/builders/a-shop.ts';

describe('a brand that changes during purchases', () => {
  /** Lumen with another price for the monthly plan, or without that plan. */
  const month = (amount: number | undefined) => {
    const lumen = demoBrand('lumen');
    const plans = lumen.plans.flatMap((plan) => {
      if (plan.id !== '101') return [plan];
      return amount === undefined ? [] : [{ ...plan, prices: { ...plan.prices, BRL: amount } }];
    });
    return { ...lumen, plans };
  };

  it('charges no price other than the one shown, and renews at no price without consent', async () => {
    const shop = await aShop();
    const apply = async (amount: number | undefined) => {
      await writeRows(shop.db, month(amount), await storedRows(shop.db, 'lumen'));
      await shop.deps.catalog.refresh();
    };
    try {
      const ana = await aRenewing(shop);
      const body = await ana.body();
      const pay = () => shop.request(endpoints.pay, { body }, { ...ana, idempotencyKey: crypto.randomUUID() });
      await apply(2490);
      const refused = await pay();
      expect([refused.errCode, refused.params.newTotal]).toEqual([1015, { amount: 2490, currency: 'BRL' }]);
      expect((await shop.books()).charges).toHaveLength(1);
      await advanceDays(shop, 23, 24);
      expect(await ana.told()).toEqual(['asks']);
      await advanceDays(shop, 8, 24);
      expect(await ana.charges()).toEqual([]);
      // A retired plan stays in the database for the customers who have it.
      await apply(undefined);
      expect((await pay()).errCode).toBe(2008);
      const { data } = await shop.request(endpoints.orders, { body: { page: 1, size: 5 } }, ana);
      expect(data.items[0]).toMatchObject({ planName: 'Monthly', status: 'PAYMENT_SUCCEEDED' });
      expect((await storedRows(shop.db, 'lumen'))?.plans.find(({ id }) => id === '101')).toMatchObject({
        active: false,
      });
    } finally {
      await shop.close();
    }
  });

  it('gives a free plan without a charge, as often as a customer likes, and never renews it', async () => {
    const shop = await aShop();
    try {
      const file = readBrandFolder(`${demoBrandsFolder}/lumen`).file ?? expect.fail();
      const [plan = expect.fail()] = file.plans;
      const free = { ...plan, free: true, prices: { BRL: 0, USD: 0 }, listPrices: {} };
      const { plans } = rowsOf({ ...file, plans: [free] }, { wordings: [], documents: [] });
      const lumen = demoBrand('lumen');
      expect(filesOfRows({ ...lumen, plans }, new Map()).get('brand.yaml')).toContain('free: true');
      await writeRows(shop.db, { ...lumen, plans }, await storedRows(shop.db, 'lumen'));
      await shop.deps.catalog.refresh();
      const ana = await shop.buyer();
      for (const _ of [1, 2]) expect((await ana.pay()).data).toMatchObject({ status: 'PAYMENT_SUCCEEDED' });
      expect((await ana.pay({ renew: true })).errCode).toBe(errors.operationUnsupported.code);
      const { orders, ledger, charges } = await shop.books();
      expect([orders.map(({ total }) => total), ledger.map(({ amount }) => amount), charges]).toEqual([
        [0, 0],
        [0, 0],
        [],
      ]);
    } finally {
      await shop.close();
    }
  });

  it('cannot change the days of a plan that was sold, nor use the host of another brand', async () => {
    const shop = await aShop();
    try {
      const lumen = month(1990);
      const longer = { ...lumen, plans: lumen.plans.map((plan) => (plan.id === '101' ? { ...plan, days: 31 } : plan)) };
      const now = await storedRows(shop.db, 'lumen');
      expect(await findConflicts(shop.db, longer, now)).toEqual([]);
      await (await shop.buyer()).pay();
      expect(await findConflicts(shop.db, longer, now)).toEqual([
        expect.stringContaining('Plan 101 has been sold with 30 days'),
      ]);
      expect(await findConflicts(shop.db, { ...lumen, hosts: ['mego.localhost'] }, now)).toEqual([
        'The host mego.localhost belongs to the brand mego.',
      ]);
    } finally {
      await shop.close();
    }
  });
});
