import { describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { renewDue } from '#server/jobs/renew-due.ts';
import { sandboxPaypalAccounts } from '#sandbox/schema.ts';
import { advanceDays } from '#tests/builders/a-renewal.ts';
import { aCard } from '#tests/builders/a-shop.ts';
import {
  accountsOf,
  buyWithRenewal,
  ordersPath,
  refuses,
  subjectsTo,
  takenAtPaypal,
  withPaypalShop,
  untilCharge,
} from '#tests/builders/paypal-renewal.ts';
import { byPaypal, once, sendEvent, type PaypalShop } from '#tests/builders/paypal-shop.ts';

let shop: PaypalShop;
withPaypalShop((opened) => (shop = opened));

const hourMs = 60 * 60_000;

describe('a renewal by PayPal', () => {
  it('that is declined is retried, reported in PayPal’s words, and ends without a payment', async () => {
    const ana = await buyWithRenewal(shop);
    await shop.db.update(sandboxPaypalAccounts).set({ declines: true });
    await advanceDays(shop, 29.5);
    expect(await ana.info()).toMatchObject({ status: 'pastDue', history: [{ status: 'PAYMENT_FAILED' }] });
    expect(await subjectsTo(shop, ana)).toContain('PayPal declined your payment');
    await advanceDays(shop, 20);
    expect(await ana.row()).toMatchObject({ status: 'ended' });
    expect(await takenAtPaypal(shop, ana)).toEqual([]);
    await shop.db.update(sandboxPaypalAccounts).set({ declines: false });
  });

  it('that needs the payer is left to the customer', async () => {
    const ana = await buyWithRenewal(shop);
    await untilCharge(shop);
    shop.spoil(once(ordersPath, refuses('PAYER_ACTION_REQUIRED')));
    await renewDue(shop.deps);
    expect(await ana.told()).toEqual(['notice', 'confirm']);
    expect(await ana.mail('confirm')).toContain('PayPal needs your confirmation');
  });

  it.each(['before', 'after'] as const)(
    'whose answer is lost %s it stays unknown, and then charges once',
    async (how) => {
      const ana = await buyWithRenewal(shop);
      await untilCharge(shop);
      shop.spoil(once(ordersPath, how));
      await renewDue(shop.deps);
      expect(await ana.info()).toMatchObject({ status: 'renewing', history: [{ status: 'SUBMITTED' }] });
      const off = await shop.request(endpoints.updateRenewStatus, { body: { status: 'off' } }, ana);
      expect(off.errCode).toBe(6207);
      shop.spoil(undefined);
      await shop.reconciled();
      expect(await ana.info()).toMatchObject({ status: 'on', history: [{ status: 'PAYMENT_SUCCEEDED' }] });
      expect(await takenAtPaypal(shop, ana)).toEqual([1990]);
    },
  );

  it.each([
    ['taken', 'after', 'on'],
    ['not taken', 'before', 'pastDue'],
  ] as const)('that PayPal has %s, but may have forgotten, is never charged again', async (_what, how, becomes) => {
    const ana = await buyWithRenewal(shop);
    await untilCharge(shop);
    shop.spoil((request, reach) => {
      if (!new URL(request.url).pathname.endsWith(ordersPath)) return undefined;
      if (how === 'before') throw new Error('no connection');
      return reach(request).then(() => Promise.reject(new Error('the connection was cut')));
    });
    await renewDue(shop.deps);
    await shop.reconciled();
    shop.spoil(undefined);
    shop.clock.advance(5.5 * hourMs);
    const asked = shop.asked.length;
    await shop.reconciled();
    expect(await ana.info()).toMatchObject({ status: how === 'after' ? 'on' : 'renewing' });
    shop.clock.advance(5 * hourMs);
    await shop.reconciled();
    expect(await ana.info()).toMatchObject({ status: becomes });
    expect(await takenAtPaypal(shop, ana)).toHaveLength(how === 'after' ? 1 : 0);
    expect(
      shop.asked.slice(asked).filter(({ method, path }) => method === 'POST' && path.endsWith(ordersPath)),
    ).toEqual([]);
  });

  it('stays unknown while PayPal refuses to search for it, until its notice arrives', async () => {
    const ana = await buyWithRenewal(shop);
    await untilCharge(shop);
    shop.spoil((request, reach) => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith('/transactions'))
        return Promise.resolve(Response.json({ name: 'NOT_AUTHORIZED', details: [] }, { status: 403 }));
      if (!pathname.endsWith(ordersPath)) return undefined;
      return reach(request).then(() => Promise.reject(new Error('the connection was cut')));
    });
    await renewDue(shop.deps);
    shop.clock.advance(30 * hourMs);
    await shop.reconciled();
    expect(await ana.info()).toMatchObject({ status: 'renewing' });
    expect(shop.logged()).toContain('enable Transaction Search');
    await shop.deliver(1000);
    await shop.deliver(1000);
    expect(await ana.info()).toMatchObject({ status: 'on' });
    expect(await takenAtPaypal(shop, ana)).toEqual([1990]);
  });

  it('under review is paid when PayPal has finished', async () => {
    const ana = await buyWithRenewal(shop);
    const withStatus = (status: string) => async (answer: Response) =>
      new Response(
        (await answer.text()).replace('"status":"COMPLETED","amount"', `"status":"${status}","amount"`),
        answer,
      );
    await untilCharge(shop);
    shop.spoil(once(ordersPath, withStatus('PENDING')));
    await renewDue(shop.deps);
    expect(await ana.info()).toMatchObject({ status: 'renewing', history: [{ status: 'PAYMENT_PENDING' }] });
    shop.clock.advance(hourMs);
    await reconcile(shop.deps);
    expect(await ana.info()).toMatchObject({ status: 'on' });
    expect(await takenAtPaypal(shop, ana)).toEqual([1990]);
  });

  it('is charged once by several processes', async () => {
    const renewing = [await buyWithRenewal(shop), await buyWithRenewal(shop), await buyWithRenewal(shop)];
    for (const hours of [22 * 24, 7 * 24, 24]) {
      shop.clock.advance(hours * hourMs);
      await Promise.all([renewDue(shop.deps), renewDue(shop.deps), reconcile(shop.deps), renewDue(shop.deps)]);
    }
    await shop.reconciled();
    for (const ana of renewing) {
      expect(await takenAtPaypal(shop, ana)).toEqual([1990]);
      expect(await ana.charges()).toHaveLength(1);
      expect(await ana.told()).toEqual(['notice']);
    }
  });
});

