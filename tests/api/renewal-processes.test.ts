import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { deletedUserType } from '#server/auth/users.ts';
import { saveCard } from '#server/billing/cards/save-card.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { cardsToForget, savedCards } from '#server/db/schema/cards.ts';
import { orders } from '#server/db/schema/orders.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { users } from '#server/db/schema/users.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import type { Deps } from '#server/deps.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { renewDue } from '#server/jobs/renew-due.ts';
import type { PaymentGateway } from '#server/payments/gateway.ts';
import { aRenewing, day, clearRenewals, advanceDays, type Renewing } from '#tests/builders/a-renewal.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { aCard, aShop, type Shop } from '#tests/builders/a-shop.ts';
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';

let opened: Awaited<ReturnType<typeof openOnPostgres>>;
let shop: Shop;
beforeAll(async () => {
  opened = await openOnPostgres();
  shop = await aShop(opened.db);
}, 120_000);
afterAll(() => opened?.close());

/** The number of renewal charges of this customer that the bank has taken. */
const chargesOf = async ({ uid }: Renewing) => {
  const { charges, attempts: tries } = await shop.books();
  const keys = new Set(
    tries.filter((one) => one.uid === uid && one.idempotencyKey.startsWith('renewal')).map(({ id }) => id),
  );
  return charges.filter(({ key, status }) => keys.has(key) && status === 'paid').length;
};

/** The dependencies of another process, with a different way to charge a card. */
function aProcessWith(
  chargeSaved: (real: NonNullable<PaymentGateway['chargeSaved']>) => PaymentGateway['chargeSaved'],
): Deps {
  const { sandbox } = shop.deps.gateways;
  if (!sandbox?.chargeSaved) throw new Error('no bank');
  const exchanged = chargeSaved(sandbox.chargeSaved);
  return {
    ...shop.deps,
    gateways: { ...shop.deps.gateways, sandbox: { ...sandbox, ...(exchanged && { chargeSaved: exchanged }) } },
  };
}

/** Never settles, as in a process that was killed. */
const never = () => new Promise<never>(() => {});
const waitBriefly = (work: Promise<unknown>) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, 400))]);

/** The log, with the errors that were written to it. */
function aRecordingLog() {
  const faults: unknown[] = [];
  const recorder = { error: (told: unknown) => faults.push(told) };
  const log = Object.assign(Object.create(shop.deps.log) as Deps['log'], recorder); // as: the log of pino except for one method
  return { log, faults };
}

/** A renewal whose charge was declined once and is due for its next attempt. */
async function aRetryThatIsDue() {
  const ana = await aRenewing(shop, { card: aCard('4000000000003014') });
  await advanceDays(shop, 28);
  await advanceDays(shop, 2);
  const { orderId } = await ana.row();
  if (orderId === null) throw new Error('nothing was ordered');
  const [refused] = await shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
  if (!refused) throw new Error('nothing was charged');
  await shop.db
    .update(subscriptions)
    .set({ dueAt: shop.clock.now, nextChargeAt: shop.clock.now })
    .where(eq(subscriptions.uid, ana.uid));
  return { ana, orderId, refused };
}

