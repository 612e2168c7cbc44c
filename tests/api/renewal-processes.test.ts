import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { renewDue } from '#server/jobs/renew-due.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { aCard, aShop, type Shop } from '#tests/builders/a-shop.ts';
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';
import { advanceDays, aRenewing, clearRenewals, day, takenRenewals } from '#tests/builders/a-renewal.ts';

let opened: Awaited<ReturnType<typeof openOnPostgres>>;
let shop: Shop;
beforeAll(async () => {
  opened = await openOnPostgres();
  shop = await aShop(opened.db);
}, 120_000);
afterAll(() => opened?.close());

/** Runs the job in a process that is killed when it charges a card, before or after the charge. */
async function renewAndKill({ charged }: { charged: boolean }): Promise<void> {
  const { sandbox } = shop.deps.gateways;
  if (!sandbox?.chargeSaved) throw new Error('no bank');
  const real = sandbox.chargeSaved;
  const { promise: dead, resolve: kill } = Promise.withResolvers<void>();
  const chargeSaved: typeof real = async (charge) => {
    if (charged) await real(charge);
    kill();
    return new Promise<never>(() => {});
  };
  const job = renewDue({ ...shop.deps, gateways: { ...shop.deps.gateways, sandbox: { ...sandbox, chargeSaved } } });
  await Promise.race([dead, job.then(() => expect.fail('no card was charged'))]);
}

