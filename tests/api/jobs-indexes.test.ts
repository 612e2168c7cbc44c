import { eq, like, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { tokenHash } from '#server/auth/session.ts';
import { customerCoupons } from '#server/db/schema/orders.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import { transfersNamed } from '#server/billing/review-transfer.ts';
import { reclaimOrphans } from '#server/jobs/reconcile.ts';
import { renewDue } from '#server/jobs/renew-due.ts';
import { localFiles } from '#server/operator/caller-files.ts';
import type { Given } from '#server/operator/command.ts';
import { commands } from '#server/operator/commands.ts';
import { findCustomers } from '#server/operator/find-customers.ts';
import { sumByDay } from '#server/operator/report.ts';
import { keyOfCapture } from '#server/payments/paypal/answers.ts';
import { recordReversal } from '#server/billing/record-reversal.ts';
import { findPurchase } from '#server/db/purchase-rows.ts';
import { aCoupon } from '#tests/builders/a-coupon.ts';
import { cheapPassword } from '#tests/builders/cheap-password.ts';
import { putDue } from '#tests/builders/due-rows.ts';
import { everyJob } from '#tests/builders/every-job.ts';
import { busy, fillHistory } from '#tests/builders/many-rows.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';
import { chanceOf } from '#tests/tools/verify/seeded-random.ts';
import { openBank } from '#tests/tools/verify/renewals/bank.ts';
import { putSubscribers } from '#tests/tools/verify/renewals/people.ts';
import { plannedEmbedded, plannedPostgres, type PlannedDatabase, type Way } from '#tests/fixtures/plans.ts';

/** What each job looks for, by the index that holds nothing else. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  reconcile: ['attempts_to_ask'],
  'refund-duplicates': ['ledger_to_give_back'],
  'refund-parts': ['refunds_to_ask', 'refunds_number'],
  'cancel-abandoned-orders': ['orders_abandoned'],
  // what was written is gone, so the table holds nothing but what is due
  'write-requested-messages': [],
  'send-outbox': ['outbox_lanes'],
  'remind-of-ends': ['push_subscriptions_remind'],
  'renew-due': ['subscriptions_due'],
  'watch-payments': ['push_watches_look'],
  'send-pushes': ['push_messages_due'],
  'delete-accounts': ['users_leaving', 'cards_to_forget_due'],
  'purge-ended': [
    'sessions_end',
    'throttles_end',
    'captchas_end',
    'spent_tokens_end',
    'verification_codes_end',
    'device_grants_end',
    'mail_links_end',
    'webhook_events_time',
    'stray_notices_time',
    'login_records_time',
    'analytics_events_age',
    'outbox_sent',
    'outbox_given_up',
    'uploads_time',
  ],
  'deliver-notices': ['sandbox_notices_due', 'sandbox_charges_ripe'],
};

describe('beside a long history on a real PostgreSQL', { timeout: 120_000 }, () => {
  hold(plannedPostgres, 20_000);
});
describe('beside a long history on the embedded database', { timeout: 120_000, tags: 'slow' }, () => {
  hold(plannedEmbedded, 6000);
});

function hold(open: () => Promise<PlannedDatabase>, orders: number): void {
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

  it('renewals are told of and charged by their keys, and no table is read from end to end', async () => {
    const bank = openBank({ chance: chanceOf(1), clock: () => testNow, moods: ['pays'], watch: () => {} });
    const deps: Deps = { ...shop.deps, gateways: { ...shop.deps.gateways, sandbox: bank.gateway } };
    const month = deps.catalog.byCode('lumen')?.plans.find(({ id }) => id === '101');
    const plans = Array.from({ length: 30 }, () => month ?? expect.fail('nobody sells a month'));
    await putSubscribers(opened.db, { bank, plans, first: 0, now: testNow - 22 * 86_400_000 });
    const ways = await opened.planned(async () => {
      await renewDue(deps);
      const own = like(subscriptions.id, 'sub-%');
      await opened.db.update(subscriptions).set({ nextChargeAt: testNow, dueAt: testNow }).where(own);
      await renewDue(deps);
    });
    const asked = ways.filter(({ statement }) => !statement.includes(' like '));
    expect(walks(asked)).toEqual([]);
    expect(asked.map(({ index }) => index)).toEqual(
      expect.arrayContaining(['subscriptions_due', 'subscriptions_owner', 'mail_links_user']),
    );
    // what they had bought, and the charges
    expect(bank.charges.size).toBe(60);
  });

  it('the calls of a customer with a long history read no table from end to end', async () => {
    const token = shop.deps.random.token(32);
    const expiresAt = testNow + 86_400_000;
    await opened.db
      .insert(sessions)
      .values({ tokenHash: tokenHash(token), brand: 'lumen', uid: busy, createdAt: testNow, expiresAt });
    const discountCode = await aCoupon(opened.db, { maxUses: 5, firstPurchaseOnly: true });
    await opened.db
      .insert(customerCoupons)
      .values({ brand: 'lumen', uid: busy, code: discountCode, givenAt: testNow })
      .onConflictDoNothing();
    const price = { planId: '101', methodCode: 'pix', currency: 'BRL', discountCode };
    const info = () =>
      shop.request(
        endpoints.queryInfo,
        { body: { uid: busy, account: `${busy}@example.com`, type: 'email' } },
        { token },
      );
    const until = (expiredTime: number) => opened.db.update(users).set({ expiredTime }).where(eq(users.uid, busy));
    // what runs and follows, and what ran last
    await until(testNow + 86_400_000);
    const running = await opened.planned(info);
    await until(testNow - 1);
    const ended = await opened.planned(info);
    for (const ways of [running, ended]) {
      expect(walks(ways)).toEqual([]);
      expect(ways.map(({ index }) => index)).toContain('orders_service');
    }
    const ways = await opened.planned(async () => {
      const asked = [
        await shop.request(endpoints.orders, { body: { page: 2, size: 50 } }, { token }),
        await shop.request(endpoints.orders, { body: { page: 1, size: 50, status: 'PAYMENT_FAILED' } }, { token }),
        await shop.request(endpoints.queryCart, { body: {} }, { token }),
        await shop.request(endpoints.paymentTip, { query: { planId: '101' } }, { token }),
        await info(),
        await shop.request(endpoints.listCoupons, { body: {} }, { token }),
        await shop.request(endpoints.receipts, { body: { page: 2, size: 50 } }, { token }),
      ];
      expect(asked.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0, 0]);
      expect((await shop.request(endpoints.goodsValuation, { body: price }, { token })).errCode).toBe(9991);
    });
    expect(walks(ways)).toEqual([]);
    const used = ways.map(({ index }) => index);
    expect(used).toEqual(
      expect.arrayContaining(['orders_history', 'orders_open', 'orders_paid', 'orders_service', 'login_records_user']),
    );
  });

  it('what an operator looks for is found by its beginning or its end, and a report reads its days alone', async () => {
    const part = { brand: undefined, most: 20 };
    const from = new Date(testNow - 40 * 86_400_000).toISOString().slice(0, 10);
    const ways = await opened.planned(async () => {
      expect(await findCustomers(opened.db, { ...part, part: 'many-77@ex' })).not.toEqual([]);
      expect(await findCustomers(opened.db, { ...part, part: '-77@example.com' })).not.toEqual([]);
      expect(await findCustomers(opened.db, { ...part, part: 'MANY000030' })).not.toEqual([]);
      expect(await sumByDay(opened.db, { from, to: from, brand: undefined })).not.toEqual([]);
    });
    expect(walks(ways)).toEqual([]);
    expect(ways.map(({ index }) => index)).toEqual(
      expect.arrayContaining(['users_account_start', 'users_account_end', 'ledger_time', 'attempts_failed']),
    );
  });

  it('every command that looks something up, and the job after lost gateways, reads by an index', async () => {
    const say = { print: () => {}, explain: () => {}, row: () => {}, show: () => {}, done: () => {}, json: false };
    const context = { ...say, deps: shop.deps, settings: shop.deps.env, clock: shop.deps.clock, files: localFiles };
    const given = {
      brand: 'lumen',
      account: `${busy}@example.com`,
      'order|key|account': 'MANY000030',
      order: 'MANY00003001',
    };
    const days = { from: '2026-10-01', to: '2026-10-03' };
    const looks: Readonly<Record<string, Given>> = {
      'customers find': { part: 'many-77@ex' },
      'customers show': given,
      'orders find': given,
      'orders show': given,
      'orders orphans': {},
      'orders unknown': {},
      'renewals held': {},
      'transfers list': { brand: 'lumen' },
      'coupons list': { brand: 'lumen' },
      'outbox list': {},
      'audit list': { brand: 'lumen', subject: 'MANY00003001' },
      report: days,
    };
    const all: Way[] = [];
    for (const [name, asked] of Object.entries(looks)) {
      const command = commands.find((one) => one.name === name);
      if (!command || !('inShop' in command)) throw new Error(`there is no ${name}`);
      all.push(...(await opened.planned(() => command.inShop(asked, context))));
    }
    all.push(...(await opened.planned(() => reclaimOrphans(shop.deps))));
    all.push(...(await opened.planned(() => transfersNamed(opened.db, 'MANY00003001'))));
    all.push(
      ...(await opened.planned(async () => {
        const outboxList = commands.find(({ name }) => name === 'outbox list');
        if (outboxList && 'inShop' in outboxList) await outboxList.inShop({ 'given-up': 'true' }, context);
        const audit = commands.find(({ name }) => name === 'audit list');
        if (audit && 'inShop' in audit) await audit.inShop({}, context);
      })),
    );
    expect(walks(all).map(({ table, statement }) => `${table}: ${statement}`)).toEqual([]);
  });

  it('who logs in and pays is found by their names and keys', async () => {
    await opened.db.execute(sql`update users set password_hash = ${cheapPassword.hash} where uid = 'many-31'`);
    const ways = await opened.planned(async () => {
      const who = { account: 'many-31@example.com', password: cheapPassword.password, type: 'email' } as const;
      const { token } = (await shop.request(endpoints.login, { body: who })).data;
      const price = { planId: '101', methodCode: 'card', currency: 'BRL' };
      const { quoteId } = (await shop.request(endpoints.goodsValuation, { body: price }, { token })).data;
      const card = {
        number: '4242424242424242',
        expiry: '12/39',
        code: '123',
        holderFirstName: 'A',
        holderLastName: 'B',
      };
      const payer = { firstName: 'A', lastName: 'B', document: '52998224725', phone: '11987654321' };
      const rest = { installments: 1, card, payer, returnUrl: '/paymentResult', source: 'WEB' } as const;
      const idempotencyKey = crypto.randomUUID();
      const paid = await shop.request(
        endpoints.pay,
        { body: { ...price, ...rest, quoteId } },
        { token, idempotencyKey },
      );
      expect(paid.data.status).toBe('PAYMENT_SUCCEEDED');
    });
    expect(walks(ways).map(({ table, statement }) => `${table}: ${statement}`)).toEqual([]);
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
}
