import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { sandboxAccount } from '#sandbox/paypal/account.ts';
import { aPaypalShop, byPaypal, once, pageAt, type PaypalShop } from '#tests/builders/at-paypal.ts';

let shop: PaypalShop;
beforeAll(async () => {
  shop = await aPaypalShop();
});
afterAll(async () => {
  const { clientSecret } = sandboxAccount(shop.deps.env);
  const basic = Buffer.from(`sandbox-shop:${clientSecret}`).toString('base64');
  for (const secret of [clientSecret, basic, 'A21.', 'Bearer']) expect(shop.logged()).not.toContain(secret);
  await shop.close();
});

const hourMs = 60 * 60_000;

describe('paying with PayPal', () => {
  it('leads to its page, and is paid when the payer is back', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    expect(data).toMatchObject({ status: 'PAYMENT_PENDING', next: { type: 'redirect', finish: 'paypal' } });
    const left = await shop.press(pageAt(data.next), 'approve');
    const back = new URL(left.headers.get('location') ?? '');
    expect(back.pathname).toBe(`/paymentResult/orderId/${data.orderId}/token/${data.resultToken}/finish/paypal`);
    expect([...back.searchParams.keys()]).toEqual(['language', 'token', 'PayerID']);
    const { data: finished } = await shop.back(data);
    expect(finished).toMatchObject({ status: 'PAYMENT_SUCCEEDED', next: { type: 'none' } });
    const { attempts, paypal, ledger } = await shop.recordsOf(data.orderId);
    expect(paypal).toMatchObject([{ status: 'COMPLETED', amount: attempts[0]?.amount, customId: attempts[0]?.id }]);
    expect(attempts).toMatchObject([{ state: 'SUCCEEDED', providerRef: `capture:${paypal[0]?.captureId}` }]);
    expect(ledger).toEqual(['capture']);
  });

  it('tells PayPal who is paid, how much and for what, and never the customer', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay({ ...byPaypal, currency: 'USD' });
    const { attempts } = await shop.recordsOf(data.orderId);
    const sent = shop.asked.findLast(({ path }) => path.endsWith('/v2/checkout/orders'));
    expect(sent?.requestId).toBe(attempts[0]?.id);
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      intent: 'CAPTURE',
      purchase_units: [{ custom_id: attempts[0]?.id, invoice_id: data.orderId, amount: { currency_code: 'USD' } }],
      payment_source: {
        paypal: { experience_context: { brand_name: 'Lumen', user_action: 'PAY_NOW', locale: 'en-US' } },
      },
    });
    expect(sent?.body).not.toContain(ana.account);
  });

  it('is finished in another browser, without a session, by the token of the address', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    await shop.press(pageAt(data.next), 'approve');
    const back = await shop.request(endpoints.paypalCapture, { params: { id: data.resultToken } });
    expect(back.data.status).toBe('PAYMENT_SUCCEEDED');
    expect((await shop.back({ resultToken: 'nobody-has-this-token' })).errCode).toBe(1040);
  });

  it('twice back, or back in two tabs, is one capture', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    await shop.press(pageAt(data.next), 'approve');
    const answers = await Promise.all([shop.back(data), shop.back(data), shop.back(data)]);
    for (const answer of answers) expect(answer.data.status).toBe('PAYMENT_SUCCEEDED');
    expect((await shop.back(data)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect((await shop.recordsOf(data.orderId)).ledger).toEqual(['capture']);
  });

  it('goes on waiting at the same page when the payer cancels there', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    const left = await shop.press(pageAt(data.next), 'refuse');
    expect(left.headers.get('location')).not.toContain('PayerID');
    const { data: back } = await shop.back(data);
    expect(back).toMatchObject({ status: 'PAYMENT_PENDING', next: { type: 'redirect', url: pageAt(data.next) } });
    await shop.press(pageAt(back.next), 'approve');
    expect((await shop.back(data)).data.status).toBe('PAYMENT_SUCCEEDED');
  });

  it('sends the payer of a declined instrument back to choose another', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    const key = (await shop.recordsOf(data.orderId)).attempts[0]?.id ?? '';
    for (const _try of [1, 2]) {
      await shop.press(pageAt(data.next), 'decline');
      const { data: back } = await shop.back(data);
      expect(back).toMatchObject({ status: 'PAYMENT_PENDING', next: { type: 'redirect', url: pageAt(data.next) } });
    }
    // the job leaves a declined instrument alone, although its order looks approved
    const captures = () => shop.asked.filter(({ requestId }) => requestId?.startsWith(`${key}-capture`));
    await shop.reconciled();
    expect(captures()).toHaveLength(2);
    await shop.press(pageAt(data.next), 'approve');
    expect((await shop.back(data)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect((await shop.recordsOf(data.orderId)).ledger).toEqual(['capture']);
    expect(captures().map(({ requestId }) => requestId?.at(-1))).toEqual(['1', '2', '3']);
  });

  it('is captured by the job when nobody comes back', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    await shop.reconciled();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_PENDING');
    await shop.press(pageAt(data.next), 'approve');
    await shop.reconciled();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
  });

  it('ends by time when nobody approves it, and the order can be paid in another way', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    shop.clock.advance(3 * hourMs);
    await shop.reconciled();
    expect((await shop.recordsOf(data.orderId)).attempts).toMatchObject([{ state: 'EXPIRED' }]);
    expect((await shop.back(data)).data.next).toEqual({ type: 'none' });
    expect((await ana.repay(data.orderId)).data.status).toBe('PAYMENT_SUCCEEDED');
    const late = await shop.press(pageAt(data.next), 'approve');
    expect(late.status).toBe(404);
    expect((await shop.recordsOf(data.orderId)).ledger).toEqual(['capture']);
  });

  it('is captured at the end of its time when another instrument was approved and nobody came back', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    await shop.press(pageAt(data.next), 'decline');
    await shop.back(data);
    await shop.press(pageAt(data.next), 'approve');
    shop.clock.advance(3 * hourMs);
    await shop.reconciled();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
  });

  it('refuses a currency that PayPal does not take, before anybody is asked', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    const { attempts } = await shop.recordsOf(data.orderId);
    const key = attempts[0]?.id ?? '';
    await shop.db.execute(`update attempts set currency = 'KES' where id = '${key}'`);
    const asked = shop.asked.length;
    const answer = await shop.deps.gateways.paypal?.authorise({
      key,
      brand: 'lumen',
      merchantName: 'Lumen',
      methodCode: 'paypal',
      amount: 100,
      currency: 'KES',
      installments: 1,
      payer: {},
      returnUrl: 'http://localhost/paymentResult',
      orderLabel: data.orderId,
    });
    expect(answer).toEqual({ state: 'failed', failure: 'currencyUnsupported' });
    expect(shop.asked).toHaveLength(asked);
  });
});

