import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { orders } from '#server/db/schema/orders.ts';
import { cancelAbandonedOrders } from '#server/jobs/start-jobs.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { aCoupon, usesOf } from '#tests/builders/a-coupon.ts';
import { putDue } from '#tests/builders/due-rows.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';

let opened: Awaited<ReturnType<typeof openOnPostgres>>;
let shop: TestApp;
beforeAll(async () => {
  opened = await openOnPostgres();
  shop = await testApp({ db: opened.db });
}, 120_000);
afterAll(() => opened?.close());

const four = [1, 2, 3, 4];
const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

it('four processes cancel hundreds of abandoned orders once each, and every coupon is free again', async () => {
  const count = 350;
  await putDue(shop.db, { count, now: shop.clock.now, name: 'left' });
  const code = await aCoupon(shop.db, { maxUses: count, used: count });
  const left = sql`${orders.orderId} like 'left-left-%'`;
  await shop.db.update(orders).set({ discountCode: code }).where(left);
  // the oldest of them is still being paid
  await shop.db.update(orders).set({ expiresAt: 1 }).where(eq(orders.orderId, 'left-left-7'));
  await shop.db.update(attempts).set({ state: 'PENDING' }).where(eq(attempts.id, 'left-left-7'));
  const counts = await Promise.all(four.map(() => cancelAbandonedOrders(shop.deps)));
  const again = await cancelAbandonedOrders(shop.deps);
  expect(sum(counts) + again).toBe(count - 1);
  expect(await usesOf(shop.db, code)).toBe(1);
  const rows = await shop.db.select({ id: orders.orderId, status: orders.status }).from(orders).where(left);
  expect(rows.filter(({ status }) => status !== 'PAYMENT_CANCELLED')).toEqual([
    { id: 'left-left-7', status: 'PAYMENT_PENDING' },
  ]);
});

it('four processes ask about each waiting payment once, those whose outcome is unknown first', async () => {
  await putDue(shop.db, { count: 300, now: shop.clock.now, name: 'wait' });
  await shop.db
    .update(attempts)
    .set({ state: 'INTENT' })
    .where(sql`${attempts.id} like 'wait-waits-2__'`);
  const asked: string[] = [];
  const { sandbox } = shop.deps.gateways;
  if (!sandbox) throw new Error('no sandbox');
  const inquire = async (key: string) => {
    asked.push(key);
    await new Promise(setImmediate);
    return { state: 'unknown' as const };
  };
  const deps = { ...shop.deps, gateways: { sandbox: { ...sandbox, inquire } } };
  await Promise.all(four.map(() => reconcile(deps)));
  const waiting = asked.filter((key) => key.startsWith('wait-waits-'));
  expect(new Set(waiting).size).toBe(300);
  expect(waiting).toHaveLength(300);
  expect(waiting.slice(0, 40).filter((key) => !/-2\d\d$/.test(key))).toEqual([]);
  expect(await reconcile(deps)).toBe(0);
});

it('a payment that waits is asked about less often as it grows older, and at its end', async () => {
  await shop.db.update(attempts).set({ state: 'FAILED' });
  await putDue(shop.db, { count: 3, now: shop.clock.now, name: 'grow' });
  const now = shop.clock.now;
  const minute = 60_000;
  const waits = (index: number, changed: Partial<typeof attempts.$inferInsert>) =>
    shop.db
      .update(attempts)
      .set(changed)
      .where(eq(attempts.id, `grow-waits-${index}`));
  // forty minutes old, an eighth of which is five minutes
  await waits(1, { createdAt: now - 40 * minute, updatedAt: now, expiresAt: null });
  await waits(2, { createdAt: now - 40 * minute, updatedAt: now, expiresAt: now + minute });
  await waits(3, { createdAt: now - 900 * minute, updatedAt: now, expiresAt: now + 900 * minute });
  const askedAfter = async (ms: number) => {
    shop.clock.now = now + ms;
    const asked: string[] = [];
    const { sandbox } = shop.deps.gateways;
    const inquire = async (key: string) => asked.push(key) && { state: 'unknown' as const };
    await reconcile({ ...shop.deps, gateways: { sandbox: { ...sandbox, inquire } as NonNullable<typeof sandbox> } });
    return asked.map((key) => key.slice(-1)).toSorted();
  };
  expect(await askedAfter(minute - 1)).toEqual([]);
  expect(await askedAfter(minute)).toEqual(['2']);
  // its end has passed: as often as one may be asked about at all
  expect(await askedAfter(minute + 29_999)).toEqual([]);
  expect(await askedAfter(minute + 30_000)).toEqual(['2']);
  expect(await askedAfter(5 * minute)).toEqual(['1', '2']);
  expect(await askedAfter(10 * minute)).toEqual(['2', '3']);
});
