import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import { renewDue } from '#server/jobs/renew-due.ts';
import { aRenewing, day, clearRenewals, advanceDays, withRenewal, type Renewing } from '#tests/builders/a-renewal.ts';
import { aCard, aShop, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterEach(() => clearRenewals(shop));
afterAll(() => shop.close());

const refusedCard = aCard('4000000000003022');

/** A customer whose card was declined at the end of the month, at the time of the first decline. */
async function aDeclinedRenewal(card = refusedCard): Promise<{ ana: Renewing; ends: number }> {
  const ana = await aRenewing(shop, { card });
  const ends = shop.clock.now + 30 * day;
  await advanceDays(shop, 29);
  return { ana, ends };
}

const triesOf = async ({ uid }: Renewing) => {
  const tries = await shop.db.select().from(attempts).where(eq(attempts.uid, uid)).orderBy(attempts.createdAt);
  return tries.slice(1);
};

describe('a renewal whose card is declined', () => {
  it('is retried after 1, 3 and 5 days with a message each, and ends after a grace period of a week', async () => {
    const { ana, ends } = await aDeclinedRenewal();
    const first = shop.clock.now;
    expect(await ana.info()).toMatchObject({
      status: 'pastDue',
      terms: { nextChargeAt: first + day },
      endsAt: ends,
      graceUntil: ends + 7 * day,
      history: [{ status: 'PAYMENT_FAILED', last4: '3022' }],
    });
    await advanceDays(shop, 4);
    const info = await shop.request(
      endpoints.queryInfo,
      { body: { uid: ana.uid, account: ana.account, type: 'email' } },
      ana,
    );
    expect(info.data).toMatchObject({ expiredTime: ends + 7 * day, bizRemainingDays: 0 });
    await advanceDays(shop, 1);
    expect((await triesOf(ana)).map(({ createdAt }) => (createdAt - first) / day)).toEqual([0, 1, 3, 5]);
    expect(await ana.told()).toEqual(['notice', 'refused', 'refused', 'refused', 'refused']);
    expect(await ana.mail('refused')).toContain('That was the last try');
    expect(await ana.info()).toMatchObject({ status: 'pastDue', graceUntil: ends + 7 * day });
    await advanceDays(shop, 4);
    expect(await ana.told()).toHaveLength(6);
    expect(await ana.mail('ended')).toContain('/plan-details/101');
    expect(await ana.info()).toMatchObject({ status: 'ended', graceUntil: null, endsAt: ends });
    expect(await ana.charges()).toHaveLength(1);
    await advanceDays(shop, 40);
    expect(await triesOf(ana)).toHaveLength(4);
    expect(await ana.told()).toHaveLength(6);
  });

  it('has one grace period until a renewal is paid, however often a period is bought manually', async () => {
    const { ana } = await aDeclinedRenewal();
    await advanceDays(shop, 12);
    expect(await ana.info()).toMatchObject({ status: 'ended' });
    for (let month = 0; month < 2; month += 1) {
      await ana.pay({ card: refusedCard, renew: true });
      const { paid } = await ana.access();
      await advanceDays(shop, 29);
      expect(await ana.info()).toMatchObject({ status: 'pastDue', graceUntil: null, endsAt: paid });
      expect(await ana.access()).toEqual({ paid, grace: null });
      expect(await ana.mail('refused')).toMatch(/We will try again on .* What you have paid for lasts until/);
      await advanceDays(shop, 6);
      // the same number of attempts as with a grace period
      expect((await triesOf(ana)).slice(-4).every(({ state }) => state === 'FAILED')).toBe(true);
      expect(await ana.mail('refused')).toContain('your plan does not renew any more');
      expect(await ana.info()).toMatchObject({ status: 'ended', endsAt: paid });
      expect(await ana.access()).toEqual({ paid, grace: null });
    }
    await ana.pay({ renew: true });
    await advanceDays(shop, 30);
    expect(await ana.info()).toMatchObject({ status: 'on' });
    expect((await ana.row()).graceSpent).toBe(false);
  });

  it('is retried without a grace period, and a later payment starts on its day', async () => {
    const { ana } = await aDeclinedRenewal();
    await advanceDays(shop, 12);
    await ana.pay({ card: refusedCard, renew: true });
    await advanceDays(shop, 32);
    expect(await ana.info()).toMatchObject({ status: 'pastDue', graceUntil: null });
    const body = { methodCode: 'card', card: aCard(), payer: {} };
    const changed = await shop.request(endpoints.changeCard, { body }, { ...ana, idempotencyKey: crypto.randomUUID() });
    expect(changed.data).toMatchObject({ status: 'on', endsAt: shop.clock.now + 30 * day });
    expect((await ana.row()).graceSpent).toBe(false);
  });

  it('continues at once with another card, and the grace period counts as paid days', async () => {
    const { ana, ends } = await aDeclinedRenewal();
    await advanceDays(shop, 3);
    const body = { methodCode: 'card', card: aCard(), payer: {} };
    const idempotencyKey = crypto.randomUUID();
    const changed = await shop.request(endpoints.changeCard, { body }, { ...ana, idempotencyKey });
    expect(changed.data).toMatchObject({
      status: 'on',
      card: { last4: '4242' },
      endsAt: ends + 30 * day,
      graceUntil: null,
      history: [{ status: 'PAYMENT_SUCCEEDED', last4: '4242' }],
    });
    expect(await ana.access()).toEqual({ paid: ends + 30 * day, grace: null });
    await advanceDays(shop, 30);
    expect((await ana.charges()).map(({ status, period }) => [status, period])).toEqual([
      ['PAYMENT_SUCCEEDED', 1],
      ['PAYMENT_SUCCEEDED', 2],
    ]);
  });

  it('charges a declined saved card at most ten times an hour, however often the change is sent', async () => {
    const { ana } = await aDeclinedRenewal();
    const cardId = (await ana.row()).cardId ?? '';
    const before = (await triesOf(ana)).length;
    const answers: number[] = [];
    for (let n = 0; n < 14; n += 1) {
      const key = { ...ana, idempotencyKey: crypto.randomUUID() };
      answers.push((await shop.request(endpoints.changeCard, { body: { cardId } }, key)).errCode ?? 0);
    }
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 0), -3031, -3031, -3031, -3031]);
    expect((await triesOf(ana)).length - before).toBe(10);
    // the job does not charge it either because of these attempts
    await advanceDays(shop, 0.05, 1);
    expect((await triesOf(ana)).length - before).toBe(10);
  });

  it('charges the shown price once, and nothing for another declined card', async () => {
    const { ana } = await aDeclinedRenewal();
    const { terms, card } = await ana.info();
    const change = (number: string) => {
      const body = { methodCode: 'card', card: aCard(number), payer: {} };
      return shop.request(endpoints.changeCard, { body }, { ...ana, idempotencyKey: crypto.randomUUID() });
    };
    const paid = async () => (await ana.charges()).filter(({ status }) => status === 'PAYMENT_SUCCEEDED');
    expect(card).toMatchObject({ last4: '3022' });
    expect((await change('4000000000003022')).data).toMatchObject({ status: 'pastDue', card: { last4: '3022' } });
    expect(await paid()).toEqual([]);
    expect((await change('5555555555554444')).data).toMatchObject({ status: 'on', card: { last4: '4444' } });
    expect(await paid()).toMatchObject([{ total: terms.price.amount, currency: terms.price.currency }]);
    // a renewal that is on is not charged when its card changes
    expect((await change('4242424242424242')).data).toMatchObject({ status: 'on', card: { last4: '4242' } });
    expect(await paid()).toHaveLength(1);
  });

  it('can be paid manually by its order, and continues', async () => {
    const { ana, ends } = await aDeclinedRenewal();
    await advanceDays(shop, 2);
    const [order] = await ana.charges();
    const paid = await ana.repay(order?.orderId ?? '', { card: aCard('5555555555554444'), renew: true });
    expect(paid.data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await ana.info()).toMatchObject({ status: 'on', card: { last4: '4444' }, endsAt: ends + 30 * day });
    expect(await ana.row()).toMatchObject({ period: 2, orderId: null, refusals: 0 });
  });

  it('is not charged while the customer pays manually', async () => {
    const { ana } = await aDeclinedRenewal();
    const [order] = await ana.charges();
    shop.clock.advance(1000);
    const pix = await ana.repay(order?.orderId ?? '', { methodCode: 'pix', card: undefined });
    expect(pix.data.next.type).toBe('qr');
    shop.clock.advance(day);
    await renewDue(shop.deps);
    expect(await ana.row()).toMatchObject({ status: 'pastDue', refusals: 1 });
    expect((await triesOf(ana)).map(({ methodCode }) => methodCode)).toEqual(['card', 'pix']);
  });

  it('is not retried after it was turned off, which ends the grace period', async () => {
    const { ana, ends } = await aDeclinedRenewal();
    await advanceDays(shop, 2);
    const off = await shop.request(endpoints.updateRenewStatus, { body: { status: 'off' } }, ana);
    expect(off.data).toMatchObject({ status: 'off', graceUntil: null, endsAt: ends });
    expect(await ana.access()).toEqual({ paid: ends, grace: null });
    await advanceDays(shop, 10);
    expect(await triesOf(ana)).toHaveLength(2);
    expect(await ana.row()).toMatchObject({ status: 'ended', dueAt: null });
    expect(await ana.told()).not.toContain('ended');
  });
});

