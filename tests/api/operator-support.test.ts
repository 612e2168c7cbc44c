import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { users } from '#server/db/schema/users.ts';
import { recordBounce } from '#server/messages/bounces.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { aDeclinedRenewal, aRenewing, advanceDays, clearRenewals, day } from '#tests/builders/a-renewal.ts';
import { aCard, byPix, type Shop } from '#tests/builders/a-shop.ts';
import { startOperatorDemo, type OperatorDemo } from '#tests/builders/an-operator-demo.ts';

let cli: OperatorDemo;
let shop: Shop;
beforeAll(async () => {
  cli = await startOperatorDemo();
  shop = cli.shop;
}, 60_000);
afterAll(() => cli?.close());

const why = '--why=ticket 7';
const of = ({ account }: { account: string }) => ['--brand=lumen', `--account=${account}`];
const today = () => new Date(shop.clock.now).toISOString().slice(0, 10);
const mailsTo = async (account: string) =>
  (await shop.db.select().from(outbox).where(eq(outbox.recipient, account)).orderBy(outbox.createdAt)).map(
    ({ subject }) => subject,
  );

describe('a list of orders', () => {
  it('has those of some days with a status and a method, the newest first', async () => {
    const ana = await shop.buyer();
    const paid = (await ana.pay()).data.orderId;
    shop.clock.advance(1000);
    const open = (await (await shop.buyer()).pay(byPix)).data.orderId;
    const listed = async (...options: string[]) =>
      (await cli.run('orders', 'list', '--brand=lumen', '--json', ...options)).facts.map(({ orderId }) => orderId);
    expect((await listed()).slice(0, 2)).toEqual([open, paid]);
    expect(await listed('--status=payment_succeeded')).toContain(paid);
    expect(await listed('--status=PAYMENT_SUCCEEDED')).not.toContain(open);
    expect(await listed('--method=pix')).toEqual([open]);
    expect(await listed('--limit=1')).toEqual([open]);
    const shown = await cli.run('orders', 'list', '--brand=lumen', '--limit=1');
    expect([shown.out, shown.told]).toEqual([
      [expect.stringContaining(open)],
      expect.stringMatching(/^orderId\tbrand\taccount\tstatus\t/),
    ]);
    expect(await listed('--from=2020-01-01', '--to=2020-01-31')).toEqual([]);
    expect((await cli.run('orders', 'list', '--status=PAID')).told).toContain('PAYMENT_SUCCEEDED');
    expect((await cli.run('orders', 'list', '--from=2026-02-30')).told).toContain('is a day');
    expect((await cli.run('orders', 'list', '--from=2026-02-02', '--to=2026-02-01')).code).toBe(2);
  });

  it('reads more rows than one statement returns', async () => {
    const ana = await shop.buyer();
    const { orderId } = (await ana.pay()).data;
    await shop.db.execute(
      `insert into orders select (jsonb_populate_record(o, jsonb_build_object(
        'order_id', 'COPY' || n, 'result_token', 'copy ' || n, 'plan_id', 'copied'))).*
       from orders o, generate_series(1, 1100) n where order_id = '${orderId}'`,
    );
    const { facts } = await cli.run('orders', 'list', '--brand=lumen', '--json', `--from=${today()}`);
    const ids = facts.map((order) => order['orderId']);
    expect(new Set(ids).size).toBe(ids.length);
    expect(facts.filter(({ planId }) => planId === 'copied')).toHaveLength(1100);
    await shop.db.execute(`delete from orders where plan_id = 'copied'`);
  });

  it('is a spreadsheet that runs no formula of a customer', async () => {
    const ana = await shop.buyer();
    const { orderId } = (await ana.pay()).data;
    await shop.db.update(users).set({ account: '=cmd|"x",@a.example' }).where(eq(users.uid, ana.uid));
    const { out } = await cli.run('orders', 'list', '--brand=lumen', '--csv');
    const [names = '', ...lines] = out;
    expect(names).toBe(
      '\uFEFForderId,brand,account,status,planId,methodCode,total,total_currency,refunded,refunded_currency,coupon,created,paid,failure',
    );
    const line = lines.find((one) => one.startsWith(orderId)) ?? '';
    const at = new Date(shop.clock.now).toISOString().slice(0, 19).replace('T', ' ');
    expect(line).toBe(
      `${orderId},lumen,"'=cmd|""x"",@a.example",PAYMENT_SUCCEEDED,101,card,19.90,BRL,0.00,BRL,,${at},${at},`,
    );
    expect((await cli.run('orders', 'list', '--json', '--csv')).code).toBe(2);
  });

  it('says in words why a payment failed', async () => {
    const ana = await shop.buyer();
    await ana.pay({ card: aCard('4000000000000002') });
    const { facts } = await cli.run('orders', 'list', '--brand=lumen', '--status=PAYMENT_FAILED', '--json');
    const { orderId, failure } = facts.find(({ account }) => account === ana.account) ?? {};
    expect(failure).toMatch(/^[a-z ]+$/);
    const shown = await cli.run('orders', 'show', String(orderId));
    expect(shown.out.join('\n')).toContain(String(failure));
  });
});

