import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { requestRefund } from '#server/billing/send-refund.ts';
import { cancelUnpaidOrder } from '#server/billing/cancel-unpaid-order.ts';
import { openGateways } from '#server/runtime/wiring/open-gateways.ts';
import { findPurchase } from '#server/db/purchase-rows.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { readSettings } from '#server/env.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { createLog } from '#server/runtime/log.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
import type { Notice, Outcome, PagePayment, PageProvider } from '#tests/fixtures/page-provider.ts';
import { payssionAccess, payssionServer } from '#tests/fixtures/payssion/server.ts';
import { useepayAccess, useepayServer } from '#tests/fixtures/useepay/server.ts';
import { sandbox } from '#sandbox/sandbox.ts';

const host = 'mego.localhost';
const minute = 60_000;

/** Providers with a hosted payment page. What only one of them has is tested in a file of its own. */
const providers = {
  useepay: {
    start: useepayServer,
    env: useepayAccess,
    url: 'USEEPAY_URL',
    wish: { planId: '201', methodCode: 'card', currency: 'USD', card: undefined },
    price: 499,
    refused: 302,
    page: 'https://checkout1.uat.useepay.com/',
    open: /POST \/cashier/,
    ask: /POST \/api/,
    create: endpoints.useepayCreate,
    confirm: endpoints.useepayConfirm,
    /** must not be logged */
    secrets: [useepayAccess.USEEPAY_PRIVATE_KEY],
  },
  payssion: {
    start: payssionServer,
    env: payssionAccess,
    url: 'PAYSSION_URL',
    wish: { planId: '201', methodCode: 'yoomoney', currency: 'RUB', card: undefined },
    price: 39_900,
    refused: 5015,
    page: 'https://sandbox.payssion.com/',
    open: /payment\/create/,
    ask: /payment\/details/,
    create: endpoints.payssionCreate,
    confirm: endpoints.payssionConfirm,
    secrets: [payssionAccess.PAYSSION_SECRET_KEY],
  },
} as const;

