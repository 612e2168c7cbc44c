import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { deletedUserType } from '#server/auth/users.ts';
import { saveCard } from '#server/billing/cards/save-card.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { cardsToForget, savedCards } from '#server/db/schema/cards.ts';
import { orders } from '#server/db/schema/orders.ts';
import { users } from '#server/db/schema/users.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import type { Deps } from '#server/deps.ts';
import { renewDue } from '#server/jobs/renew-due.ts';
import { aCard, aShop, type Shop } from '#tests/builders/a-shop.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';
import { advanceDays, aRenewing, clearRenewals, day, takenRenewals } from '#tests/builders/a-renewal.ts';
import { statementRows } from '#server/db/connect.ts';

let opened: Awaited<ReturnType<typeof openOnPostgres>>;
let shop: Shop;
beforeAll(async () => {
  opened = await openOnPostgres();
  shop = await aShop(opened.db);
}, 120_000);
afterAll(() => opened?.close());

/**
 * Waits until a statement waits for a lock that the caller's transaction has. A retry gives up after 50 ms
 * (`withLockTimeout`), maybe between two looks, so `job` may have ended instead.
 */
async function untilBlocked(job?: Promise<unknown>): Promise<void> {
  const blocked = sql`select pid from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
  let hasEnded = false;
  void job?.finally(() => (hasEnded = true));
  const isReached = async () => hasEnded || (await statementRows(shop.db, blocked)).length > 0;
  await vi.waitFor(async () => expect(await isReached()).toBe(true), { timeout: 8_000 });
}

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
  it('wait for a late payment of the previous attempt while they are retried, without a deadlock', async () => {
    const { ana, orderId, refused } = await aRetryThatIsDue();
    const { log, faults } = aRecordingLog();
    // rows are locked in the order in which a payment is booked
    const trying = await shop.db.transaction(async (tx) => {
      await tx.select().from(attempts).where(eq(attempts.id, refused.id)).for('update');
      await tx.select().from(orders).where(eq(orders.orderId, orderId)).for('update');
      const job = renewDue({ ...shop.deps, log });
      await untilBlocked(job);
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
      await untilBlocked(done);
      // the booking of a payment locks its attempt, and the customer next
      await tx.select().from(users).where(eq(users.uid, ana.uid)).for('update');
      await tx.update(attempts).set({ state: 'FAILED' }).where(eq(attempts.id, byHand.id));
      return { done };
    });
    await job.done;
    expect(faults).toEqual([]);
    expect(await ana.row()).toMatchObject({ status: 'pastDue', orderId });
    expect(await takenRenewals(shop, ana)).toBe(0);
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
      await untilBlocked();
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
      await untilBlocked();
      return { saved };
    });
    expect(await pendingCard.saved).toBeNull();
    expect(await shop.db.select().from(cardsToForget).where(eq(cardsToForget.token, 'late'))).toHaveLength(1);
    await clearRenewals(shop);
  });
});
