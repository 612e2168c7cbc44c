import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '../../src/contract/index.ts';
import { tokenHash } from '../../src/server/auth/session.ts';
import { sessions } from '../../src/server/db/schema.ts';
import { keyOfCapture } from '../../src/server/payments/paypal/find-attempt.ts';
import { recordReversal } from '../../src/server/billing/record-reversal.ts';
import { findPurchase } from '../../src/server/billing/purchase-rows.ts';
import { aCoupon } from '../builders/a-coupon.ts';
import { putDue } from '../builders/due-rows.ts';
import { everyJob } from '../builders/every-job.ts';
import { busy, fillHistory } from '../builders/many-rows.ts';
import { testApp, testNow, type TestApp } from '../builders/test-app.ts';
import { plannedEmbedded, plannedPostgres, type PlannedDatabase, type Way } from '../fixtures/plans.ts';

/** What each job looks for, by the index that holds nothing else. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  reconcile: ['attempts_to_ask'],
  'refund-duplicates': ['ledger_to_give_back'],
  'cancel-abandoned-orders': ['orders_abandoned'],
  // what was written is gone, so the table holds nothing but what is due
  'write-letters': [],
  'send-outbox': ['outbox_waiting'],
  'purge-ended': [
    'sessions_end',
    'throttles_end',
    'captchas_end',
    'spent_tokens_end',
    'verification_codes_end',
    'device_grants_end',
    'mail_links_end',
    'webhook_events_time',
    'login_records_time',
    'analytics_events_age',
    'outbox_sent',
    'outbox_given_up',
    'uploads_time',
  ],
  'deliver-notices': ['sandbox_notices_due', 'sandbox_charges_ripe'],
};

describe.each([
  { name: 'a real PostgreSQL', open: plannedPostgres, orders: 20_000 },
  { name: 'the embedded database', open: plannedEmbedded, orders: 6000 },
])('beside a long history on $name', { timeout: 120_000 }, ({ open, orders }) => {
  let opened: PlannedDatabase;
  let shop: TestApp;
  let large: string[];
  beforeAll(async () => {
    opened = await open();
    shop = await testApp({ db: opened.db });
    await fillHistory(opened.db, orders, testNow);
    large = await opened.large();
    // after the statistics, as a busy hour is: the planner believes that nothing waits
    await putDue(opened.db, { count: 300, now: testNow, name: 'due' });
  }, 120_000);
  afterAll(() => opened?.close());

  /** Walks through whole tables that have a history. */
  const walks = (ways: readonly Way[]) =>
    ways.filter(({ table, index }) => index === undefined && large.includes(table));

  it.each(everyJob)('$name reads what is due, by its index, and no table from end to end', async ({ name, run }) => {
    expect(large).toEqual(expect.arrayContaining(['orders', 'attempts', 'ledger']));
    const ways = await opened.planned(() => run(shop.deps));
    expect(walks(ways)).toEqual([]);
    expect(ways.map(({ index }) => index)).toEqual(expect.arrayContaining([...(wanted[name] ?? ['none'])]));
  });

  it('the calls of a customer with a long history read no table from end to end', async () => {
    const token = shop.deps.random.token(32);
    const expiresAt = testNow + 86_400_000;
    await opened.db
      .insert(sessions)
      .values({ tokenHash: tokenHash(token), brand: 'lumen', uid: busy, createdAt: testNow, expiresAt });
    const discountCode = await aCoupon(opened.db, { maxUses: 5, firstPurchaseOnly: true });
    const price = { planId: '101', methodCode: 'pix', currency: 'BRL', discountCode };
    const ways = await opened.planned(async () => {
      const asked = [
        await shop.request(endpoints.orders, { body: { page: 2, size: 50 } }, { token }),
        await shop.request(endpoints.orders, { body: { page: 1, size: 50, status: 'PAYMENT_FAILED' } }, { token }),
        await shop.request(endpoints.queryCart, { body: {} }, { token }),
        await shop.request(endpoints.paymentTip, { query: { planId: '101' } }, { token }),
        await shop.request(
          endpoints.queryInfo,
          { body: { uid: busy, account: `${busy}@example.com`, type: 'email' } },
          { token },
        ),
      ];
      expect(asked.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
      expect((await shop.request(endpoints.goodsValuation, { body: price }, { token })).errCode).toBe(9991);
    });
    expect(walks(ways)).toEqual([]);
    const used = ways.map(({ index }) => index);
    expect(used).toEqual(
      expect.arrayContaining(['orders_history', 'orders_open', 'orders_paid', 'login_records_user']),
    );
  });

  it('what a provider tells is found by its name among all that was told', async () => {
    const purchase = await findPurchase(opened.db, 'many-3001');
    if (!purchase) throw new Error('no purchase');
    const ways = await opened.planned(async () => {
      expect(await keyOfCapture(opened.db, '3015')).toBe('many-3015');
      await recordReversal(shop.deps, purchase, { eventId: 'told', key: 'many-3001', kind: 'refund', stage: 'opened' });
    });
    expect(walks(ways)).toEqual([]);
    expect(ways.map(({ index }) => index)).toEqual(
      expect.arrayContaining(['attempts_paypal', 'webhook_events_refunds']),
    );
    expect(
      await opened.db.execute(sql`select 1 from orders where order_id = 'MANY00003001' and status = 'REFUND_PENDING'`),
    ).toMatchObject({ rows: [{}] });
  });
});