describe('a renewal whose bank requires authentication', () => {
  it.each(['4000000000004012', '4000000000003220'])(
    'asks the customer to pay with card %s by a link in an email',
    async (number) => {
      const ana = await shop.buyer().then(async (buyer) => {
        const paid = await buyer.pay({ card: aCard(number), renew: true });
        if (paid.data.next.type === 'redirect') await shop.press(new URL(paid.data.next.url).pathname, 'approve');
        await shop.deliver(1000);
        return buyer;
      });

      const eva = await withRenewal(shop, ana);
      const { paid: ends } = await eva.access();
      await advanceDays(shop, 29);
      const [order] = await eva.charges();
      expect(order).toMatchObject({ status: 'PAYMENT_PENDING', expiresAt: ends + 7 * day, underReview: false });
      expect(await eva.told()).toEqual(['notice', 'confirm']);
      expect(await eva.mail('confirm')).toContain(`http://localhost:3000/payment?orderId=${order?.orderId}`);
      expect(await eva.info()).toMatchObject({ status: 'pastDue', graceUntil: ends + 7 * day });
      const [card] = (await shop.request(endpoints.listCard, { body: {} }, eva)).data;
      await eva.repay(order?.orderId ?? '', { card: undefined, cardId: card?.cardId, cardCode: '123' });
      const { next } = (await shop.request(endpoints.paymentInfo, { body: { orderId: order?.orderId ?? '' } }, eva))
        .data;
      if (next.type === 'redirect') await shop.press(new URL(next.url).pathname, 'approve');
      await shop.deliver(1000);
      expect(await eva.info()).toMatchObject({ status: 'on', endsAt: ends + 30 * day, graceUntil: null });
    },
  );
});