describe('money at PayPal', () => {
  it('that is under review is waited for, and comes or does not', async () => {
    const ana = await shop.buyer();
    const held = (status: string) => async (answer: Response) =>
      new Response(
        (await answer.text()).replace('"status":"COMPLETED","amount"', `"status":"${status}","amount"`),
        answer,
      );
    for (const [status, ends] of [
      ['COMPLETED', 'PAYMENT_SUCCEEDED'],
      ['DECLINED', 'PAYMENT_FAILED'],
    ] as const) {
      const { data } = await ana.pay(byPaypal);
      await shop.press(pageAt(data.next), 'approve');
      shop.spoil(once('/capture', held('PENDING')));
      expect((await shop.back(data)).data).toMatchObject({ status: 'PAYMENT_PENDING', next: { type: 'none' } });
      const [order] = (await shop.recordsOf(data.orderId)).paypal;
      shop.spoil(once(`/v2/checkout/orders/${order?.id}`, held(status)));
      await shop.reconciled();
      shop.spoil(undefined);
      expect(await shop.statusOf(ana, data.orderId)).toBe(ends);
    }
  });

  it('of another amount than the one that was asked for changes nothing', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    await shop.press(pageAt(data.next), 'approve');
    const less = async (answer: Response) =>
      new Response((await answer.text()).replaceAll(/"value":"[\d.]+"/g, '"value":"0.01"'), answer);
    shop.spoil(once('/capture', less));
    expect((await shop.back(data)).data.status).toBe('PAYMENT_PENDING');
    shop.spoil(undefined);
    expect(shop.logged()).toContain('another amount');
    await shop.reconciled();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
  });

  it('is given back once, whoever asks again', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    const key = (await shop.recordsOf(data.orderId)).attempts[0]?.id ?? '';
    expect(await shop.deps.gateways.paypal?.refund(key)).toBe(false);
    await shop.press(pageAt(data.next), 'approve');
    await shop.back(data);
    shop.spoil(once('/refund', 'after'));
    expect(await shop.deps.gateways.paypal?.refund(key)).toBe(false);
    shop.spoil(undefined);
    expect(await shop.deps.gateways.paypal?.refund(key)).toBe(true);
    expect((await shop.recordsOf(data.orderId)).paypal).toMatchObject([{ refunded: true }]);
  });

  it('is not taken any more once the payment was given up', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    const key = (await shop.recordsOf(data.orderId)).attempts[0]?.id ?? '';
    expect(await shop.deps.gateways.paypal?.cancel(key)).toEqual({ state: 'failed', failure: 'paymentCancelled' });
    await shop.press(pageAt(data.next), 'approve');
    await shop.db.execute(`update attempts set state = 'FAILED' where id = '${key}'`);
    expect(await shop.deps.gateways.paypal?.inquire(key)).toMatchObject({ state: 'failed' });
    expect(await shop.deps.gateways.paypal?.confirm(key)).toMatchObject({ state: 'failed' });
    expect((await shop.recordsOf(data.orderId)).paypal).toMatchObject([{ status: 'APPROVED', captureId: null }]);
  });
});
