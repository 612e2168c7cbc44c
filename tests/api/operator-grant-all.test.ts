import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { outbox } from '#server/db/schema/outbox.ts';
import { users } from '#server/db/schema/users.ts';
import { insertCustomers } from '#tests/builders/a-customer.ts';
import { day } from '#tests/builders/a-renewal.ts';
import type { Shop } from '#tests/builders/a-shop.ts';
import { startOperatorDemo, type OperatorDemo } from '#tests/builders/an-operator-demo.ts';

let cli: OperatorDemo;
let shop: Shop;
beforeAll(async () => {
  cli = await startOperatorDemo();
  shop = cli.shop;
}, 60_000);
afterAll(() => cli?.close());

const grantAll = ['periods', 'grant-all', '--brand=lumen'];
const why = '--why=ticket 7';

it('days for all are given once to each customer with access, however often the command runs', async () => {
  await shop.db.update(users).set({ expiredTime: shop.clock.now - 3 * day });
  const [ana, eva, blocked] = await shop.buyers(3);
  const until = (to: number) => shop.db.update(users).set({ expiredTime: to });
  await until(shop.clock.now - 2 * day).where(eq(users.uid, eva?.uid ?? ''));
  await until(shop.clock.now + day).where(inArray(users.uid, [ana?.uid ?? '', blocked?.uid ?? '']));
  await cli.run('customers', 'block', `--account=${blocked?.account}`, '--brand=lumen', why);
  const all = [...grantAll, '--name=outage', '--days=2'];
  expect((await cli.run(...all, '--dry-run')).told).toContain('Days are due to 1 customer.');
  expect((await cli.run(...all)).code).toBe(2);
  expect((await cli.run(...all, why)).told).toBe('2 days given to 1 customer.\n');
  const since = new Date(shop.clock.now - 2 * day).toISOString().slice(0, 10);
  expect((await cli.run(...all, why, `--since=${since}`)).told).toContain('to 1 customer; 1 customer had them before');
  const rows = await shop.db.select().from(users);
  const left = (who = ana) => (rows.find(({ uid }) => uid === who?.uid)?.expiredTime ?? 0) - shop.clock.now;
  expect([left(ana), left(eva), left(blocked)]).toEqual([3 * day, 2 * day, day]);
  const mails = await shop.db
    .select()
    .from(outbox)
    .where(eq(outbox.recipient, ana?.account ?? ''));
  expect(mails.map(({ subject }) => subject)).toContain('We’ve added days to your plan');
});

it('more customers than one statement reads are given their days once', { tags: 'slow' }, async () => {
  await shop.db.update(users).set({ expiredTime: null });
  const many = await insertCustomers(shop.db, 'lumen', 600, shop.clock.now);
  const uids = many.map(({ uid }) => uid);
  await shop.db
    .update(users)
    .set({ expiredTime: shop.clock.now + day })
    .where(inArray(users.uid, uids));
  expect((await cli.run(...grantAll, '--name=feast', '--days=1', why)).told).toBe('1 day given to 600 customers.\n');
  const ends = await shop.db.selectDistinct({ at: users.expiredTime }).from(users).where(inArray(users.uid, uids));
  expect(ends).toEqual([{ at: shop.clock.now + 2 * day }]);
  const accounts = many.map(({ account }) => account);
  expect(await shop.db.$count(outbox, inArray(outbox.recipient, accounts))).toBe(600);
});
