import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { aCoupon } from '#tests/builders/a-coupon.ts';
import { advanceDays, day, renewalAttempts } from '#tests/builders/a-renewal.ts';
import {
  accountsOf,
  buyWithRenewal,
  ordersPath,
  refuses,
  subjectsTo,
  takenAtPaypal,
  withPaypalShop,
} from '#tests/builders/paypal-renewal.ts';
import { byPaypal, once, pageAt, sendEvent, type PaypalShop } from '#tests/builders/paypal-shop.ts';

let shop: PaypalShop;
withPaypalShop((opened) => (shop = opened));

describe('a plan bought with PayPal', () => {
  it('renews by the PayPal account, which is shown masked like a saved card', async () => {
    const ana = await buyWithRenewal(shop);
    const { paid: ends } = await ana.access();
    const sent = shop.asked.findLast(({ path, method }) => method === 'POST' && path.endsWith(ordersPath));
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      payment_source: { paypal: { attributes: { vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT' } } } },
    });
    const account = { brand: 'paypal', last4: '', account: 'b***@example.com', expired: false, usable: true };
    expect(await ana.info()).toMatchObject({ status: 'on', card: account, cardEndsBefore: false, offered: true });
    expect((await shop.request(endpoints.listCard, { body: {} }, ana)).data).toMatchObject([account]);
    await advanceDays(shop, 22);
    expect(await ana.mail('notice')).toContain('We’ll charge your PayPal account on');
    expect(await ana.mail('notice')).toContain('b***@example.com');
    await advanceDays(shop, 8);
    expect(await ana.charges()).toMatchObject([{ status: 'PAYMENT_SUCCEEDED', total: 1990, period: 1 }]);
    expect(await ana.access()).toEqual({ paid: ends + 30 * day, grace: null });
    const [attempt] = await renewalAttempts(shop, ana);
    const charge = shop.asked.find(({ requestId }) => requestId === attempt?.id);
    expect(JSON.parse(charge?.body ?? '')).toMatchObject({
      purchase_units: [{ custom_id: attempt?.id, amount: { currency_code: 'BRL', value: '19.90' } }],
      payment_source: {
        paypal: {
          vault_id: (await accountsOf(shop, ana))[0]?.token,
          stored_credential: { payment_initiator: 'MERCHANT', usage: 'SUBSEQUENT' },
        },
      },
    });
  });

  it('does not renew and saves nothing without the customer’s consent', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    expect(shop.asked.findLast(({ path }) => path.endsWith(ordersPath))?.body).not.toContain('vault');
    await shop.press(pageAt(data.next), 'approve');
    expect((await shop.back(data)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await shop.db.select().from(savedCards).where(eq(savedCards.uid, ana.uid))).toEqual([]);
    const info = (await shop.request(endpoints.renewInfo, {}, ana)).data;
    expect(info).toMatchObject({ status: 'off', card: null });
  });

  it.each(['before', 'after'] as const)('renews if the capture’s answer is lost %s it', async (how) => {
    shop.spoil(once('/capture', how));
    const ana = await buyWithRenewal(shop);
    shop.spoil(undefined);
    await shop.reconciled();
    expect(await ana.info()).toMatchObject({ status: 'on', card: { account: 'b***@example.com' } });
  });

  it('renews if the notice of the capture is faster than its answer', async () => {
    shop.spoil(once('/capture', 'after'));
    const ana = await buyWithRenewal(shop);
    shop.spoil(undefined);
    await shop.deliver(1000);
    await shop.deliver(1000);
    expect(await ana.info()).toMatchObject({ status: 'on', card: { account: 'b***@example.com' } });
    expect(await accountsOf(shop, ana)).toHaveLength(1);
  });

  it('offers no renewal for a purchase that costs nothing', async () => {
    const ana = await shop.buyer();
    await aCoupon(shop.db, { code: 'FREE100', value: 100, maxUses: 9 });
    const priced = { planId: '101', methodCode: 'paypal', currency: 'BRL', discountCode: 'FREE100' };
    expect((await shop.request(endpoints.goodsValuation, { body: priced }, ana)).data.renewal).toBeNull();
    const agreed = await ana.pay({ ...byPaypal, renew: true, discountCode: 'FREE100' });
    expect(agreed.errCode).toBe(4598);
    expect((await ana.pay({ ...byPaypal, discountCode: 'FREE100' })).data.status).toBe('PAYMENT_SUCCEEDED');
  });
});

describe('an account that PayPal saves after the payment', () => {
  const late = async (answer: Response) =>
    new Response(
      (await answer.text()).replace(/"vault":\{"id":"\w+","status":"VAULTED"/, '"vault":{"status":"APPROVED"'),
      answer,
    );

  it('turns the renewal on when its notice arrives, once, and confirms it', async () => {
    shop.spoil(once('/capture', late));
    const ana = await buyWithRenewal(shop);
    expect(await accountsOf(shop, ana)).toEqual([]);
    expect(await ana.info()).toMatchObject({ status: 'off' });
    await shop.deliver(1000);
    await shop.deliver(1000);
    expect(await ana.info()).toMatchObject({ status: 'on', card: { account: 'b***@example.com' } });
    expect((await subjectsTo(shop, ana)).filter((subject) => subject === 'Automatic renewal is on')).toHaveLength(1);
    await advanceDays(shop, 30);
    expect(await takenAtPaypal(shop, ana)).toEqual([1990]);
  });

  it('turns nothing on after the payment was refunded', async () => {
    shop.spoil(once('/capture', late));
    const ana = await buyWithRenewal(shop);
    const tries = (await shop.recordsOf(ana.orderId)).attempts;
    await sendEvent(shop, {
      event_type: 'PAYMENT.CAPTURE.REFUNDED',
      resource: { id: 'R1', status: 'COMPLETED', custom_id: tries[0]?.id, links: [] },
    });
    await shop.deliver(1000);
    expect((await shop.request(endpoints.renewInfo, {}, ana)).errCode).toBe(6201);
    expect(await subjectsTo(shop, ana)).not.toContain('Automatic renewal is on');
  });

  it('is refused until its payment is recorded, so that PayPal reports it again', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay({ ...byPaypal, renew: true });
    const [order] = (await shop.recordsOf(data.orderId)).paypal;
    const event = {
      event_type: 'VAULT.PAYMENT-TOKEN.CREATED',
      resource: { id: 'early123', metadata: { order_id: order?.id } },
    };
    expect(await sendEvent(shop, event)).toBe(401);
    const foreign = { ...event, resource: { id: 'other123', metadata: { order_id: 'NOBODYS0ORDER' } } };
    expect(await sendEvent(shop, foreign)).toBe(200);
  });
});

describe('a shop whose PayPal saves no accounts', () => {
  it('still sells by PayPal, without a renewal, says so in its log and metrics, and keeps what renews', async () => {
    const eva = await buyWithRenewal(shop);
    const refusal = refuses('NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE');
    shop.spoil(once(ordersPath, refusal));
    const ana = await buyWithRenewal(shop);
    expect(await shop.statusOf(ana, ana.orderId)).toBe('PAYMENT_SUCCEEDED');
    expect(await ana.info()).toMatchObject({ status: 'off' });
    expect(shop.logged()).toContain('does not save accounts for this shop');
    expect(await shop.deps.metrics.registry.metrics()).toContain(
      'vault_refusals_total{gateway="paypal",brand="lumen"} 1',
    );
    const methods = async () =>
      (await shop.request(endpoints.paymentMethods, { body: { planId: '101', currency: 'BRL' } }, ana)).data.find(
        ({ code }) => code === 'paypal',
      );
    expect(await methods()).toMatchObject({ renews: false, savesCard: false });
    await advanceDays(shop, 30);
    expect(await takenAtPaypal(shop, eva)).toEqual([1990]);
    expect(await methods()).toMatchObject({ renews: true, savesCard: false });
  });

  it('loses no payment if the answer to the second order is lost', async () => {
    let refused = false;
    shop.spoil((request, reach) => {
      if (!new URL(request.url).pathname.endsWith(ordersPath)) return undefined;
      if (!request.headers.get('paypal-request-id')?.endsWith('-unsaved')) {
        return Promise.resolve(
          Response.json({ name: 'X', details: [{ issue: 'NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE' }] }, { status: 403 }),
        );
      }
      if (refused) return undefined;
      refused = true;
      return reach(request).then(() => Promise.reject(new Error('the connection was cut')));
    });
    const ana = await shop.buyer();
    const { data } = await ana.pay({ ...byPaypal, renew: true });
    expect(data).toMatchObject({ status: 'SUBMITTED' });
    await shop.reconciled();
    const info = await shop.request(endpoints.paymentInfo, { body: { orderId: data.orderId } }, ana);
    await shop.press(pageAt(info.data.next), 'approve');
    expect((await shop.back(data)).data.status).toBe('PAYMENT_SUCCEEDED');
  });
});
