import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { languages } from '#contract/fields.ts';
import * as endpoints from '#contract/index.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { users } from '#server/db/schema/users.ts';
import { refundParts } from '#server/jobs/refund-parts.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { byPix, expiryOf, type Buyer } from '#tests/builders/a-shop.ts';
import { month, partialRefunds, reason } from '#tests/builders/partial-refunds.ts';

const desk = partialRefunds();
const { aPaidOrder, part, stateOf } = desk;

const mailsTo = async ({ account }: Buyer) =>
  (await desk.operator.shop.db.select().from(outbox).where(eq(outbox.recipient, account))).map(
    ({ subject, text }) => `${subject}\n${text}`,
  );

const daysUnchanged = /days stay the same|dias continuam iguais|días siguen igual|дни не меняются/;

describe('a partial refund by an operator', () => {
  it('keeps the order and its days, and emails the customer; refunding the rest is a full refund', async () => {
    const { shop, run } = desk.operator;
    const { buyer, orderId } = await aPaidOrder();
    const end = shop.clock.now + month;
    const result = await part(orderId, '5.00', '--json');
    expect(result, result.told).toMatchObject({ code: 0 });
    expect(result.facts).toEqual([{ orderId, amount: 500, currency: 'BRL', number: 1, state: 'SUCCEEDED' }]);
    expect(result.told).toContain('14.90 BRL remain, and its days continue');
    const once = { status: 'PAYMENT_SUCCEEDED', refunded: 500, parts: ['SUCCEEDED 500'] };
    expect(await stateOf(orderId)).toEqual({ ...once, books: ['capture 1990', 'part 1 -500'] });
    expect(await expiryOf(shop.db, buyer.uid)).toBe(end);
    const order = await shop.request(endpoints.order, { params: { id: orderId } }, { token: buyer.token });
    expect(order.data).toMatchObject({ status: 'PAYMENT_SUCCEEDED', refunded: { amount: 500, currency: 'BRL' } });
    const mails = (await mailsTo(buyer)).filter((mail) => mail.includes('Part of your money'));
    expect(mails).toEqual([expect.stringMatching(/Your days stay the same[\s\S]*5[.,]00/)]);

    const repeated = await part(orderId, '5.00');
    expect([repeated.code, repeated.told]).toEqual([1, expect.stringContaining('Add --again')]);
    expect(await stateOf(orderId)).toMatchObject(once);
    expect((await part(orderId, '5', '--again')).code).toBe(0);
    expect((await part(orderId, '9.91')).told).toContain('too much: 9.90 BRL');
    expect((await part(orderId, '9.90')).told).toContain('are refunded');
    expect(await stateOf(orderId)).toEqual({
      status: 'REFUND_SUCCEEDED',
      refunded: 1990,
      books: ['capture 1990', 'part 1 -500', 'part 2 -500', 'refund -990'],
      parts: ['SUCCEEDED 500', 'SUCCEEDED 500'],
    });
    expect(await expiryOf(shop.db, buyer.uid)).toBe(shop.clock.now);
    expect((await part(orderId, '1')).told).toContain('is refunded, or is being refunded');
    const shown = await run('orders', 'show', orderId, '--json');
    expect(shown.facts).toMatchObject([
      { refunds: [{ number: 1, state: 'SUCCEEDED', by: 'shop', ends: false }, { number: 2 }] },
    ]);
    const changes = await shop.db.select().from(auditLog).where(eq(auditLog.subject, orderId)).orderBy(auditLog.at);
    expect(changes).toHaveLength(3);
    expect(changes[0]?.detail).toEqual({ amount: 500, currency: 'BRL', number: 1, ends: false });
  });

  it('does not mention the days in the email once they have passed, in any language', async () => {
    const { shop } = desk.operator;
    const { buyer, orderId } = await aPaidOrder();
    shop.clock.advance(month + 1);
    for (const [index, language] of languages.entries()) {
      await shop.db.update(users).set({ language }).where(eq(users.uid, buyer.uid));
      expect((await part(orderId, `1.0${index}`)).code).toBe(0);
    }
    const mails = (await mailsTo(buyer)).filter((mail) => /1[.,]0\d/.test(mail));
    expect(mails).toHaveLength(languages.length);
    for (const mail of mails) expect(mail).not.toMatch(daysUnchanged);
  });

  it.each([
    [1, true],
    [month + 1, false],
  ])('and a whole one mention the end of the days only if some remain: after %i ms', async (passed, mentioned) => {
    const { buyer, orderId } = await aPaidOrder();
    desk.operator.shop.clock.advance(passed);
    expect((await part(orderId, '19.90')).code).toBe(0);
    const mails = (await mailsTo(buyer)).filter((mail) => mail.includes('Your refund is on its way'));
    expect(mails.map((mail) => mail.includes('The remaining days of this order have ended'))).toEqual([mentioned]);
  });

  it('ends the days if the operator requests it', async () => {
    const { buyer, orderId } = await aPaidOrder();
    expect((await part(orderId, '10.00', '--end')).told).toContain('its days have ended');
    expect(await expiryOf(desk.operator.shop.db, buyer.uid)).toBe(desk.operator.shop.clock.now);
    const service = await desk.operator.shop.request(
      endpoints.service,
      { params: { id: orderId } },
      { token: buyer.token },
    );
    expect(service.data?.changes).toMatchObject([{ kind: 'shortened', because: 'refund', orderId }]);
    const [shown] = (await desk.operator.run('orders', 'show', orderId, '--json')).facts;
    expect(shown).toMatchObject({ serviceChanges: [{ kind: 'shortened', because: 'refund', days: 30 }] });
    expect(await stateOf(orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', refunded: 1000 });
    expect((await part(orderId, '1.00')).told).toContain('8.90 BRL remain, and its days have ended');
    expect((await mailsTo(buyer)).some((mail) => mail.includes('The remaining days of this order have ended'))).toBe(
      true,
    );
  });

  it('is refused with a reason and writes nothing if it is not possible', async () => {
    const { orderId } = await aPaidOrder();
    for (const amount of ['5.001', '0', '-1', 'five', '1e2']) {
      const result = await part(orderId, amount);
      expect([amount, result.code, result.told]).toEqual([amount, 2, expect.stringContaining('2 decimals at most')]);
    }
    expect((await desk.operator.run('orders', 'refund', orderId, '--end', reason)).code).toBe(2);
    expect((await part(orderId, '1990')).told).toContain('too much: 19.90 BRL');
    expect((await part((await aPaidOrder(byPix)).orderId, '1')).told).toContain('Nothing was paid');
    expect(await stateOf(orderId)).toEqual({
      status: 'PAYMENT_SUCCEEDED',
      refunded: 0,
      books: ['capture 1990'],
      parts: [],
    });
  });

  it('shows the operator why the bank rejected it, and allows another one', async () => {
    const { orderId } = await aPaidOrder();
    expect((await part(orderId, '4.91')).told).toContain('the bank gives no part of this payment back');
    expect(await stateOf(orderId)).toMatchObject({ refunded: 0, books: ['capture 1990'], parts: ['REJECTED 491'] });
    desk.operator.shop.clock.advance(600_000);
    expect(await refundParts(desk.operator.shop.deps)).toBe(0);
    expect((await part(orderId, '4.90')).code).toBe(0);
    expect(await stateOf(orderId)).toMatchObject({ refunded: 490, books: ['capture 1990', 'part 2 -490'] });
  });

  it('is requested again under the same number after a lost answer, and refunds once', async () => {
    const { orderId } = await aPaidOrder();
    const result = await part(orderId, '4.92');
    expect([result.code, result.told]).toEqual([0, expect.stringContaining('has not refunded 4.92 BRL yet')]);
    expect(await stateOf(orderId)).toMatchObject({ refunded: 0, parts: ['ASKED 492'], books: ['capture 1990'] });
    expect((await part(orderId, '1.00')).told).toContain('are being refunded');
    expect((await desk.operator.run('orders', 'refund', orderId, reason)).told).toContain(
      'the remaining amount is unknown',
    );
    desk.operator.shop.clock.advance(60_000);
    expect(await refundParts(desk.operator.shop.deps)).toBe(1);
    expect(await refundParts(desk.operator.shop.deps)).toBe(0);
    expect(desk.requested.map(({ number }) => number)).toEqual([1, 1]);
    expect(await stateOf(orderId)).toMatchObject({ refunded: 492, books: ['capture 1990', 'part 1 -492'] });
  });

  it('is booked once when it succeeds late, and the repeated command reports it', async () => {
    const { orderId, key } = await aPaidOrder();
    await part(orderId, '4.93');
    expect((await part(orderId, '4.93')).told).toContain('has not refunded 4.93 BRL yet');
    desk.operator.shop.clock.advance(60_000);
    const refundNotice = { event: 'refund', stage: 'succeeded', part: { amount: 493, number: 1 } };
    const notice = aNotice(key, refundNotice);
    expect(await sendNotice(desk.operator.shop, notice)).toBe(200);
    expect(await sendNotice(desk.operator.shop, notice)).toBe(200);
    expect(await sendNotice(desk.operator.shop, aNotice(key, refundNotice))).toBe(200);
    await refundParts(desk.operator.shop.deps);
    expect(await stateOf(orderId)).toMatchObject({ refunded: 493, parts: ['SUCCEEDED 493'] });
    expect((await part(orderId, '4.93')).told).toContain('Add --again');
  });

  it('refunds once wherever the process dies and however many processes run', async () => {
    const { orderId } = await aPaidOrder();
    const given: number[] = [];
    desk.intercept = async (one, bank) => {
      await bank(one);
      given.push(one.number);
      throw new Error('killed');
    };
    await expect(part(orderId, '3.00')).rejects.toThrow('killed');
    expect(await stateOf(orderId)).toMatchObject({ refunded: 0, parts: ['ASKED 300'] });
    desk.intercept = async () => {
      throw new Error('killed before');
    };
    desk.operator.shop.clock.advance(60_000);
    expect(await refundParts(desk.operator.shop.deps)).toBe(0);
    desk.intercept = undefined;
    desk.operator.shop.clock.advance(60_000);
    const counts = await Promise.all([1, 2, 3].map(() => refundParts(desk.operator.shop.deps)));
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(1);
    const again = await Promise.all([part(orderId, '2.00'), part(orderId, '2.00')]);
    expect(again.filter(({ code }) => code === 0).length).toBeGreaterThan(0);
    expect(await stateOf(orderId)).toMatchObject({
      refunded: 500,
      books: ['capture 1990', 'part 1 -300', 'part 2 -200'],
    });
  });

  it('is offered only by gateways that can repeat it safely', async () => {
    const { payssion, sandbox } = desk.operator.shop.deps.gateways;
    expect([payssion?.refundPart, typeof sandbox?.refundPart]).toEqual([undefined, 'function']);
  });
});
