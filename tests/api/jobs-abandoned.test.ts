import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { orders } from '#server/db/schema/orders.ts';
import { cancelAbandonedOrders } from '#server/jobs/start-jobs.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { aCoupon, usesOf } from '#tests/builders/a-coupon.ts';
import { insertDueWork } from '#tests/builders/due-rows.ts';
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

it('four processes cancel each abandoned order once and release every coupon', async () => {
  const count = 350;
  await insertDueWork(shop.db, { count, now: shop.clock.now, name: 'left' });
  const code = await aCoupon(shop.db, { maxUses: count, used: count });
  const abandoned = sql`${orders.orderId} like 'left-left-%'`;
  await shop.db.update(orders).set({ discountCode: code }).where(abandoned);
  // The oldest of them has a pending payment.
  await shop.db.update(orders).set({ expiresAt: 1 }).where(eq(orders.orderId, 'left-left-7'));
  await shop.db.update(attempts).set({ state: 'PENDING' }).where(eq(attempts.id, 'left-left-7'));
  const counts = await Promise.all(four.map(() => cancelAbandonedOrders(shop.deps)));
  const again = await cancelAbandonedOrders(shop.deps);
  expect(sum(counts) + again).toBe(count - 1);
  expect(await usesOf(shop.db, code)).toBe(1);
  const rows = await shop.db.select({ id: orders.orderId, status: orders.status }).from(orders).where(abandoned);
  expect(rows.filter(({ status }) => status !== 'PAYMENT_CANCELLED')).toEqual([
    { id: 'left-left-7', status: 'PAYMENT_PENDING' },
  ]);
});

it('four processes inquire about each pending payment once, unknown outcomes first', async () => {
  await insertDueWork(shop.db, { count: 300, now: shop.clock.now, name: 'wait' });
  await shop.db
    .update(attempts)
    .set({ state: 'INTENT' })
    .where(sql`${attempts.id} like 'wait-waits-2__'`);
  const inquired: string[] = [];
  const { sandbox } = shop.deps.gateways;
  if (!sandbox) throw new Error('no sandbox');
  const inquire = async (key: string) => {
    inquired.push(key);
    await new Promise(setImmediate);
    return { state: 'unknown' as const };
  };
  const deps = { ...shop.deps, gateways: { sandbox: { ...sandbox, inquire } } };
  await Promise.all(four.map(() => reconcile(deps)));
  const waiting = inquired.filter((key) => key.startsWith('wait-waits-'));
  expect(new Set(waiting).size).toBe(300);
  expect(waiting).toHaveLength(300);
  expect(waiting.slice(0, 40).filter((key) => !/-2\d\d$/.test(key))).toEqual([]);
  expect(await reconcile(deps)).toBe(0);
});

it('a pending payment is inquired about less often as it ages, and at its expiry', async () => {
  await shop.db.update(attempts).set({ state: 'FAILED' });
  await insertDueWork(shop.db, { count: 3, now: shop.clock.now, name: 'grow' });
  const now = shop.clock.now;
  const minute = 60_000;
  const update = (index: number, changed: Partial<typeof attempts.$inferInsert>) =>
    shop.db
      .update(attempts)
      .set(changed)
      .where(eq(attempts.id, `grow-waits-${index}`));
  // The interval is an eighth of the age: five minutes after forty.
  await update(1, { createdAt: now - 40 * minute, updatedAt: now, expiresAt: null });
  await update(2, { createdAt: now - 40 * minute, updatedAt: now, expiresAt: now + minute });
  await update(3, { createdAt: now - 900 * minute, updatedAt: now, expiresAt: now + 900 * minute });
  const inquiredAfter = async (ms: number) => {
    shop.clock.now = now + ms;
    const inquired: string[] = [];
    const { sandbox } = shop.deps.gateways;
    const inquire = async (key: string) => inquired.push(key) && { state: 'unknown' as const };
    await reconcile({ ...shop.deps, gateways: { sandbox: { ...sandbox, inquire } as NonNullable<typeof sandbox> } });
    return inquired
      .filter((key) => key.startsWith('grow-waits-'))
      .map((key) => key.slice(-1))
      .toSorted();
  };
  expect(await inquiredAfter(minute - 1)).toEqual([]);
  expect(await inquiredAfter(minute)).toEqual(['2']);
  // After its expiry it is inquired about at the shortest interval.
  expect(await inquiredAfter(minute + 29_999)).toEqual([]);
  expect(await inquiredAfter(minute + 30_000)).toEqual(['2']);
  expect(await inquiredAfter(5 * minute)).toEqual(['1', '2']);
  expect(await inquiredAfter(10 * minute)).toEqual(['2', '3']);
});