describe.each(['useepay', 'payssion'] as const)('the hosted payment page of %s', (name) => {
  const hosted = providers[name];
  const { price, wish } = hosted;
  const lines: string[] = [];
  let provider: PageProvider;
  let shop: Shop;
  beforeAll(async () => {
    provider = await hosted.start();
    shop = await aShop(undefined, {
      env: { ...hosted.env, [hosted.url]: provider.origin },
      deps: (base) => {
        const log = createLog('info', { write: (line) => void lines.push(line) });
        return { log, gateways: openGateways({ ...base, log }, sandbox) };
      },
    });
  });
  afterEach(() => expect(provider.wrong).toEqual([]));
  afterAll(async () => {
    for (const secret of hosted.secrets) expect(lines.join('')).not.toContain(secret);
    await shop.close();
    await provider.close();
  });

  const gateway = () => shop.deps.gateways[name] ?? expect.fail('no gateway is installed');
  const headers = { host, 'content-type': 'application/x-www-form-urlencoded' };
  const post = async ({ url, body }: Notice) => (await shop.app.request(url, { method: 'POST', body, headers })).status;
  const endPayment = (outcome: Outcome, of?: PagePayment) => post(provider.end(outcome, of));
  const ask = async (afterMs = defaultReconcileAfterMs) => {
    shop.clock.advance(afterMs);
    await reconcile(shop.deps);
  };
  const tries = (orderId: string) => shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));

  async function anOrder() {
    const ana = await shop.buyer({ host });
    const { data } = await ana.pay(wish);
    const statusOf = async () =>
      (await shop.request(endpoints.order, { params: { id: data.orderId } }, ana)).data.status;
    return { ana, ...data, statusOf };
  }
  async function booked(orderId: string): Promise<string[]> {
    const { ledger } = await shop.books();
    const own = ledger.filter((entry) => entry.orderId === orderId);
    return own.map(({ kind, amount }) => `${kind} ${amount}`).toSorted();
  }
  const paid = [`capture ${price}`];

  it('opens without any card field in the storefront, and the notice pays the order', async () => {
    const { ana, orderId, status, next, statusOf } = await anOrder();
    expect(status).toBe('PAYMENT_PENDING');
    expect(next).toMatchObject({ type: 'redirect', finish: name });
    expect(next.type === 'redirect' && next.url.startsWith(hosted.page)).toBe(true);
    const body = { planId: '201', currency: wish.currency };
    const methods = await shop.request(endpoints.paymentMethods, { body }, ana);
    const shown = methods.data.find(({ code }) => code === wish.methodCode);
    expect(shown?.fields).not.toContain('card');
    expect(shown).toMatchObject({ savesCard: false, renews: false, flow: 'redirect' });
    const payment = provider.payments.at(-1) ?? expect.fail();
    expect(payment.returnUrl).toContain(`/finish/${name}`);
    expect(payment.notifyUrl).toMatch(new RegExp(`/webhooks/${name}$`));
    expect(await endPayment('paid')).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
    expect(await booked(orderId)).toEqual(paid);
    expect(await tries(orderId)).toMatchObject([{ state: 'SUCCEEDED', providerRef: payment.reference }]);
  });

  it('is confirmed on return in any browser without a notice, and is reopened until then', async () => {
    const { ana, orderId, next, resultToken } = await anOrder();
    const back = () => shop.request(hosted.confirm, { body: { token: resultToken } }, { host });
    expect((await back()).data).toMatchObject({ status: 'PAYMENT_PENDING', next });
    const again = await shop.request(hosted.create, { body: { orderId } }, ana);
    expect(again.data).toMatchObject({ status: 'PAYMENT_PENDING', next });
    const notice = provider.end('paid');
    expect((await back()).data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await post(notice)).toBe(200);
    expect(await booked(orderId)).toEqual(paid);
  });

  it.each([
    ['a no of the bank', 'refused', 'PAYMENT_FAILED', hosted.refused],
    ['a no of the payer', 'cancelled', 'PAYMENT_FAILED', 2007],
    ['a page whose time has passed', 'expired', 'PAYMENT_PENDING', null],
  ] as const)('reports %s, and the order can be paid again', async (_what, outcome, status, failureCode) => {
    const { ana, orderId, statusOf } = await anOrder();
    expect(await endPayment(outcome)).toBe(200);
    expect(await statusOf()).toBe(status);
    expect((await tries(orderId))[0]).toMatchObject({ failureCode });
    shop.clock.advance(1000);
    const again = await ana.repay(orderId, wish);
    expect(again.data).toMatchObject({ orderId, status: 'PAYMENT_PENDING', next: { type: 'redirect' } });
    expect(await endPayment('paid')).toBe(200);
    expect(await booked(orderId)).toEqual(paid);
  });

  it('keeps a payment pending while it is being processed', async () => {
    const { orderId, statusOf } = await anOrder();
    expect(await endPayment('underway')).toBe(200);
    await ask(30 * minute);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    provider.end('paid');
    await ask(30 * minute);
    expect(await booked(orderId)).toEqual(paid);
  });

  it('sends notices that count once in any order', async () => {
    const { orderId, statusOf } = await anOrder();
    const waits = provider.end('underway');
    const yes = provider.end('paid');
    for (const one of [yes, waits, yes, waits]) expect(await post(one)).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
    expect(await booked(orderId)).toEqual(paid);
  });

  it('sends notices with a valid signature; all others are refused and change nothing', async () => {
    const { statusOf } = await anOrder();
    const { url, body } = provider.end('paid');
    const forged = [
      body.replace(/(sign|notify_sig)=[^&]{4}/, '$1=AAAA'),
      body.replace(/(^|&)(sign|notify_sig)=[^&]*/, ''),
      body.replace(/amount=\d/, 'amount=8'),
      '',
      '{',
    ];
    for (const one of forged) expect([401, one]).toEqual([await post({ url, body: one }), one]);
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    const foreign = { ...(provider.payments.at(-1) ?? expect.fail()), id: crypto.randomUUID().replaceAll('-', '') };
    provider.payments.push(foreign);
    expect(await post(provider.tell(foreign))).toBe(200);
    provider.payments.pop();
    expect(await post({ url, body })).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
  });

  it('is queried after a lost notice', async () => {
    const { orderId, statusOf } = await anOrder();
    await ask();
    expect(await statusOf()).toBe('PAYMENT_PENDING');
    provider.end('paid');
    await ask();
    expect(await booked(orderId)).toEqual(paid);
  });

  it.each(['before', 'inside', 'after'] as const)(
    'whose address was lost %s the answer is not paid at, and the order gets another page',
    async (fault) => {
      provider.failNext(hosted.open, fault);
      const { ana, orderId, status, statusOf } = await anOrder();
      expect(status).toBe('SUBMITTED');
      await ask();
      expect(await statusOf()).toBe('PAYMENT_FAILED');
      shop.clock.advance(1000);
      expect((await ana.repay(orderId, wish)).data).toMatchObject({ next: { type: 'redirect' } });
      expect(await endPayment('paid')).toBe(200);
      expect(await booked(orderId)).toEqual(paid);
    },
  );

  it.each([
    ['too many requests', { status: 429, body: { result_code: 501 } }],
    ['an error of theirs', { status: 500, body: {} }],
    ['a page of a proxy', { status: 502, body: '<html>' }],
    ['an answer that nobody signed, or without a meaning', { status: 200, body: { resultCode: 'succeed' } }],
  ])('after %s, nothing is concluded', async (_what, reply) => {
    provider.failNext(hosted.open, reply);
    const { orderId, status } = await anOrder();
    expect(status).toBe('SUBMITTED');
    const [attempt] = await tries(orderId);
    provider.failNext(hosted.ask, reply);
    expect(await gateway().inquire(attempt?.id ?? '')).toEqual({ state: 'unknown' });
    provider.failNext(hosted.ask, 'before');
    expect(await gateway().cancel(attempt?.id ?? '')).toEqual({ state: 'unknown' });
  });

  it('is opened once per idempotency key', async () => {
    const { orderId, next } = await anOrder();
    const [attempt] = await tries(orderId);
    const before = provider.payments.length;
    const request = {
      key: attempt?.id ?? '',
      brand: 'mego',
      merchantName: 'Mego',
      methodCode: wish.methodCode,
      amount: price,
      currency: wish.currency,
      installments: 1,
      payer: {},
      pmId: 'yamoney',
      returnUrl: `http://${host}/paymentResult`,
      orderLabel: orderId,
    };
    const answers = await Promise.all([1, 2].map(() => gateway().authorise(request)));
    expect(answers).toMatchObject([
      { state: 'pending', next },
      { state: 'pending', next },
    ]);
    expect(provider.payments.length).toBe(before);
  });

  it('credits a payment after the order was cancelled', async () => {
    const { orderId, statusOf } = await anOrder();
    const [attempt] = await tries(orderId);
    const purchase = (await findPurchase(shop.db, attempt?.id ?? '')) ?? expect.fail();
    expect(await cancelUnpaidOrder(shop.deps, purchase)).toBe('cancelled');
    expect(await statusOf()).toBe('PAYMENT_CANCELLED');
    expect(await endPayment('paid')).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
    expect(await booked(orderId)).toEqual(paid);
  });

  it('prevents the cancellation of an order that may be paid there', async () => {
    const { orderId, statusOf } = await anOrder();
    const [attempt] = await tries(orderId);
    provider.end('underway');
    const purchase = (await findPurchase(shop.db, attempt?.id ?? '')) ?? expect.fail();
    expect(await cancelUnpaidOrder(shop.deps, purchase)).toBe('uncertain');
    provider.end('paid');
    expect(await cancelUnpaidOrder(shop.deps, purchase)).toBe('paid');
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
  });

  /** An order that was paid at two pages: the first one stayed open when the second was requested. */
  async function paidTwice() {
    const { ana, orderId } = await anOrder();
    const first = provider.payments.at(-1) ?? expect.fail();
    await endPayment('expired');
    shop.clock.advance(1000);
    await ana.repay(orderId, wish);
    await endPayment('paid');
    shop.clock.advance(1000);
    expect(await endPayment('paid', first)).toBe(200);
    expect(await booked(orderId)).toEqual([...paid, ...paid]);
    return { orderId, first };
  }

  it('refunds a duplicate payment once, when the provider confirms it', async () => {
    const { orderId, first } = await paidTwice();
    expect(await refundDuplicates(shop.deps)).toBe(0);
    shop.clock.advance(10 * minute);
    expect(await refundDuplicates(shop.deps)).toBe(0);
    expect(provider.refunds).toEqual([first.id]);
    const done = provider.endRefund('done', first);
    expect(await post(done)).toBe(200);
    expect(await post(done)).toBe(200);
    expect(await booked(orderId)).toEqual([...paid, ...paid, `refund -${price}`]);
    shop.clock.advance(10 * minute);
    expect(await refundDuplicates(shop.deps)).toBe(0);
    expect(provider.refunds).toEqual([first.id]);
  });

  it('finds a refund whose answer was lost, and requests no second one', async () => {
    const { orderId, first } = await paidTwice();
    provider.failNext(/\/api/, 'after', /transactionType=refund|^transaction_id=/);
    await refundDuplicates(shop.deps);
    shop.clock.advance(10 * minute);
    await refundDuplicates(shop.deps);
    expect(provider.refunds.filter((id) => id === first.id)).toHaveLength(1);
    provider.endRefund('done', first);
    shop.clock.advance(10 * minute);
    expect(await refundDuplicates(shop.deps)).toBe(1);
    expect(await booked(orderId)).toEqual([...paid, ...paid, `refund -${price}`]);
  });

  it('is checked by querying a payment that does not exist', async () => {
    expect(await gateway().check?.()).toMatchObject({ isReachable: true });
    provider.failNext(hosted.ask, 'before');
    expect(await gateway().check?.()).toMatchObject({ isReachable: false });
    const [first = ''] = Object.keys(hosted.env);
    const { [first]: _, ...rest } = hosted.env as Readonly<Record<string, string>>;
    expect(() => readSettings({ NODE_ENV: 'test', ...rest })).toThrow(/must be set together with/);
  });

  it('reports a refund that the provider rejects permanently to the operator, without another request', async () => {
    const { orderId, statusOf } = await anOrder();
    await endPayment('paid');
    provider.refuseRefunds();
    const refund = await shop.db.transaction((tx) => requestRefund(tx, shop.deps, { orderId }, shop.clock.now));
    expect(refund.state).toBe('requested');
    for (let round = 0; round < 6; round += 1) {
      await refundDuplicates(shop.deps);
      shop.clock.advance(10 * minute);
    }
    expect(await statusOf()).toBe('REFUND_REJECTED');
    expect(await booked(orderId)).toEqual(paid);
    const { ledger } = await shop.books();
    expect(ledger.find((entry) => entry.orderId === orderId)?.giveBackAt).toBeNull();
    expect(lines.join('')).toContain('a payment has to be refunded by hand');
  });
});