describe('renewals on a real PostgreSQL', { timeout: 60_000 }, () => {
  it('are charged and reported once each by several processes', { tags: 'slow' }, async () => {
    const renewing = [];
    for (let index = 0; index < 30; index += 1)
      renewing.push(await aRenewing(shop, { card: aCard(index % 3 ? undefined : '4000000000003014') }));
    for (const hours of [22 * 24, 7 * 24, 24, 48]) {
      shop.clock.advance(hours * 3_600_000);
      await Promise.all([renewDue(shop.deps), renewDue(shop.deps), reconcile(shop.deps), renewDue(shop.deps)]);
    }
    for (const [index, ana] of renewing.entries()) {
      expect(await ana.charges()).toHaveLength(1);
      expect(await takenRenewals(shop, ana)).toBe(index % 3 ? 1 : 0);
      expect(await ana.told()).toEqual(index % 3 ? ['notice'] : ['notice', 'refused', 'refused', 'refused']);
    }
    expect(unbalanced(await shop.books())).toEqual([]);
    await clearRenewals(shop);
  });

  it('that a killed process had stored but not charged are charged once', async () => {
    const ana = await aRenewing(shop);
    const { paid: ends } = await ana.access();
    await advanceDays(shop, 28);
    shop.clock.advance(1.1 * day);
    await renewAndKill({ charged: false });
    expect(await ana.row()).toMatchObject({ status: 'renewing' });
    expect(await takenRenewals(shop, ana)).toBe(0);
    await renewDue(shop.deps);
    shop.clock.advance(60_000);
    await Promise.all([reconcile(shop.deps), reconcile(shop.deps), renewDue(shop.deps)]);
    expect(await takenRenewals(shop, ana)).toBe(1);
    expect(await ana.access()).toEqual({ paid: ends + 30 * day, grace: null });
    expect(await ana.told()).toEqual(['notice']);
    await clearRenewals(shop);
  });

  it('that a killed process had stored but not charged are not charged after a refund', async () => {
    const ana = await aRenewing(shop);
    const [bought] = await shop.db.select().from(attempts).where(eq(attempts.uid, ana.uid));
    await advanceDays(shop, 28);
    shop.clock.advance(1.1 * day);
    await renewAndKill({ charged: false });
    await sendNotice(shop, aNotice(bought?.id ?? '', { event: 'refund', stage: 'succeeded' }));
    expect((await ana.row()).status).toBe('off');
    shop.clock.advance(60_000);
    await reconcile(shop.deps);
    expect(await takenRenewals(shop, ana)).toBe(0);
    expect(await ana.charges()).toMatchObject([{ status: 'PAYMENT_FAILED' }]);
    expect(await ana.told()).toEqual(['notice', 'off']);
    await clearRenewals(shop);
  });

  it('that were charged by a killed process are found, and charged once', async () => {
    const ana = await aRenewing(shop);
    await advanceDays(shop, 28);
    shop.clock.advance(1.1 * day);
    await renewAndKill({ charged: true });
    expect(await takenRenewals(shop, ana)).toBe(1);
    expect((await ana.info()).status).toBe('renewing');
    shop.clock.advance(60_000);
    await reconcile(shop.deps);
    expect(await ana.charges()).toMatchObject([{ status: 'PAYMENT_SUCCEEDED' }]);
    expect(await takenRenewals(shop, ana)).toBe(1);
    await clearRenewals(shop);
  });

  it('that a process without renewals has ended are found within the hour', async () => {
    const ana = await aRenewing(shop, { card: aCard('4000000000002024') });
    await advanceDays(shop, 29);
    await shop.db
      .update(attempts)
      .set({ state: 'FAILED' })
      .where(sql`${attempts.uid} = ${ana.uid} and ${attempts.state} = 'PENDING'`);
    await advanceDays(shop, 0.25);
    expect((await ana.info()).status).toBe('pastDue');
    expect(await ana.told()).toEqual(['notice', 'refused']);
    const eva = await aRenewing(shop);
    await advanceDays(shop, 29);
    const { paid } = await eva.access();
    const before = { status: 'renewing', period: 1, orderId: (await eva.charges())[0]?.orderId ?? '' } as const;
    await shop.db
      .update(subscriptions)
      .set({ ...before, paidUntil: paid - 30 * day, dueAt: shop.clock.now })
      .where(eq(subscriptions.uid, eva.uid));
    await renewDue(shop.deps);
    expect(await eva.row()).toMatchObject({ status: 'on', period: 2, orderId: null, paidUntil: paid });
    await clearRenewals(shop);
  });

  it('that are turned off during a charge are either charged once or never', async () => {
    for (let round = 0; round < 6; round += 1) {
      const ana = await aRenewing(shop);
      await advanceDays(shop, 28, 24);
      shop.clock.advance(1.1 * day);
      const [off] = await Promise.all([
        shop.request(endpoints.updateRenewStatus, { body: { status: 'off' } }, ana),
        renewDue(shop.deps),
      ]);
      const { status } = await ana.row();
      const charges = await takenRenewals(shop, ana);
      // status 'on' if the charge was faster; otherwise 'off', and nothing is charged afterwards
      expect(off.errCode === 6207 ? { status, charges } : status).toEqual(
        off.errCode === 6207 ? { status: 'on', charges: 1 } : 'off',
      );
      expect(off.errCode ?? 6207).toBe(6207);
      shop.clock.advance(day);
      await renewDue(shop.deps);
      expect(await takenRenewals(shop, ana)).toBe(charges);
      await clearRenewals(shop);
    }
  });

  it('continue once their gateway is available again, with a notice before the charge', async () => {
    const ana = await aRenewing(shop);
    const without = { ...shop.deps, gateways: {} };
    await advanceDays(shop, 20);
    for (let passed = 0; passed < 4; passed += 1) {
      shop.clock.advance(day);
      await renewDue(without);
    }
    expect(await ana.row()).toMatchObject({ status: 'on' });
    expect(await ana.told()).toEqual([]);
    await advanceDays(shop, 12);
    expect(await ana.told()).toEqual(['notice']);
    expect(await takenRenewals(shop, ana)).toBe(1);
    await clearRenewals(shop);
  });

  it('end without a charge if their gateway stays unavailable', async () => {
    const ana = await aRenewing(shop);
    for (let passed = 0; passed < 45; passed += 1) {
      shop.clock.advance(day);
      await renewDue({ ...shop.deps, gateways: {} });
    }
    expect((await ana.row()).dueAt).toBeNull();
    expect(await takenRenewals(shop, ana)).toBe(0);
    await clearRenewals(shop);
  });

  it('are charged once per period if the clock jumps forward and back', async () => {
    const ana = await aRenewing(shop);
    const start = shop.clock.now;
    await advanceDays(shop, 30);
    for (const at of [400, 31, 60, 20, 61]) {
      shop.clock.now = start + at * day;
      await renewDue(shop.deps);
      await renewDue(shop.deps);
    }
    const periods = (await ana.charges()).map(({ period }) => period);
    expect(new Set(periods).size).toBe(periods.length);
    const { paid } = await ana.access();
    expect(paid).toBeGreaterThanOrEqual(start + 60 * day);
    const mails = await shop.db.select().from(outbox).where(eq(outbox.recipient, ana.account));
    expect(mails.length).toBeGreaterThan(0);
    await shop.db.update(subscriptions).set({ dueAt: null });
  });
});