describe('a list of disputes', () => {
  it('says of each whether it is open, lost or won', async () => {
    const disputed = async (...stages: string[]) => {
      const ana = await shop.buyer();
      const { orderId } = (await ana.pay()).data;
      const [attempt] = await shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
      for (const stage of stages) await sendNotice(shop, aNotice(attempt?.id ?? '', { event: 'chargeback', stage }));
      shop.clock.advance(1000);
      return orderId;
    };
    const open = await disputed('opened');
    const lost = await disputed('opened', 'succeeded');
    const won = await disputed('opened', 'rejected');
    const { facts } = await cli.run('disputes', 'list', '--brand=lumen', '--json');
    const states = facts.map(({ orderId, state }) => [orderId, state]);
    expect(states).toEqual([
      [open, 'open'],
      [lost, 'lost'],
      [won, 'won'],
    ]);
    expect(facts[0]).toMatchObject({ amount: { amount: 1990, currency: 'BRL' }, gateway: 'sandbox', respondBy: null });
    const respondBy = shop.clock.now + 7 * 86_400_000;
    await shop.db.update(ledger).set({ respondBy }).where(eq(ledger.orderId, open));
    // banks take months
    shop.clock.advance(90 * 86_400_000);
    const waiting = await cli.run('disputes', 'list', '--open', '--json');
    expect(waiting.facts).toMatchObject([{ orderId: open, respondBy: new Date(respondBy).toISOString() }]);
    expect((await cli.run('disputes', 'list')).told).toContain('No disputes');
    expect((await cli.run('disputes', 'list', '--brand=mego')).told).toContain('No disputes');
  });
});

describe('a renewal that support stops', () => {
  it('is off at once, the customer is told by whom, and paid access continues', async () => {
    const ana = await aRenewing(shop);
    const { paid } = await ana.access();
    const stopped = await cli.run('renewals', 'stop', ...of(ana), why);
    expect([stopped.code, stopped.told]).toEqual([0, expect.stringContaining(new Date(paid).toISOString())]);
    expect(await ana.info()).toMatchObject({ status: 'off' });
    const at = new Date(shop.clock.now).toISOString();
    const [shown] = (await cli.run('customers', 'show', ...of(ana), '--json')).facts;
    expect(shown).toMatchObject({ renewal: { status: 'off', offBy: 'support', offAt: at } });
    expect(await ana.mail('off')).toContain('Our support team turned off automatic renewal');
    expect((await cli.run('renewals', 'stop', ...of(ana), why)).told).toContain('off already');
    await advanceDays(shop, 31);
    expect(await ana.charges()).toEqual([]);
    const nobody = await shop.customer();
    expect((await cli.run('renewals', 'stop', ...of(nobody), why)).told).toContain('has no automatic renewal');
    await clearRenewals(shop);
  });
});