describe('renewals on a real PostgreSQL', { timeout: 60_000 }, () => {
  it('are charged and reported once each by several processes', async () => {
    const renewing = [];
    for (let index = 0; index < 30; index += 1)
      renewing.push(await aRenewing(shop, { card: aCard(index % 3 ? undefined : '4000000000003014') }));
    for (const hours of [22 * 24, 7 * 24, 24, 48]) {
      shop.clock.advance(hours * 3_600_000);
      await Promise.all([renewDue(shop.deps), renewDue(shop.deps), reconcile(shop.deps), renewDue(shop.deps)]);
    }
    for (const [index, ana] of renewing.entries()) {
      expect(await ana.charges()).toHaveLength(1);
      expect(await chargesOf(ana)).toBe(index % 3 ? 1 : 0);
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
    await waitBriefly(renewDue(aProcessWith(() => never)));
    expect(await ana.row()).toMatchObject({ status: 'renewing' });
    expect(await chargesOf(ana)).toBe(0);
    await renewDue(shop.deps);
    shop.clock.advance(60_000);
    await Promise.all([reconcile(shop.deps), reconcile(shop.deps), renewDue(shop.deps)]);
    expect(await chargesOf(ana)).toBe(1);
    expect(await ana.access()).toEqual({ paid: ends + 30 * day, grace: null });
    expect(await ana.told()).toEqual(['notice']);
    await clearRenewals(shop);
  });

  it('that a killed process had stored but not charged are not charged after a refund', async () => {
    const ana = await aRenewing(shop);
    const [bought] = await shop.db.select().from(attempts).where(eq(attempts.uid, ana.uid));
    await advanceDays(shop, 28);
    shop.clock.advance(1.1 * day);
    await waitBriefly(renewDue(aProcessWith(() => never)));
    await sendNotice(shop, aNotice(bought?.id ?? '', { event: 'refund', stage: 'succeeded' }));
    expect((await ana.row()).status).toBe('off');
    shop.clock.advance(60_000);
    await reconcile(shop.deps);
    expect(await chargesOf(ana)).toBe(0);
    expect(await ana.charges()).toMatchObject([{ status: 'PAYMENT_FAILED' }]);
    expect(await ana.told()).toEqual(['notice', 'off']);
    await clearRenewals(shop);
  });

  it('wait for a late payment of the previous attempt while they are retried, without a deadlock', async () => {
    const { ana, orderId, refused } = await aRetryThatIsDue();
    const { log, faults } = aRecordingLog();
    // rows are locked in the order in which a payment is booked
    const trying = await shop.db.transaction(async (tx) => {
      await tx.select().from(attempts).where(eq(attempts.id, refused.id)).for('update');
      await tx.select().from(orders).where(eq(orders.orderId, orderId)).for('update');
      const job = renewDue({ ...shop.deps, log });
      await waitBriefly(job);
      await tx.select().from(users).where(eq(users.uid, ana.uid)).for('update');
      return { job };
    });
    await trying.job;
    expect(faults).toEqual([]);
    expect(await ana.charges()).toHaveLength(1);
    await clearRenewals(shop);
  });

  it('are not retried while the customer pays manually, without a deadlock', async () => {
    const { ana, orderId, refused } = await aRetryThatIsDue();
    const { log, faults } = aRecordingLog();
    const job = await shop.db.transaction(async (tx) => {
      const byHand = { id: 'by hand', idempotencyKey: 'by hand', state: 'INTENT' } as const;
      await tx.insert(attempts).values({ ...refused, ...byHand });
      const done = renewDue({ ...shop.deps, log });
      await waitBriefly(done);
      // the booking of a payment locks its attempt, and the customer next
      await tx.select().from(users).where(eq(users.uid, ana.uid)).for('update');
      await tx.update(attempts).set({ state: 'FAILED' }).where(eq(attempts.id, byHand.id));
      return { done };
    });
    await job.done;
    expect(faults).toEqual([]);
    expect(await ana.row()).toMatchObject({ status: 'pastDue', orderId });
    expect(await chargesOf(ana)).toBe(0);
    await clearRenewals(shop);
  });

  it('for a new period wait for no other transaction', async () => {
    const ana = await aRenewing(shop);
    await advanceDays(shop, 29);
    await advanceDays(shop, 29);
    shop.clock.advance(1.1 * day);
    const { log, faults } = aRecordingLog();
    await shop.db.transaction(async (tx) => {
      const own = [attempts, orders, savedCards].map((table) => tx.select().from(table).where(eq(table.uid, ana.uid)));
      for (const rows of own) await rows.for('update');
      await renewDue({ ...shop.deps, log });
    });
    expect(faults).toEqual([]);
    expect(await ana.charges()).toMatchObject([{ status: 'PAYMENT_SUCCEEDED' }, { status: 'PAYMENT_SUCCEEDED' }]);
    await clearRenewals(shop);
  });

  it('are turned on with the days that are being booked at the same time', async () => {
    const ana = await aRenewing(shop);
    await shop.request(endpoints.updateRenewStatus, { body: { status: 'off' } }, ana);
    const { paid } = await ana.access();
    const price = { amount: 1990, currency: 'BRL' };
    const turnedOn = await shop.db.transaction(async (tx) => {
      const mine = eq(users.uid, ana.uid);
      await tx
        .update(users)
        .set({ expiredTime: paid + 30 * day })
        .where(mine);
      const turnOn = shop.request(endpoints.updateRenewStatus, { body: { status: 'on', price } }, ana);
      await waitBriefly(turnOn);
      return { turnOn };
    });
    expect((await turnedOn.turnOn).data.status).toBe('on');
    expect(await ana.row()).toMatchObject({ paidUntil: paid + 30 * day });
    await clearRenewals(shop);
  });

  it('save no card while the account is being deleted', async () => {
    const ana = await aRenewing(shop);
    const card = { token: 'late', brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2033, codeDigits: 3 };
    const owner = { brand: 'lumen', uid: ana.uid, gateway: 'sandbox', methodCode: 'card' };
    const pendingCard = await shop.db.transaction(async (tx) => {
      await tx.update(users).set({ userType: deletedUserType }).where(eq(users.uid, ana.uid));
      const saved = saveCard(shop.deps, owner, card);
      await waitBriefly(saved);
      return { saved };
    });
    expect(await pendingCard.saved).toBeNull();
    expect(await shop.db.select().from(cardsToForget).where(eq(cardsToForget.token, 'late'))).toHaveLength(1);
    await clearRenewals(shop);
  });

  it('that were charged by a killed process are found, and charged once', async () => {
    const ana = await aRenewing(shop);
    await advanceDays(shop, 28);
    shop.clock.advance(1.1 * day);
    await waitBriefly(
      renewDue(
        aProcessWith((real) => async (charge) => {
          await real(charge);
          return never();
        }),
      ),
    );
    expect(await chargesOf(ana)).toBe(1);
    expect((await ana.info()).status).toBe('renewing');
    shop.clock.advance(60_000);
    await reconcile(shop.deps);
    expect(await ana.charges()).toMatchObject([{ status: 'PAYMENT_SUCCEEDED' }]);
    expect(await chargesOf(ana)).toBe(1);
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
      const charges = await chargesOf(ana);
      // status 'on' if the charge was faster; otherwise 'off', and nothing is charged afterwards
      expect(off.errCode === 6207 ? { status, charges } : status).toEqual(
        off.errCode === 6207 ? { status: 'on', charges: 1 } : 'off',
      );
      expect(off.errCode ?? 6207).toBe(6207);
      shop.clock.advance(day);
      await renewDue(shop.deps);
      expect(await chargesOf(ana)).toBe(charges);
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
    expect(await chargesOf(ana)).toBe(1);
    await clearRenewals(shop);
  });

  it('end without a charge if their gateway stays unavailable', async () => {
    const ana = await aRenewing(shop);
    for (let passed = 0; passed < 45; passed += 1) {
      shop.clock.advance(day);
      await renewDue({ ...shop.deps, gateways: {} });
    }
    expect((await ana.row()).dueAt).toBeNull();
    expect(await chargesOf(ana)).toBe(0);
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
