import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outbox } from '#server/db/schema/outbox.ts';
import { throttles } from '#server/db/schema/sign-in.ts';
import { sessions } from '#server/db/schema/users.ts';
import { sandboxNotices } from '#sandbox/schema.ts';
import { deleteExpiredRows } from '#server/jobs/delete-expired-rows.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { deliverNotices } from '#sandbox/bank/deliver-notices.ts';
import { aShop, byPix, type Shop } from '#tests/builders/a-shop.ts';
import { sandbox } from '#sandbox/sandbox.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const receiptTo = (to: string) => shop.sent.filter((mail) => mail.to === to && /payment/.test(mail.subject));

describe('a receipt by email', () => {
  it('is sent once, from the brand, with the days that were bought', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay();
    await sendOutbox(shop.deps);
    expect(await sendOutbox(shop.deps)).toBe(0);
    const [receipt, ...more] = receiptTo(ana.account);
    expect(more).toEqual([]);
    expect(receipt?.from).toBe(`Lumen <${shop.deps.env.MAIL_FROM}>`);
    expect(receipt?.text).toContain(data.orderId);
    expect(receipt?.text).toContain('December 21, 2026');
  });

  it('is retried after growing delays if the mail server did not accept it', async () => {
    const ana = await shop.buyer();
    await ana.pay();
    await shop.db.delete(outbox).where(eq(outbox.subject, 'Welcome'));
    const broken = { ...shop.deps, mailer: { send: () => Promise.reject(new Error('the post office is closed')) } };
    expect(await sendOutbox(broken)).toBe(0);
    expect(await sendOutbox(shop.deps)).toBe(0);
    shop.clock.advance(30_000);
    expect(await sendOutbox(broken)).toBe(0);
    shop.clock.advance(30_000);
    expect(await sendOutbox(shop.deps)).toBe(0);
    shop.clock.advance(30_000);
    await sendOutbox(shop.deps);
    expect(receiptTo(ana.account)).toHaveLength(1);
  });
});

describe('expired rows', () => {
  it('are deleted, and unexpired ones are retained', async () => {
    const ana = await shop.buyer();
    await shop.db.insert(throttles).values([
      { key: 'old', count: 1, resetsAt: shop.clock.now },
      { key: 'new', count: 1, resetsAt: shop.clock.now + 60_000 },
    ]);
    expect(await deleteExpiredRows(shop.deps)).toBeGreaterThan(0);
    const keys = (await shop.db.select().from(throttles)).map((row) => row.key);
    expect(keys.filter((key) => key === 'old' || key === 'new')).toEqual(['new']);
    expect(await shop.db.select().from(sessions).where(eq(sessions.uid, ana.uid))).toHaveLength(1);
  });
});

describe('a notice that the server could not receive', () => {
  it('is delivered again by the bank', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPix);
    await shop.press(data.next.type === 'qr' ? (data.next.bankUrl ?? '') : '', 'pay');
    shop.clock.advance(300);
    const down = async () => Promise.reject(new Error('nobody is there'));
    await deliverNotices(shop.deps, { secret: 's', origin: 'http://localhost', deliver: down });
    expect(await shop.db.select().from(sandboxNotices)).toMatchObject([{ repeats: 2 }]);
    expect(await shop.deliver(2000)).toBe(1);
    expect((await shop.books()).ledger.filter((entry) => entry.orderId === data.orderId)).toHaveLength(1);
  });
});

describe('the scheduled jobs', () => {
  it('book a paid Pix payment, and stop on request', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPix);
    const stop = startJobs(shop.deps, {
      deliverNotices: (deps) => sandbox.deliverNotices(deps, async (notice) => shop.app.request(notice)),
    });
    await shop.press(data.next.type === 'qr' ? (data.next.bankUrl ?? '') : '', 'pay');
    shop.clock.advance(300);
    const captured = async () => (await shop.books()).ledger.some((entry) => entry.orderId === data.orderId);
    await expect.poll(captured, { timeout: 5000 }).toBe(true);
    await stop();
  });
});