describe('days that support gives', () => {
  const grant = (who: { account: string }, ...options: string[]) =>
    cli.run('periods', 'grant', ...of(who), why, ...options);

  it('follow the paid ones, move the next charge, and are shown to the customer', async () => {
    const ana = await aRenewing(shop);
    const { paid } = await ana.access();
    expect((await grant(ana, '--days=7')).told).toContain('has 7 days more');
    expect(await ana.access()).toEqual({ paid: paid + 7 * day, grace: null });
    expect((await ana.row()).nextChargeAt).toBe(paid + 6 * day);
    expect(await mailsTo(ana.account)).toContain('We’ve added days to your plan');
    const { periods } = (
      await shop.request(endpoints.queryInfo, { body: { uid: ana.uid, account: ana.account, type: 'email' } }, ana)
    ).data;
    expect(periods.map(({ kind, planId }) => [kind, planId])).toEqual([
      ['paid', '101'],
      ['given', '101'],
    ]);
    await advanceDays(shop, 30);
    expect(await ana.charges()).toEqual([]);
    await advanceDays(shop, 7);
    expect(await ana.charges()).toHaveLength(1);
    await clearRenewals(shop);
  });

  it('begin now during a grace, which ends with them', async () => {
    const { ana } = await aDeclinedRenewal(shop);
    await advanceDays(shop, 2);
    expect((await ana.access()).grace).not.toBeNull();
    expect((await grant(ana, '--days=3')).code).toBe(0);
    expect(await ana.access()).toEqual({ paid: shop.clock.now + 3 * day, grace: null });
    expect((await ana.info()).status).toBe('on');
    await clearRenewals(shop);
  });

  it('need a plan for a customer without one, and its number of devices applies', async () => {
    const eva = await shop.customer();
    await shop.db.update(users).set({ expiredTime: null, planId: null, limitCount: 0 }).where(eq(users.uid, eva.uid));
    expect((await grant(eva, '--days=3')).told).toContain('Give --plan');
    expect((await grant(eva, '--days=3', '--plan=999')).told).toContain('sells no plan 999');
    expect((await grant(eva, '--days=3', '--plan=301')).code).toBe(0);
    const [row] = await shop.db.select().from(users).where(eq(users.uid, eva.uid));
    expect(row).toMatchObject({ planId: '301', expiredTime: shop.clock.now + 3 * day });
    expect(row?.limitCount).toBeGreaterThan(1);
    expect((await grant(eva, '--days=3', '--plan=101')).told).toContain('without days');
    expect((await grant(eva, '--days=0')).code).toBe(2);
    expect((await grant(eva, '--days=400')).code).toBe(2);
  });
});

describe('an email about an order that support sends again', () => {
  it('is the receipt of a paid order, the instructions of an unpaid one, or its end', async () => {
    const ana = await shop.buyer();
    const waiting = (await ana.pay(byPix)).data.orderId;
    const again = (order: string, command = 'messages') => cli.run(command, 'resend', order, why);
    expect((await again(waiting)).told).toContain(
      `The email with the payment instructions of order ${waiting} is queued`,
    );
    expect((await again(waiting, 'receipts')).told).toContain('is not paid');
    await cli.run('orders', 'cancel', waiting, why);
    expect((await again(waiting)).told).toContain('The cancellation');
    const paid = (await ana.pay()).data.orderId;
    expect((await again(paid, 'receipts')).told).toContain(`queued for ${ana.account}`);
    expect((await again(paid)).told).toContain('The receipt');
    await cli.run('orders', 'refund', paid, why);
    expect((await again(paid)).told).toContain('The refund');
    const subjects = await mailsTo(ana.account);
    expect(subjects.filter((subject) => subject.includes('received your payment'))).toHaveLength(3);
    expect(subjects.filter((subject) => subject.includes('refund is on its way'))).toHaveLength(2);
    expect(subjects.filter((subject) => subject.includes('was cancelled'))).toHaveLength(2);
  });

  it('is refused for an address that bounces, and for a customer without one', async () => {
    const ana = await shop.buyer();
    const { orderId } = (await ana.pay()).data;
    await recordBounce(shop.deps, ana.account, 'permanent', shop.clock.now);
    expect((await cli.run('receipts', 'resend', orderId, why)).told).toContain('bounces clear --address');
    await shop.db.update(users).set({ email: null }).where(eq(users.uid, ana.uid));
    expect((await cli.run('receipts', 'resend', orderId, why)).told).toContain('no email address');
  });
});
