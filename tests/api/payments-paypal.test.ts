import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { sandboxAccount } from '#sandbox/paypal/events.ts';
import { aPaypalShop, byPaypal, once, pageAt, type PaypalShop } from '#tests/builders/paypal-shop.ts';

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
  it('redirects to PayPal and succeeds when the payer returns', async () => {
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

  it('sends the order, the amount and the brand to PayPal, and no customer data', async () => {
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

  it('is completed in another browser without a session, by the token in the address', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    await shop.press(pageAt(data.next), 'approve');
    const back = await shop.request(endpoints.paypalCapture, { params: { id: data.resultToken } });
    expect(back.data.status).toBe('PAYMENT_SUCCEEDED');
    expect((await shop.back({ resultToken: 'nobody-has-this-token' })).errCode).toBe(1040);
  });

  it('is captured once if the payer returns twice or in several tabs', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    await shop.press(pageAt(data.next), 'approve');
    const answers = await Promise.all([shop.back(data), shop.back(data), shop.back(data)]);
    for (const answer of answers) expect(answer.data.status).toBe('PAYMENT_SUCCEEDED');
    expect((await shop.back(data)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect((await shop.recordsOf(data.orderId)).ledger).toEqual(['capture']);
  });

  it('stays pending at the same page after the payer has cancelled', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    const left = await shop.press(pageAt(data.next), 'refuse');
    expect(left.headers.get('location')).not.toContain('PayerID');
    const { data: back } = await shop.back(data);
    expect(back).toMatchObject({ status: 'PAYMENT_PENDING', next: { type: 'redirect', url: pageAt(data.next) } });
    await shop.press(pageAt(back.next), 'approve');
    expect((await shop.back(data)).data.status).toBe('PAYMENT_SUCCEEDED');
  });

  it('sends the payer back to PayPal after a declined funding source', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    const key = (await shop.recordsOf(data.orderId)).attempts[0]?.id ?? '';
    for (const _try of [1, 2]) {
      await shop.press(pageAt(data.next), 'decline');
      const { data: back } = await shop.back(data);
      expect(back).toMatchObject({ status: 'PAYMENT_PENDING', next: { type: 'redirect', url: pageAt(data.next) } });
    }
    // the job does not capture a declined funding source, although its order is approved
    const captures = () => shop.asked.filter(({ requestId }) => requestId?.startsWith(`${key}-capture`));
    await shop.reconciled();
    expect(captures()).toHaveLength(2);
    await shop.press(pageAt(data.next), 'approve');
    expect((await shop.back(data)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect((await shop.recordsOf(data.orderId)).ledger).toEqual(['capture']);
    expect(captures().map(({ requestId }) => requestId?.at(-1))).toEqual(['1', '2', '3']);
  });

  it('is captured by the job if the payer does not return', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    await shop.reconciled();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_PENDING');
    await shop.press(pageAt(data.next), 'approve');
    await shop.reconciled();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
  });

  it('expires without approval, and the order can be paid by another method', async () => {
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

  it('is captured at its expiry if the payer approved another funding source and did not return', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    await shop.press(pageAt(data.next), 'decline');
    await shop.back(data);
    await shop.press(pageAt(data.next), 'approve');
    shop.clock.advance(3 * hourMs);
    await shop.reconciled();
    expect(await shop.statusOf(ana, data.orderId)).toBe('PAYMENT_SUCCEEDED');
  });

  it('fails in a currency that PayPal does not support, without a request', async () => {
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
  it('under review keeps the payment pending until it succeeds or fails', async () => {
    const ana = await shop.buyer();
    const withCaptureStatus = (status: string) => async (answer: Response) =>
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
      shop.spoil(once('/capture', withCaptureStatus('PENDING')));
      expect((await shop.back(data)).data).toMatchObject({ status: 'PAYMENT_PENDING', next: { type: 'none' } });
      const [order] = (await shop.recordsOf(data.orderId)).paypal;
      shop.spoil(once(`/v2/checkout/orders/${order?.id}`, withCaptureStatus(status)));
      await shop.reconciled();
      shop.spoil(undefined);
      expect(await shop.statusOf(ana, data.orderId)).toBe(ends);
    }
  });

  it('with another amount than the requested one changes nothing', async () => {
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

  it('is refunded once, however often the refund is requested', async () => {
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

  it('is not captured after the payment was cancelled', async () => {
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
