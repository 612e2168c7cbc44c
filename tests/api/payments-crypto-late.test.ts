import { eq } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import { sandboxNotices } from '#sandbox/schema.ts';
import { cancelAbandonedOrders, repayGraceMs } from '#server/jobs/start-jobs.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { aCoinShop, coinsOf, coinStories, inCoins, type Wire } from '#tests/builders/coin-shop.ts';

const capture = 'capture 399 USD';
const forward: Wire = (request, onward) => onward(request);
let network = forward;
const shop = await aCoinShop(() => network);
const { anAddress, anOrder, booked, chargeOf, choose, chosenOf, confirm, nextOf, orderOf, pageText } =
  coinStories(shop);
afterAll(() => shop.close());

describe('a payment address that has expired', () => {
  it('is not shown; the same order gets a new address for any coin', async () => {
    const { ana, orderId, expiresAt, chosen } = await anAddress();
    shop.clock.now = expiresAt;
    expect(await nextOf(ana, orderId)).toEqual({ type: 'none' });
    expect((await choose(ana, orderId, 'btc-bitcoin')).data).toMatchObject({ next: { type: 'none' } });
    const renewed = await ana.repay(orderId, inCoins());
    expect(renewed.data).toMatchObject({ orderId, status: 'PAYMENT_PENDING', next: { type: 'crypto', chosen: null } });
    const again = coinsOf((await choose(ana, orderId, 'usdt-tron')).data.next);
    expect(again.chosen?.address).not.toBe(chosen.address);
    await shop.press(again.page, 'all');
    await confirm();
    expect(await booked(orderId)).toEqual([capture]);
  });

  it('is credited when the missing coins arrive late, even after the order was cancelled', async () => {
    const { ana, orderId, expiresAt, page } = await anAddress();
    await shop.press(page, 'half');
    shop.clock.now = expiresAt;
    await reconcile(shop.deps);
    await shop.press(page, 'missing');
    expect(await pageText(page)).toContain('Too late');
    shop.clock.advance(repayGraceMs + 1);
    expect(await cancelAbandonedOrders(shop.deps)).toBeGreaterThan(0);
    await shop.press(page, 'late');
    await shop.deliver(300);
    expect((await orderOf(ana, orderId)).status).toBe('PAYMENT_CANCELLED');
    await confirm();
    expect((await orderOf(ana, orderId)).status).toBe('PAYMENT_SUCCEEDED');
    expect(await booked(orderId)).toEqual([capture]);
  });

  it('is refunded if the new address was paid too', async () => {
    const { ana, orderId, expiresAt, page } = await anAddress();
    shop.clock.now = expiresAt;
    await ana.repay(orderId, inCoins());
    const again = coinsOf((await choose(ana, orderId, 'usdt-ethereum')).data.next);
    await shop.press(again.page, 'all');
    await confirm();
    await shop.press(page, 'late');
    await confirm();
    expect(await booked(orderId)).toEqual([capture, capture]);
    expect(await refundDuplicates(shop.deps)).toBe(1);
    expect(await booked(orderId)).toEqual([capture, capture, 'refund -399 USD']);
  });
});

describe('cancelling a payment with coins', () => {
  it('has no effect if something has arrived', async () => {
    const { orderId, page } = await anAddress();
    const { key } = await chargeOf(orderId);
    await shop.press(page, 'half');
    expect(await shop.deps.gateways.coins?.cancel(key)).toMatchObject({ state: 'pending' });
    await shop.press(page, 'missing');
    await confirm();
    expect(await shop.deps.gateways.coins?.cancel(key)).toMatchObject({ state: 'succeeded' });
    expect(await booked(orderId)).toEqual([capture]);
  });

  it('closes the address if nothing has arrived', async () => {
    const { orderId, page } = await anAddress();
    const { key } = await chargeOf(orderId);
    expect(await shop.deps.gateways.coins?.cancel(key)).toMatchObject({ state: 'failed', failure: 'paymentCancelled' });
    await shop.press(page, 'all');
    expect(await pageText(page)).toContain('Closed');
    expect((await chargeOf(orderId)).details.received).toBe('0');
  });
});

describe('a connection failure to the provider', () => {
  it('after the payment was created finds it with all its coins', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(inCoins('LOSTANSWER'));
    expect(data).toMatchObject({ status: 'SUBMITTED', next: { type: 'none' } });
    expect((await choose(ana, data.orderId, 'usdt-tron')).errCode).toBe(4598);
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    const { page } = coinsOf((await choose(ana, data.orderId, 'usdt-tron')).data.next);
    await shop.press(page, 'all');
    await confirm();
    expect(await booked(data.orderId)).toEqual([capture]);
  });

  it('before the payment was created fails it, and the same order can be paid again', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(inCoins('OUTAGE'));
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    expect((await orderOf(ana, data.orderId)).status).toBe('PAYMENT_FAILED');
    expect((await ana.repay(data.orderId, inCoins())).data).toMatchObject({ next: { type: 'crypto' } });
    expect(await booked(data.orderId)).toEqual([]);
  });

  it.each(['before', 'after'] as const)(
    '%s the coin was received, choosing again results in one address',
    async (failure) => {
      const { ana, orderId } = await anOrder();
      network = async (request, onward) => {
        if (failure === 'after') await onward(request);
        throw new TypeError('fetch failed');
      };
      const lost = await choose(ana, orderId, 'btc-bitcoin');
      network = forward;
      expect(lost.data.next).toMatchObject({ type: 'crypto', chosen: null });
      const again = coinsOf((await choose(ana, orderId, 'btc-bitcoin')).data.next);
      expect(again.chosen?.coin).toBe('btc-bitcoin');
      expect(await chosenOf(ana, orderId)).toEqual(again.chosen);
    },
  );

  it('that loses every notice hides no coins, which are found by a query', async () => {
    const { ana, orderId, page } = await anAddress();
    await shop.press(page, 'half');
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    expect(await chosenOf(ana, orderId)).toMatchObject({ received: '1.995', missing: '1.995' });
    await shop.press(page, 'missing');
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    expect((await orderOf(ana, orderId)).status).toBe('PAYMENT_SUCCEEDED');
    while ((await shop.deliver(5000)) > 0);
    expect(await booked(orderId)).toEqual([capture]);
  });

  it('an outdated notice does not report coins as missing that have arrived', async () => {
    const { ana, orderId, page } = await anAddress();
    await shop.press(page, 'half');
    const { key } = await chargeOf(orderId);
    const overtaken = { dueAt: shop.clock.now + 1000 };
    await shop.db.update(sandboxNotices).set(overtaken).where(eq(sandboxNotices.key, key));
    await shop.press(page, 'missing');
    await shop.deliver(300);
    expect(await chosenOf(ana, orderId)).toMatchObject({ missing: '0' });
    expect(await shop.deliver(700)).toBe(1);
    expect(await chosenOf(ana, orderId)).toMatchObject({ missing: '0' });
    await confirm();
    expect(await booked(orderId)).toEqual([capture]);
  });
});
