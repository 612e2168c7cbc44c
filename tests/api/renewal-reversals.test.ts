import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { orders } from '#server/db/schema/orders.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { sandboxCharges } from '#sandbox/schema.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { aRenewing, day, clearRenewals, advanceDays, type Renewing } from '#tests/builders/a-renewal.ts';
import { aCard, aShop, type Shop } from '#tests/builders/a-shop.ts';
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterEach(() => clearRenewals(shop));
afterAll(() => shop.close());

const keysOf = async ({ uid }: Renewing) =>
  (await shop.db.select().from(attempts).where(eq(attempts.uid, uid)).orderBy(attempts.createdAt)).map(({ id }) => id);
const notify = (key: string, event: string, stage: string) => sendNotice(shop, aNotice(key, { event, stage }));

describe('a returned payment of a renewal', () => {
  it.each([
    ['refund succeeded', 'was refunded'],
    ['chargeback opened', 'was disputed'],
  ])('turns the renewal off and reports it once (%s)', async (notice, why) => {
    const ana = await aRenewing(shop);
    await advanceDays(shop, 30);
    const [event = '', stage = ''] = notice.split(' ');
    const key = (await keysOf(ana)).at(-1) ?? '';
    await notify(key, event, stage);
    await notify(key, event, stage);
    expect((await ana.info()).status).toBe('off');
    expect(await ana.told()).toEqual(['notice', 'off']);
    expect(await ana.mail('off')).toContain(`A payment for your plan ${why}, so it will no longer renew.`);
    await advanceDays(shop, 40);
    expect(await ana.charges()).toHaveLength(1);
    expect(unbalanced(await shop.books())).toEqual([]);
  });

  it('turns the renewal off if it was the first purchase', async () => {
    const ana = await aRenewing(shop);
    const [key = ''] = await keysOf(ana);
    await notify(key, 'refund', 'succeeded');
    expect((await ana.row()).status).toBe('off');
    expect(await ana.mail('off')).toContain('was refunded');
  });

  it('turns the renewal off after a dispute of the first purchase', async () => {
    const ana = await aRenewing(shop, { card: aCard('4000000000000259') });
    await shop.deliver(70_000);
    expect((await ana.row()).status).toBe('off');
    expect(await ana.mail('off')).toContain('was disputed');
  });

  it('during a charge turns the renewal off, and it can be turned on and charged again', async () => {
    const ana = await aRenewing(shop, { card: aCard('4000000000002024') });
    const { paid: ends } = await ana.access();
    await advanceDays(shop, 29);
    const [purchase = '', charge = ''] = await keysOf(ana);
    await notify(purchase, 'chargeback', 'opened');
    expect((await ana.info()).status).toBe('off');
    await shop.db.update(sandboxCharges).set({ status: 'declined' }).where(eq(sandboxCharges.key, charge));
    shop.clock.advance(60_000);
    await reconcile(shop.deps);
    const body = { status: 'on' as const, price: { amount: 1990, currency: 'BRL' } };
    await shop.request(endpoints.updateRenewStatus, { body }, ana);
    await advanceDays(shop, 0.25);
    await shop.deliver(3 * 60_000);
    await shop.deliver(1000);
    expect(await ana.charges()).toMatchObject([
      { status: 'PAYMENT_FAILED' },
      { status: 'PAYMENT_SUCCEEDED', period: 2 },
    ]);
    expect(await ana.access()).toEqual({ paid: ends + 30 * day, grace: null });
  });

  it('for days that were bought manually moves the next charge to the new end date', async () => {
    const ana = await aRenewing(shop);
    const { paid: ends } = await ana.access();
    await advanceDays(shop, 1);
    await ana.pay({ planId: '102' });
    expect((await ana.info()).endsAt).toBe(ends + 180 * day);
    const [, key = ''] = await keysOf(ana);
    await sendNotice(shop, aNotice(key, { event: 'refund', stage: 'succeeded', amount: 9990 }));
    const [order] = await shop.db.select().from(orders).where(eq(orders.planId, '102'));
    expect(order?.status).toBe('REFUND_SUCCEEDED');
    expect(await ana.info()).toMatchObject({ status: 'on', endsAt: ends, terms: { nextChargeAt: ends - day } });
    await advanceDays(shop, 29);
    expect(await ana.charges()).toHaveLength(1);
    expect(await ana.told()).toEqual(['notice']);
  });
});