describe('a renewal whose bank', () => {
  it('loses the answer is queried, and has charged once', async () => {
    const { ana, ends } = await aDeclinedRenewal(aCard('4000000000005043'));
    expect(await ana.info()).toMatchObject({ status: 'renewing', history: [{ status: 'SUBMITTED' }] });
    const off = await shop.request(endpoints.updateRenewStatus, { body: { status: 'off' } }, ana);
    expect(off.errCode).toBe(6207);
    expect((await shop.request(endpoints.queryCart, { body: {} }, ana)).data.items).toEqual([]);
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    expect(await ana.info()).toMatchObject({ status: 'on', endsAt: ends + 30 * day });
    expect(await triesOf(ana)).toHaveLength(1);
  });

  it('does not answer for a day counts as declined', async () => {
    const { ana } = await aDeclinedRenewal(aCard('4000000000005035'));
    for (const hours of [1, 6, 12]) {
      shop.clock.advance(hours * 3_600_000);
      await reconcile(shop.deps);
      await renewDue(shop.deps);
      expect(await ana.info()).toMatchObject({ status: 'renewing' });
    }
    shop.clock.advance(day);
    await reconcile(shop.deps);
    expect(await ana.info()).toMatchObject({ status: 'pastDue', history: [{ status: 'PAYMENT_FAILED' }] });
    expect(await triesOf(ana)).toHaveLength(1);
  });

  it('answers later is paid then', async () => {
    const { ana, ends } = await aDeclinedRenewal(aCard('4000000000002024'));
    expect(await ana.info()).toMatchObject({ status: 'renewing', history: [{ status: 'PAYMENT_PENDING' }] });
    expect((await shop.request(endpoints.queryCart, { body: {} }, ana)).data.items).toEqual([]);
    await shop.deliver(3 * 60_000);
    await shop.deliver(1000);
    expect(await ana.info()).toMatchObject({ status: 'on', endsAt: ends + 30 * day });
  });

  it('reports another card uses it from then on', async () => {
    const { ana, ends } = await aDeclinedRenewal(aCard('4000000000002057'));
    expect(await ana.info()).toMatchObject({
      status: 'on',
      card: { last4: '2058', expiryYear: 2033 },
      endsAt: ends + 30 * day,
    });
    const cards = await shop.db.select().from(savedCards).where(eq(savedCards.uid, ana.uid));
    expect(cards).toHaveLength(1);
    await advanceDays(shop, 30);
    expect(await ana.charges()).toMatchObject([{ status: 'PAYMENT_SUCCEEDED' }, { status: 'PAYMENT_SUCCEEDED' }]);
  });
});

describe('a card that expires before the next charge', () => {
  it('is reported once, with the notice', async () => {
    const ana = await aRenewing(shop, { card: { ...aCard(), expiry: thisMonth() } });
    await advanceDays(shop, 28);
    expect(await ana.told()).toEqual(['notice', 'card']);
    expect(await ana.info()).toMatchObject({ cardEndsBefore: true });
    await advanceDays(shop, 2);
    expect(await ana.info()).toMatchObject({ status: 'pastDue' });
  });
});

/** The current month as a card expiry; the test clock is in the first half of the month. */
function thisMonth(): string {
  const now = new Date(shop.clock.now);
  return `${String(now.getUTCMonth() + 1).padStart(2, '0')}/${String(now.getUTCFullYear() % 100)}`;
}
