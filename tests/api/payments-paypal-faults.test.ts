import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { sandboxAccount } from '#sandbox/paypal/events.ts';
import { aPaypalShop, byPaypal, once, pageAt, type How, type PaypalShop } from '#tests/builders/paypal-shop.ts';

let shop: PaypalShop;
beforeAll(async () => {
  shop = await aPaypalShop();
});
afterAll(async () => {
  const { clientSecret } = sandboxAccount(shop.deps.env);
  for (const secret of [clientSecret, 'A21.', 'Bearer', 'Basic']) expect(shop.logged()).not.toContain(secret);
  await shop.close();
});

const create = '/v2/checkout/orders';
/** Ways to lose an answer, all of them after PayPal has processed the request. */
const losses: readonly (readonly [string, How])[] = [
  ['a cut wire', 'after'],
  ['an error of PayPal', () => Response.json({ name: 'INTERNAL_SERVER_ERROR' }, { status: 500 })],
  ['too many requests', () => Response.json({ name: 'RATE_LIMIT_REACHED' }, { status: 429 })],
  ['a page of something between', () => new Response('<html>Gateway</html>', { status: 404 })],
  ['half an answer', async (answer) => new Response((await answer.text()).slice(0, 60), answer)],
  ['an answer of another shape', () => Response.json({ hello: 'there' }, { status: 201 })],
  ['a status that nobody knows', () => Response.json({ id: 'ABC', status: 'BAKED', links: [] }, { status: 201 })],
];

describe('a lost answer of PayPal to a new order', () => {
  it.each(losses)('by %s leads the payer to the same order later', async (_what, how) => {
    const ana = await shop.buyer();
    shop.spoil(once(create, how));
    const { data } = await ana.pay(byPaypal);
    shop.spoil(undefined);
    expect(data).toMatchObject({ status: 'SUBMITTED', next: { type: 'none' } });
    await shop.reconciled();
    const info = await shop.request(endpoints.paymentInfo, { body: { orderId: data.orderId } }, ana);
    expect(info.data).toMatchObject({ order: { status: 'PAYMENT_PENDING' }, next: { type: 'redirect' } });
    await shop.press(pageAt(info.data.next), 'approve');
    expect((await shop.back(data)).data.status).toBe('PAYMENT_SUCCEEDED');
    const { paypal, ledger } = await shop.recordsOf(data.orderId);
    expect([paypal.length, ledger]).toEqual([1, ['capture']]);
  });

  it('because the request never arrived fails the payment, and the order can be paid again', async () => {
    const ana = await shop.buyer();
    shop.spoil(once(create, 'before'));
    const { data } = await ana.pay(byPaypal);
    shop.spoil(undefined);
    await shop.reconciled();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_FAILED');
    const { data: again } = await ana.repay(data.orderId, byPaypal);
    await shop.press(pageAt(again.next), 'approve');
    expect((await shop.back(again)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect((await shop.recordsOf(data.orderId)).ledger).toEqual(['capture']);
  });

  it('during a long outage fails the payment within a quarter of an hour', async () => {
    const ana = await shop.buyer();
    shop.spoil(() => Promise.reject(new Error('no connection')));
    const { data } = await ana.pay(byPaypal);
    await shop.reconciled();
    expect(await shop.statusOf(ana, data.orderId)).toBe('SUBMITTED');
    shop.clock.advance(10 * 60_000);
    await shop.reconciled();
    shop.spoil(undefined);
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_FAILED');
  });

  it('differs from a refusal, which reports at once that nothing was charged', async () => {
    const ana = await shop.buyer();
    const refusal = { name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'PAYEE_ACCOUNT_RESTRICTED' }] };
    shop.spoil(once(create, { instead: refusal }));
    const answer = await ana.pay(byPaypal);
    shop.spoil(undefined);
    expect(answer.errCode).toBe(2003);
    expect(shop.logged()).toContain('PAYEE_ACCOUNT_RESTRICTED');
  });
});

describe('a lost answer of PayPal to a capture', () => {
  it.each<readonly [string, How]>([...losses, ['a request that never arrived', 'before']])(
    'by %s is captured once, and the payer sees the correct status',
    async (_what, how) => {
      const ana = await shop.buyer();
      const { data } = await ana.pay(byPaypal);
      await shop.press(pageAt(data.next), 'approve');
      shop.spoil(once('/capture', how));
      expect((await shop.back(data)).data.status).toBe('PAYMENT_PENDING');
      shop.spoil(undefined);
      expect((await shop.back(data)).data).toMatchObject({ status: 'PAYMENT_SUCCEEDED', next: { type: 'none' } });
      const { paypal, ledger } = await shop.recordsOf(data.orderId);
      expect([paypal.length, paypal[0]?.status, ledger]).toEqual([1, 'COMPLETED', ['capture']]);
    },
  );

  it('is found paid by the job if the payer does not return', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    await shop.press(pageAt(data.next), 'approve');
    shop.spoil(once('/capture', 'after'));
    await shop.back(data);
    shop.spoil(undefined);
    await shop.reconciled();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
    expect((await shop.recordsOf(data.orderId)).ledger).toEqual(['capture']);
  });

  it('succeeds if another request has captured the order', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    await shop.press(pageAt(data.next), 'approve');
    let raced = false;
    shop.spoil((request, reach) => {
      if (raced || !request.url.endsWith('/capture')) return undefined;
      raced = true;
      const headers = { authorization: request.headers.get('authorization') ?? '', 'paypal-request-id': 'another' };
      const first = reach(new Request(request.url, { method: 'POST', headers }));
      return first.then(() => reach(request));
    });
    expect((await shop.back(data)).data.status).toBe('PAYMENT_SUCCEEDED');
    shop.spoil(undefined);
    expect((await shop.recordsOf(data.orderId)).ledger).toEqual(['capture']);
  });
});

describe('a refusal of PayPal to capture', () => {
  const refuses = (issue: string) =>
    once('/capture', { instead: { name: 'UNPROCESSABLE_ENTITY', details: [{ issue }] } });

  it.each([
    ['PAYER_ACCOUNT_RESTRICTED', 301],
    ['TRANSACTION_REFUSED', 301],
    ['PAYEE_BLOCKED_TRANSACTION', 2003],
  ])('for good with %s fails the payment with %i', async (issue, code) => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    await shop.press(pageAt(data.next), 'approve');
    shop.spoil(refuses(issue));
    expect((await shop.back(data)).data).toMatchObject({ status: 'PAYMENT_FAILED', failureCode: code });
    shop.spoil(undefined);
  });

  it.each(['PAYER_ACTION_REQUIRED', 'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING'])(
    'with %s sends the payer back to PayPal',
    async (issue) => {
      const ana = await shop.buyer();
      const { data } = await ana.pay(byPaypal);
      await shop.press(pageAt(data.next), 'approve');
      shop.spoil(refuses(issue));
      const { data: back } = await shop.back(data);
      shop.spoil(undefined);
      expect(back).toMatchObject({ status: 'PAYMENT_PENDING', next: { url: pageAt(data.next) } });
    },
  );

  it('for an unknown reason concludes nothing, and the capture is retried', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    await shop.press(pageAt(data.next), 'approve');
    shop.spoil(refuses('NEVER_SEEN_BEFORE'));
    expect((await shop.back(data)).data.status).toBe('PAYMENT_PENDING');
    shop.spoil(undefined);
    await shop.reconciled();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
  });
});
