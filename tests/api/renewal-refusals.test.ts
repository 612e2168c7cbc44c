import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { renewDue } from '#server/jobs/renew-due.ts';
import { aCard, aShop, type Shop } from '#tests/builders/a-shop.ts';
import {
  aDeclinedRenewal,
  aRenewing,
  day,
  clearRenewals,
  advanceDays,
  renewalAttempts,
} from '#tests/builders/a-renewal.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterEach(() => clearRenewals(shop));
afterAll(() => shop.close());

const refusedCard = aCard('4000000000003022');

describe('a renewal whose card is declined', () => {
  it('is retried after 1, 3 and 5 days with a message each, and ends after a grace period of a week', async () => {
    const { ana, ends } = await aDeclinedRenewal(shop);
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
    expect((await renewalAttempts(shop, ana)).map(({ createdAt }) => (createdAt - first) / day)).toEqual([0, 1, 3, 5]);
    expect(await ana.told()).toEqual(['notice', 'refused', 'refused', 'refused', 'refused']);
    expect(await ana.mail('refused')).toContain('That was the last try');
    expect(await ana.info()).toMatchObject({ status: 'pastDue', graceUntil: ends + 7 * day });
    await advanceDays(shop, 4);
    expect(await ana.told()).toHaveLength(6);
    expect(await ana.mail('ended')).toContain('/plan-details/101');
    expect(await ana.info()).toMatchObject({ status: 'ended', graceUntil: null, endsAt: ends });
    expect(await ana.charges()).toHaveLength(1);
    await advanceDays(shop, 40);
    expect(await renewalAttempts(shop, ana)).toHaveLength(4);
    expect(await ana.told()).toHaveLength(6);
  });

  it('has one grace period until a renewal is paid, however often a period is bought manually', async () => {
    const { ana } = await aDeclinedRenewal(shop);
    await advanceDays(shop, 12);
    expect(await ana.info()).toMatchObject({ status: 'ended' });
    for (let month = 0; month < 2; month += 1) {
      await ana.pay({ card: refusedCard, renew: true });
      const { paid } = await ana.access();
      await advanceDays(shop, 29);
      expect(await ana.info()).toMatchObject({ status: 'pastDue', graceUntil: null, endsAt: paid });
      expect(await ana.access()).toEqual({ paid, grace: null });
      expect(await ana.mail('refused')).toMatch(/We’ll try again on .* What you’ve paid for lasts until/);
      await advanceDays(shop, 6);
      // the same number of attempts as with a grace period
      expect((await renewalAttempts(shop, ana)).slice(-4).every(({ state }) => state === 'FAILED')).toBe(true);
      expect(await ana.mail('refused')).toContain('your plan will no longer renew');
      expect(await ana.info()).toMatchObject({ status: 'ended', endsAt: paid });
      expect(await ana.access()).toEqual({ paid, grace: null });
    }
    await ana.pay({ renew: true });
    await advanceDays(shop, 30);
    expect(await ana.info()).toMatchObject({ status: 'on' });
    expect((await ana.row()).graceSpent).toBe(false);
  });

  it('is retried without a grace period, and a later payment starts on its day', async () => {
    const { ana } = await aDeclinedRenewal(shop);
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
    const { ana, ends } = await aDeclinedRenewal(shop);
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
    const { ana } = await aDeclinedRenewal(shop);
    const cardId = (await ana.row()).cardId ?? '';
    const before = (await renewalAttempts(shop, ana)).length;
    const answers: number[] = [];
    for (let n = 0; n < 14; n += 1) {
      const key = { ...ana, idempotencyKey: crypto.randomUUID() };
      answers.push((await shop.request(endpoints.changeCard, { body: { cardId } }, key)).errCode ?? 0);
    }
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 0), -3031, -3031, -3031, -3031]);
    expect((await renewalAttempts(shop, ana)).length - before).toBe(10);
    // the job does not charge it either because of these attempts
    await advanceDays(shop, 0.05, 1);
    expect((await renewalAttempts(shop, ana)).length - before).toBe(10);
  });

  it('charges the shown price once, and nothing for another declined card', async () => {
    const { ana } = await aDeclinedRenewal(shop);
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
    const { ana, ends } = await aDeclinedRenewal(shop);
    await advanceDays(shop, 2);
    const [order] = await ana.charges();
    const paid = await ana.repay(order?.orderId ?? '', { card: aCard('5555555555554444'), renew: true });
    expect(paid.data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await ana.info()).toMatchObject({ status: 'on', card: { last4: '4444' }, endsAt: ends + 30 * day });
    expect(await ana.row()).toMatchObject({ period: 2, orderId: null, refusals: 0 });
  });

  it('is not charged while the customer pays manually', async () => {
    const { ana } = await aDeclinedRenewal(shop);
    const [order] = await ana.charges();
    shop.clock.advance(1000);
    const pix = await ana.repay(order?.orderId ?? '', { methodCode: 'pix', card: undefined });
    expect(pix.data.next.type).toBe('qr');
    shop.clock.advance(day);
    await renewDue(shop.deps);
    expect(await ana.row()).toMatchObject({ status: 'pastDue', refusals: 1 });
    expect((await renewalAttempts(shop, ana)).map(({ methodCode }) => methodCode)).toEqual(['card', 'pix']);
  });

  it('is not retried after it was turned off, which ends the grace period', async () => {
    const { ana, ends } = await aDeclinedRenewal(shop);
    await advanceDays(shop, 2);
    const off = await shop.request(endpoints.updateRenewStatus, { body: { status: 'off' } }, ana);
    expect(off.data).toMatchObject({ status: 'off', graceUntil: null, endsAt: ends });
    expect(await ana.access()).toEqual({ paid: ends, grace: null });
    await advanceDays(shop, 10);
    expect(await renewalAttempts(shop, ana)).toHaveLength(2);
    expect(await ana.row()).toMatchObject({ status: 'ended', dueAt: null });
    expect(await ana.told()).not.toContain('ended');
  });
});

describe('a card that expires before the next charge', () => {
  it('is reported once, with the notice', async () => {
    const today = new Date(shop.clock.now);
    // early enough in a month that the next charge is in the following one
    shop.clock.now = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 10);
    const ana = await aRenewing(shop, { card: { ...aCard(), expiry: thisMonth() } });
    await advanceDays(shop, 28);
    // both are queued at once, in no particular order
    expect((await ana.told()).toSorted()).toEqual(['card', 'notice']);
    expect(await ana.info()).toMatchObject({ cardEndsBefore: true });
    await advanceDays(shop, 2);
    expect(await ana.info()).toMatchObject({ status: 'pastDue' });
  });
});

/** The current month as a card expiry. */
function thisMonth(): string {
  const now = new Date(shop.clock.now);
  return `${String(now.getUTCMonth() + 1).padStart(2, '0')}/${String(now.getUTCFullYear() % 100)}`;
}
