import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { plans } from '#server/db/schema/brands.ts';
import { readSettings } from '#server/env.ts';
import { nairobiTime } from '#server/payments/mpesa/client.ts';
import { aCoupon } from '#tests/builders/a-coupon.ts';
import { byMpesa } from '#tests/builders/mpesa-shop.ts';
import { mpesaAccess } from '#tests/fixtures/mpesa/server.ts';

/** Paying by M-Pesa. Its callbacks and failures have files of their own. */
const setup = byMpesa();
const { host, wish, gateway, callBack, anOrder, booked, tries } = setup;

describe('paying by M-Pesa', () => {
  it('sends a prompt to the phone, and succeeds by the callback with its receipt number', async () => {
    const { orderId, status, next, statusOf } = await anOrder();
    expect(status).toBe('PAYMENT_PENDING');
    expect(next).toMatchObject({ type: 'push', amount: { amount: 45_000 } });
    expect(next).toHaveProperty('phone', `+254 ${'•'.repeat(7)}${setup.mpesa.pushes.at(-1)?.phone.slice(-2)}`);
    expect(setup.mpesa.pushes.at(-1)).toMatchObject({ amount: 450, reference: orderId.slice(-12) });
    expect(setup.mpesa.pushes.at(-1)?.phone).toMatch(/^254712/);
    expect(await callBack('0')).toBe(200);
    expect(await statusOf()).toBe('PAYMENT_SUCCEEDED');
    expect(await booked(orderId)).toEqual(['capture 45000']);
    expect(await tries(orderId)).toMatchObject([
      { state: 'SUCCEEDED', providerRef: setup.mpesa.pushes.at(-1)?.receipt },
    ]);
  });

  it.each([
    ['no money on the account', '1', 'PAYMENT_FAILED', 302],
    ['a no on the phone', '1032', 'PAYMENT_FAILED', 2007],
    ['a wrong PIN', '2001', 'PAYMENT_FAILED', 2003],
    ['too many questions at once', '26', 'PAYMENT_FAILED', -3031],
    ['a question that could not be sent', '9999', 'PAYMENT_FAILED', 2003],
    ['another question on the phone', '1001', 'PAYMENT_FAILED', -3031],
    ['the same amount twice in two minutes', '17', 'PAYMENT_FAILED', -3031],
    ['an operator that does not exist', 'SFC_IC0003', 'PAYMENT_FAILED', 2003],
    ['a question that ran out', '1019', 'PAYMENT_PENDING', null],
    ['a phone that is off', '1037', 'PAYMENT_PENDING', null],
  ])('reports %s, and the order can be paid again', async (_what, result, status, failureCode) => {
    const { ana, orderId, statusOf } = await anOrder();
    expect(await callBack(result)).toBe(200);
    expect(await statusOf()).toBe(status);
    expect((await tries(orderId))[0]).toMatchObject({ failureCode });
    const again = await ana.repay(orderId, wish());
    expect(again.data).toMatchObject({ status: 'PAYMENT_PENDING', next: { type: 'push' } });
    await callBack('0');
    expect(await booked(orderId)).toEqual(['capture 45000']);
  });

  it('accepts whole Kenyan shillings and Kenyan numbers', async () => {
    expect(['KES', 'XOF'].map((currency) => gateway().takes('mpesa', currency))).toEqual([true, false]);
    const { orderId } = await anOrder();
    await callBack('1032');
    const rest = {
      brand: 'baobab',
      merchantName: 'Baobab',
      methodCode: 'mpesa',
      currency: 'KES',
      installments: 1,
      returnUrl: '',
    };
    const request = { ...rest, diallingCode: '254', orderLabel: orderId, payer: { phone: '712345678' } };
    const before = setup.mpesa.pushes.length;
    expect(await gateway().authorise({ ...request, key: 'a', amount: 45_050 })).toEqual({
      state: 'failed',
      failure: 'currencyUnsupported',
    });
    expect(await gateway().authorise({ ...request, key: 'b', amount: 100, payer: { phone: '612345678' } })).toEqual({
      state: 'failed',
      failure: 'paymentFailed',
    });
    expect(setup.mpesa.pushes.length).toBe(before);
  });

  it('formats the time of Nairobi', () => {
    expect(nairobiTime(Date.UTC(2026, 11, 31, 22, 5, 9))).toBe('20270101010509');
  });
});

describe('the settings of M-Pesa', () => {
  it('are all set or all missing', () => {
    const { MPESA_PASSKEY: _, ...rest } = mpesaAccess;
    expect(() => readSettings({ NODE_ENV: 'test', ...rest })).toThrow(/MPESA_SHORT_CODE: must be set together with/);
    const { MPESA_SECURITY_CREDENTIAL: __, ...noPassword } = mpesaAccess;
    expect(() => readSettings({ NODE_ENV: 'test', ...noPassword })).toThrow(
      /MPESA_INITIATOR: must be set together with/,
    );
  });

  it('are checked by requesting a token', async () => {
    expect(await gateway().check?.()).toMatchObject({ isReachable: true });
    setup.mpesa.failNext(/oauth/, {
      status: 400,
      body: { errorCode: '400.008.01', errorMessage: 'Invalid authentication type passed' },
    });
    expect((await gateway().check?.())?.says).toContain('MPESA_CONSUMER_KEY');
  });
});

describe('a price above the M-Pesa limit', () => {
  it('is offered by other methods only, and is refused before an order is placed', async () => {
    const ana = await setup.shop.buyer({ host });
    const own = and(eq(plans.brand, 'baobab'), eq(plans.id, '501'));
    const offersAt = async (price: number) => {
      await setup.shop.db
        .update(plans)
        .set({ prices: { KES: price } })
        .where(own);
      await setup.shop.deps.catalog.refresh();
      const body = { planId: '501', currency: 'KES' };
      return (await setup.shop.request(endpoints.paymentMethods, { body }, ana)).data.map(({ code }) => code);
    };
    try {
      expect(await offersAt(25_000_000)).toContain('mpesa');
      expect(await offersAt(25_000_100)).not.toContain('mpesa');
      const asked = setup.mpesa.pushes.length;
      expect(await ana.pay(wish())).toMatchObject({ errCode: -2502 });
      expect(setup.mpesa.pushes).toHaveLength(asked);
    } finally {
      await offersAt(45_000);
    }
  });
});

describe('a price with a fraction of a shilling', () => {
  it('is rounded down before it is shown, and is paid as shown', async () => {
    const ana = await setup.shop.buyer({ host });
    const code = await aCoupon(setup.shop.db, { brand: 'baobab', value: 33 });
    const asked = { planId: '501', methodCode: 'mpesa', currency: 'KES', discountCode: code };
    const quote = await setup.shop.request(endpoints.goodsValuation, { body: asked }, ana);
    expect(quote.data).toMatchObject({ original: { amount: 45_000 }, total: { amount: 30_100 } });
    const { orderId, next } = (await ana.pay({ ...wish(), discountCode: code })).data;
    expect(next).toMatchObject({ type: 'push', amount: { amount: 30_100 } });
    await callBack('0');
    expect(await booked(orderId)).toEqual(['capture 30100']);
  });
});
