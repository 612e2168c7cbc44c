import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { noticeWindowMs } from '#server/payments/notice-signature.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const aPendingOrder = async () => {
  const { uid } = await shop.buyer();
  return anOrder(shop.db, { uid }, { status: 'PAYMENT_PENDING', attempt: { state: 'PENDING' } });
};

const notify = (notice: object | string, sent?: { at?: number; secret?: string }) => sendNotice(shop, notice, sent);

const stateOf = async (orderId: string) => {
  const [order] = await shop.db.select().from(orders).where(eq(orders.orderId, orderId));
  const entries = await shop.db.select().from(ledger).where(eq(ledger.orderId, orderId));
  return { status: order?.status, books: entries.map((entry) => entry.kind).toSorted() };
};

describe('a notice of the provider', () => {
  it('pays its order once, however often it arrives', async () => {
    const { order, attempt } = await aPendingOrder();
    const notice = aNotice(attempt.id);
    expect([await notify(notice), await notify(notice), await notify(aNotice(attempt.id))]).toEqual([200, 200, 200]);
    expect(await stateOf(order.orderId)).toEqual({ status: 'PAYMENT_SUCCEEDED', books: ['capture'] });
  });

  it('is accepted only with the signature of the provider', async () => {
    const { order, attempt } = await aPendingOrder();
    expect(await notify(aNotice(attempt.id), { secret: 'a guess' })).toBe(401);
    const unsigned = await shop.app.request('/webhooks/sandbox', {
      method: 'POST',
      body: JSON.stringify(aNotice(attempt.id)),
    });
    expect(unsigned.status).toBe(401);
    expect(await stateOf(order.orderId)).toEqual({ status: 'PAYMENT_PENDING', books: [] });
  });

  it('is refused if it is replayed later', async () => {
    const { order, attempt } = await aPendingOrder();
    expect(await notify(aNotice(attempt.id), { at: shop.clock.now - noticeWindowMs - 1 })).toBe(401);
    expect(await stateOf(order.orderId)).toEqual({ status: 'PAYMENT_PENDING', books: [] });
  });

  it.each(['', '{', '[]', '{"id":"evt_12345678"}', JSON.stringify(aNotice('not-a-key'))])(
    'that is malformed is refused: %s',
    async (body) => {
      expect(await notify(body)).toBe(401);
    },
  );

  it('with another amount or currency changes nothing', async () => {
    const { order, attempt } = await aPendingOrder();
    await notify(aNotice(attempt.id, { amount: 1 }));
    await notify(aNotice(attempt.id, { currency: 'USD' }));
    expect(await stateOf(order.orderId)).toEqual({ status: 'PAYMENT_PENDING', books: [] });
    await notify(aNotice(attempt.id));
    expect(await stateOf(order.orderId)).toEqual({ status: 'PAYMENT_SUCCEEDED', books: ['capture'] });
  });

  it('about a payment of another installation is accepted and counted if its signature is valid', async () => {
    const counted = async () => {
      const { text } = { text: await (await shop.app.request('/metrics')).text() };
      return Number(/^foreign_notices_total\{gateway="sandbox"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    const before = await counted();
    const foreign = aNotice(crypto.randomUUID());
    expect([await notify(foreign), await notify(foreign)]).toEqual([200, 200]);
    expect(await counted()).toBe(before + 2);
    expect(
      (await shop.app.request('/webhooks/sandbox', { method: 'POST', body: JSON.stringify(foreign) })).status,
    ).toBe(401);
    expect(await counted()).toBe(before + 2);
  });

  it('of an unknown provider is not found', async () => {
    expect((await shop.app.request('/webhooks/constructor', { method: 'POST', body: '{}' })).status).toBe(404);
  });

  it('that is too large is not read', async () => {
    const body = 'x'.repeat(70_000);
    expect((await shop.app.request('/webhooks/sandbox', { method: 'POST', body })).status).toBe(413);
  });

  it('of a chargeback before its payment books both', async () => {
    const { order, attempt } = await aPendingOrder();
    await notify(aNotice(attempt.id, { event: 'chargeback' }));
    await notify(aNotice(attempt.id));
    expect(await stateOf(order.orderId)).toEqual({ status: 'CHARGEBACK_PENDING', books: ['capture', 'chargeback'] });
  });

  it('of a decline after the payment does not revoke it', async () => {
    const { order, attempt } = await aPendingOrder();
    await notify(aNotice(attempt.id));
    await notify(aNotice(attempt.id, { status: 'declined', declineCode: 301 }));
    expect(await stateOf(order.orderId)).toEqual({ status: 'PAYMENT_SUCCEEDED', books: ['capture'] });
  });

  it('of a payment after a decline is booked', async () => {
    const { order, attempt } = await aPendingOrder();
    await notify(aNotice(attempt.id, { status: 'declined', declineCode: 301 }));
    expect((await stateOf(order.orderId)).status).toBe('PAYMENT_FAILED');
    await notify(aNotice(attempt.id));
    expect(await stateOf(order.orderId)).toEqual({ status: 'PAYMENT_SUCCEEDED', books: ['capture'] });
    const [after] = await shop.db.select().from(attempts).where(eq(attempts.id, attempt.id));
    expect(after).toMatchObject({ state: 'SUCCEEDED', failureCode: null });
  });
});
