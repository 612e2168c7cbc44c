import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { btcpayGateway } from '#server/payments/btcpay/gateway.ts';
import { byBtcpay } from '#tests/builders/by-btcpay.ts';
import { coinsOf, inCoins } from '#tests/builders/in-coins.ts';
import { btcpayAccess } from '#tests/fixtures/btcpay/routes.ts';

/** What happens when BTCPay Server is not reached, or answers half. */
const minute = 60_000;
const capture = 'capture 399 USD';
const story = byBtcpay();
const { keyOf, gateway, deliverAll, ask, anAddress } = story;

describe('when the wire to BTCPay Server breaks', () => {
  it.each(['inside', 'after'] as const)(
    '%s the answer, the invoice that was made is found by our key, and only one is',
    async (fault) => {
      const ana = await story.shop.buyer();
      story.btcpay.failNext(/POST .*\/invoices$/, fault);
      const { data } = await ana.pay(inCoins());
      expect(data).toMatchObject({ status: 'SUBMITTED', next: { type: 'none' } });
      await ask();
      expect(coinsOf(await story.stories.nextOf(ana, data.orderId)).options).toHaveLength(3);
      const key = await keyOf(data.orderId);
      expect(story.btcpay.invoices.filter(({ request }) => request.metadata?.orderId === key)).toHaveLength(1);
    },
  );

  it('before it hears of an invoice, the order can be paid again', async () => {
    const ana = await story.shop.buyer();
    story.btcpay.failNext(/POST .*\/invoices$/, 'before');
    const { data } = await ana.pay(inCoins());
    await ask();
    expect((await story.stories.orderOf(ana, data.orderId)).status).toBe('PAYMENT_FAILED');
    expect((await ana.repay(data.orderId, inCoins())).data).toMatchObject({ next: { type: 'crypto' } });
  });

  it.each([429, 500])('an answer %s says nothing, and is asked for again', async (status) => {
    const { ana, orderId, key } = await anAddress();
    story.btcpay.failNext(/GET .*\/invoices\//, { status, body: { code: 'busy' } });
    await ask();
    expect((await story.stories.orderOf(ana, orderId)).status).toBe('PAYMENT_PENDING');
    story.btcpay.pay(key, { status: 'Settled' });
    story.btcpay.deliveries.splice(0);
    await ask();
    expect(await story.stories.booked(orderId)).toEqual([capture]);
  });

  it('for ten minutes, nobody waits longer for an address that they were not shown', async () => {
    const ana = await story.shop.buyer();
    story.btcpay.failNext(/GET .*\/invoices$/, { status: 503 });
    const { data } = await ana.pay(inCoins());
    story.btcpay.failNext(/GET .*\/invoices$/, { status: 503 });
    story.shop.clock.advance(10 * minute);
    await reconcile(story.shop.deps);
    expect((await story.stories.orderOf(ana, data.orderId)).status).toBe('PAYMENT_FAILED');
  });

  it('and no answer comes at all, nothing is concluded', async () => {
    const { key } = await anAddress();
    const send = (request: Request) => fetch(request, { signal: AbortSignal.timeout(50) });
    const store = { url: story.btcpay.origin, ...btcpayAccess, currencies: ['USD'], confirmations: 1, send };
    story.btcpay.failNext(/GET .*\/invoices\//, 'silent');
    expect(await btcpayGateway(store, story.shop.deps).inquire(key)).toEqual({ state: 'unknown' });
  });

  it('a key that is authorised twice, or at once in two places, has addresses of which any pays once', async () => {
    const { orderId, key } = await anAddress();
    await story.shop.db.update(attempts).set({ providerRef: null }).where(eq(attempts.id, key));
    const wish = { key, brand: 'lumen', merchantName: 'Lumen', methodCode: 'crypto', amount: 399, currency: 'USD' };
    const again = { ...wish, installments: 1, payer: {}, returnUrl: 'http://localhost/', orderLabel: orderId };
    expect((await gateway().authorise(again)).providerRef).toBe(story.btcpay.invoices.at(-1)?.id);
    const other = structuredClone(story.btcpay.invoices.at(-1)) ?? expect.fail();
    story.btcpay.invoices.push({ ...other, id: `${other.id}9` });
    story.btcpay.pay(key, { status: 'Settled' });
    await deliverAll();
    await deliverAll();
    expect(await story.stories.booked(orderId)).toEqual([capture]);
  });
});
