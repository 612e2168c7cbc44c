import { eq, like, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { tokenHash } from '#server/auth/session.ts';
import { customerCoupons } from '#server/db/schema/orders.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import { findTransfers } from '#server/billing/review-transfer.ts';
import { reclaimOrphans } from '#server/jobs/reconcile.ts';
import { renewDue } from '#server/jobs/renew-due.ts';
import type { OptionValues } from '#server/operator/command.ts';
import { commands } from '#server/operator/commands.ts';
import { findCustomers } from '#server/operator/find-customers.ts';
import { sumByDay } from '#server/operator/report.ts';
import { keyOfCapture } from '#server/payments/paypal/answers.ts';
import { recordReversal } from '#server/billing/record-reversal.ts';
import { findPurchase } from '#server/db/purchase-rows.ts';
import { aCoupon } from '#tests/builders/a-coupon.ts';
import { cheapPassword } from '#tests/builders/cheap-password.ts';
import { insertDueWork } from '#tests/builders/due-rows.ts';
import { everyJob } from '#tests/builders/every-job.ts';
import { busy, fillHistory } from '#tests/builders/many-rows.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';
import { seededRandom } from '#tests/tools/verify/seeded-random.ts';
import { openBank } from '#tests/tools/verify/renewals/bank.ts';
import { putSubscribers } from '#tests/tools/verify/renewals/subscribers.ts';
import { plannedEmbedded, plannedPostgres, type PlannedDatabase, type Way } from '#tests/fixtures/plans.ts';
import { expectedIndexes } from '#tests/builders/access-paths.ts';

describe('beside a long history on a real PostgreSQL', { timeout: 120_000 }, () => {
  defineIndexTests(plannedPostgres, 20_000);
});
describe('beside a long history on the embedded database', { tags: 'slow' }, () => {
  defineIndexTests(plannedEmbedded, 6000);
});

function defineIndexTests(open: () => Promise<PlannedDatabase>, orders: number): void {
  let opened: PlannedDatabase;
  let shop: TestApp;
  let large: string[];
  beforeAll(async () => {
    opened = await open();
    shop = await testApp({ db: opened.db });
    await fillHistory(opened.db, orders, testNow);
    large = await opened.large();
    // Added after the statistics, as in a busy hour: the planner assumes that nothing is due.
    await insertDueWork(opened.db, { count: 300, now: testNow, name: 'due' });
  }, 120_000);
  afterAll(() => opened?.close());

  /** Sequential scans of tables that contain a long history. */
  const fullScans = (scans: readonly Way[]) =>
    scans.filter(({ table, index }) => index === undefined && large.includes(table));

  it.each(everyJob)('$name reads due rows through an index and scans no large table', async ({ name, run }) => {
    expect(large).toEqual(expect.arrayContaining(['orders', 'attempts', 'ledger']));
    const scans = await opened.planned(() => run(shop.deps));
    expect(fullScans(scans)).toEqual([]);
    expect(scans.map(({ index }) => index)).toEqual(expect.arrayContaining([...(expectedIndexes[name] ?? ['none'])]));
  });

  it('renewal notices and charges scan no large table', async () => {
    const bank = openBank({ chance: seededRandom(1), clock: () => testNow, moods: ['pays'], watch: () => {} });
    const deps: Deps = { ...shop.deps, gateways: { ...shop.deps.gateways, sandbox: bank.gateway } };
    const month = deps.catalog.byCode('lumen')?.plans.find(({ id }) => id === '101');
    const plans = Array.from({ length: 30 }, () => month ?? expect.fail('no monthly plan is sold'));
    await putSubscribers(opened.db, { bank, plans, first: 0, now: testNow - 22 * 86_400_000 });
    const scans = await opened.planned(async () => {
      await renewDue(deps);
      const own = like(subscriptions.id, 'sub-%');
      await opened.db.update(subscriptions).set({ nextChargeAt: testNow, dueAt: testNow }).where(own);
      await renewDue(deps);
    });
    const ofJob = scans.filter(({ statement }) => !statement.includes(' like '));
    expect(fullScans(ofJob)).toEqual([]);
    expect(ofJob.map(({ index }) => index)).toEqual(
      expect.arrayContaining(['subscriptions_due', 'subscriptions_owner', 'mail_links_user']),
    );
    // The first purchases and the renewals.
    expect(bank.charges.size).toBe(60);
  });

  it('the calls of a customer with a long history scan no large table', async () => {
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
    // A plan that is running, and one that has ended.
    await until(testNow + 86_400_000);
    const running = await opened.planned(info);
    await until(testNow - 1);
    const ended = await opened.planned(info);
    for (const scans of [running, ended]) {
      expect(fullScans(scans)).toEqual([]);
      expect(scans.map(({ index }) => index)).toContain('orders_service');
    }
    const scans = await opened.planned(async () => {
      const answers = [
        await shop.request(endpoints.orders, { body: { page: 2, size: 50 } }, { token }),
        await shop.request(endpoints.orders, { body: { page: 1, size: 50, status: 'PAYMENT_FAILED' } }, { token }),
        await shop.request(endpoints.queryCart, { body: {} }, { token }),
        await shop.request(endpoints.paymentTip, { query: { planId: '101' } }, { token }),
        await info(),
        await shop.request(endpoints.listCoupons, { body: {} }, { token }),
        await shop.request(endpoints.receipts, { body: { page: 2, size: 50 } }, { token }),
      ];
      expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0, 0]);
      expect((await shop.request(endpoints.goodsValuation, { body: price }, { token })).errCode).toBe(9991);
    });
    expect(fullScans(scans)).toEqual([]);
    const used = scans.map(({ index }) => index);
    expect(used).toEqual(
      expect.arrayContaining(['orders_history', 'orders_open', 'orders_paid', 'orders_service', 'login_records_user']),
    );
  });

  it('operator searches by a part of a name and reports by date use an index', async () => {
    const part = { brand: undefined, most: 20 };
    const from = new Date(testNow - 40 * 86_400_000).toISOString().slice(0, 10);
    await opened.db.update(users).set({ nickname: 'Dr. Zyxwvut' }).where(eq(users.uid, 'many-99'));
    const scans = await opened.planned(async () => {
      expect(await findCustomers(shop.deps, { ...part, part: 'many-77@ex' })).not.toEqual([]);
      expect(await findCustomers(shop.deps, { ...part, part: '-77@example.com' })).not.toEqual([]);
      expect(await findCustomers(shop.deps, { ...part, part: 'MANY000030' })).not.toEqual([]);
      expect(await findCustomers(shop.deps, { ...part, part: '9999' })).toEqual([]);
      expect(await findCustomers(shop.deps, { ...part, part: 'zyxwv' })).not.toEqual([]);
      expect(await findCustomers(shop.deps, { ...part, part: 'Maria Silva' })).toEqual([]);
      expect(await sumByDay(opened.db, { from, to: from, brand: undefined })).not.toEqual([]);
    });
    expect(fullScans(scans)).toEqual([]);
    expect(scans.map(({ index }) => index)).toEqual(
      expect.arrayContaining([
        'users_account_start',
        'users_account_end',
        'users_all_names',
        'payer_names_brand_word_uid_pk',
        'orders_card',
        'ledger_time',
        'attempts_failed',
      ]),
    );
  });

  it('every look-up command and the job for former gateways use an index', async () => {
    const output = { print: () => {}, explain: () => {}, row: () => {}, show: () => {}, done: () => {}, json: false };
    const context = { ...output, deps: shop.deps, settings: shop.deps.env, clock: shop.deps.clock };
    const args = {
      brand: 'lumen',
      account: `${busy}@example.com`,
      'order|key|reference|account': 'MANY000030',
      order: 'MANY00003001',
    };
    const days = { from: '2026-10-01', to: '2026-10-03' };
    const lookups: Readonly<Record<string, OptionValues>> = {
      'customers find': { part: 'zyxwv' },
      'customers show': args,
      'orders find': args,
      'orders list': { brand: 'lumen', ...days },
      'disputes list': days,
      'orders show': args,
      'orders orphans': {},
      'orders unknown': {},
      'renewals list': { brand: 'lumen', asked: 'true' },
      'renewals held': {},
      'periods grant-all': { brand: 'lumen', days: '1', name: 'outage', 'dry-run': 'true' },
      'tasks list': {},
      'transfers list': { brand: 'lumen' },
      'coupons list': { brand: 'lumen' },
      'outbox list': {},
      'webhooks list': { brand: 'lumen', ...days },
      'audit list': { brand: 'lumen', subject: 'MANY00003001' },
      report: days,
    };
    const all: Way[] = [];
    for (const [name, input] of Object.entries(lookups)) {
      const command = commands.find((one) => one.name === name);
      if (!command || !('inShop' in command)) throw new Error(`there is no ${name}`);
      all.push(...(await opened.planned(() => command.inShop(input, context))));
    }
    all.push(...(await opened.planned(() => reclaimOrphans(shop.deps))));
    all.push(...(await opened.planned(() => findTransfers(opened.db, 'MANY00003001'))));
    all.push(
      ...(await opened.planned(async () => {
        const outboxList = commands.find(({ name }) => name === 'outbox list');
        if (outboxList && 'inShop' in outboxList) await outboxList.inShop({ 'given-up': 'true' }, context);
        const audit = commands.find(({ name }) => name === 'audit list');
        if (audit && 'inShop' in audit) await audit.inShop({}, context);
      })),
    );
    expect(fullScans(all).map(({ table, statement }) => `${table}: ${statement}`)).toEqual([]);
  });

  it('a login and a payment scan no large table', async () => {
    await opened.db.execute(sql`update users set password_hash = ${cheapPassword.hash} where uid = 'many-31'`);
    const scans = await opened.planned(async () => {
      const credentials = { account: 'many-31@example.com', password: cheapPassword.password, type: 'email' } as const;
      const { token } = (await shop.request(endpoints.login, { body: credentials })).data;
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
    expect(fullScans(scans).map(({ table, statement }) => `${table}: ${statement}`)).toEqual([]);
  });

  it('the notices of a provider are found through an index', async () => {
    const purchase = await findPurchase(opened.db, 'many-3001');
    if (!purchase) throw new Error('no purchase');
    const scans = await opened.planned(async () => {
      expect(await keyOfCapture(opened.db, '3015')).toBe('many-3015');
      await recordReversal(shop.deps, purchase, { eventId: 'told', key: 'many-3001', kind: 'refund', stage: 'opened' });
    });
    expect(fullScans(scans)).toEqual([]);
    expect(scans.map(({ index }) => index)).toEqual(
      expect.arrayContaining(['attempts_paypal', 'webhook_events_refunds']),
    );
    expect(
      await opened.db.execute(sql`select 1 from orders where order_id = 'MANY00003001' and status = 'REFUND_PENDING'`),
    ).toMatchObject({ rows: [{}] });
  });
}