describe('a PayPal account', () => {
  it('that its owner removes at PayPal ends the renewal, once, with a message', async () => {
    const ana = await buyWithRenewal(shop);
    const [account] = await accountsOf(shop, ana);
    const removed = { id: 'WH-removed-1', event_type: 'VAULT.PAYMENT-TOKEN.DELETED', resource: { id: account?.token } };
    for (let times = 0; times < 2; times += 1) expect(await sendEvent(shop, removed)).toBe(200);
    expect(await ana.info()).toMatchObject({ status: 'off', card: null });
    expect(await accountsOf(shop, ana)).toEqual([]);
    expect(await ana.told()).toEqual(['off']);
    expect(await ana.mail('off')).toContain('stopped at PayPal');
    await advanceDays(shop, 40);
    expect(await takenAtPaypal(shop, ana)).toEqual([]);
  });

  it('can be removed here once it renews nothing, and is removed at PayPal too', async () => {
    const ana = await buyWithRenewal(shop);
    const [account] = await accountsOf(shop, ana);
    const body = { cardId: account?.cardId ?? '' };
    const remove = () => shop.request(endpoints.deleteCard, { body }, ana);
    expect((await remove()).errCode).toBe(1021);
    await shop.request(endpoints.updateRenewStatus, { body: { status: 'off' } }, ana);
    shop.spoil(once(account?.token ?? '-', 'after'));
    expect((await remove()).errCode).toBe(1022);
    expect((await remove()).code).toBe(0);
    expect(await accountsOf(shop, ana)).toEqual([]);
    const left = await shop.db.select().from(sandboxPaypalAccounts);
    expect(left.map(({ id }) => id)).not.toContain(account?.token);
    await shop.deliver(1000);
    expect(await ana.told()).toEqual(['off']);
  });

  it('pays for nothing but renewals: its owner approves a purchase at PayPal', async () => {
    const ana = await buyWithRenewal(shop);
    const [account] = await accountsOf(shop, ana);
    const paid = await ana.pay({ ...byPaypal, cardId: account?.cardId });
    expect(paid.errCode).toBe(5000);
  });

  it('can be replaced by a card, and chosen again', async () => {
    const ana = await buyWithRenewal(shop);
    const [account] = await accountsOf(shop, ana);
    await ana.pay({ card: { ...aCard(), save: true } });
    const cards = (await shop.request(endpoints.listCard, { body: {} }, ana)).data;
    const card = cards.find(({ last4 }) => last4 !== '');
    const use = (cardId = '') =>
      shop.request(endpoints.changeCard, { body: { cardId } }, { ...ana, idempotencyKey: crypto.randomUUID() });
    expect((await use(card?.cardId)).data).toMatchObject({ card: { last4: '4242' } });
    expect((await use(account?.cardId)).data).toMatchObject({
      card: { account: 'b***@example.com' },
    });
    expect(await subjectsTo(shop, ana)).toContain('Your plan now renews with PayPal');
  });
});
