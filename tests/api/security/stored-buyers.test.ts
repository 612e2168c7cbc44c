import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import { orders } from '#server/db/schema/orders.ts';
import { mailBounces } from '#server/db/schema/outbox.ts';
import { throttles } from '#server/db/schema/sign-in.ts';
import { users } from '#server/db/schema/users.ts';
import { migrationsFolder } from '#server/db/migrate.ts';
import { deleteAccounts } from '#server/jobs/delete-accounts.ts';
import { protectBuyers } from '#server/jobs/protect-buyers.ts';
import { allRows } from '#tests/builders/all-rows.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { aShop, byPix, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const document = '52998224725';
const wish = { payer: { firstName: 'Marisol', lastName: 'Quintana', document, phone: '11987654321' } };
const partiesOf = async (token: string, id: string) =>
  (await shop.request(endpoints.receiptParties, { params: { id } }, { token })).data;

describe('a copy of the database', () => {
  it('contains neither name nor document of a buyer, and the receipt shows the document masked', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(wish);
    const text = await allRows(shop.db);
    for (const secret of ['Marisol', 'Quintana', document]) expect(text).not.toContain(secret);
    const { buyer } = await partiesOf(ana.token, data.orderId);
    expect(buyer).toEqual({ name: 'Marisol Quintana', document: '•••.982.247-••' });
  });

  it('contains no hash of a payment request that would allow guessing documents', async () => {
    const ana = await shop.buyer();
    const key = crypto.randomUUID();
    const { data } = await ana.pay({ ...byPix, ...wish }, key);
    const [attempt] = await shop.db.select().from(attempts).where(eq(attempts.orderId, data.orderId));
    // 256 bits in base64url; earlier versions stored an unkeyed SHA-256 in hex
    expect(attempt?.requestHash).toMatch(/^[\w-]{43}$/);
    expect((await ana.pay({ ...byPix, ...wish }, key)).data.orderId).toBe(data.orderId);
    const other = { ...byPix, payer: { ...wish.payer, document: '11144477735' } };
    expect((await ana.pay(other, key)).errCode).toBe(5000);
  });
});

describe('data that earlier versions stored', () => {
  it('is encrypted once by a job, in batches, and the receipt still names the buyer', async () => {
    const ana = await shop.buyer();
    const buyer = { name: 'Rosalinda Vega', document };
    const old = { requestHash: 'a'.repeat(64), buyer, updatedAt: shop.clock.now - 3 * 86_400_000 };
    const orderIds: string[] = [];
    for (let n = 0; n < 120; n += 1) {
      const { order } = await anOrder(shop.db, ana, { status: 'PAYMENT_SUCCEEDED', buyer, attempt: old });
      orderIds.push(order.orderId);
    }
    expect(await protectBuyers(shop.deps)).toBe(240);
    expect(await protectBuyers(shop.deps)).toBe(0);
    const text = await allRows(shop.db);
    for (const secret of ['Rosalinda', document, 'a'.repeat(64)]) expect(text).not.toContain(secret);
    expect((await partiesOf(ana.token, orderIds[7] ?? '')).buyer?.name).toBe('Rosalinda Vega');
  });

  it('is still compared for a key that was used shortly before the update', async () => {
    const ana = await shop.buyer();
    await anOrder(shop.db, ana, { attempt: { requestHash: 'b'.repeat(64), updatedAt: shop.clock.now } });
    expect(await protectBuyers(shop.deps)).toBe(0);
    expect(await allRows(shop.db)).toContain('b'.repeat(64));
  });

  it('contains no customer after the migration: in code failures, bounces and the audit log', async () => {
    const resetsAt = Date.now() + 99 * 365 * 86_400_000;
    const ofADay = { key: 'code failures lumen', count: 1, resetsAt: Date.now() + 86_400_000 };
    await shop.db
      .insert(throttles)
      .values([
        ofADay,
        { key: 'code failures lumen ana.before@example.com by nonce', count: 1, resetsAt },
        { key: 'code failures of lumen ana.before@example.com', count: 1, resetsAt },
      ]);
    const addressHash = createHash('sha256').update('ana.before@example.com').digest('hex');
    await shop.db.insert(mailBounces).values({ addressHash, kind: 'permanent', at: shop.clock.now });
    const entry = { at: shop.clock.now, who: 'olga', why: 'asked', brand: 'lumen', subject: 'uid' };
    const detail = { email: 'ana.before@example.com' };
    await shop.db.insert(auditLog).values({ id: 'before', command: 'customers bind-email', detail, ...entry });
    const migration = readFileSync(join(migrationsFolder, '0021_forget_names.sql'), 'utf8');
    for (const statement of migration.split('--> statement-breakpoint')) await shop.db.execute(sql.raw(statement));
    const rows = await allRows(shop.db);
    for (const name of ['ana.before', addressHash]) expect(rows).not.toContain(name);
    expect(await shop.db.select().from(throttles).where(eq(throttles.key, ofADay.key))).toHaveLength(1);
  });
});

it('a deleted account leaves no hash of its payment requests and no buyer', async () => {
  const ana = await shop.buyer();
  const { data } = await ana.pay(wish);
  await shop.db.update(users).set({ leavesAt: shop.clock.now }).where(eq(users.uid, ana.uid));
  await deleteAccounts(shop.deps);
  const [order] = await shop.db.select().from(orders).where(eq(orders.orderId, data.orderId));
  const [attempt] = await shop.db.select().from(attempts).where(eq(attempts.orderId, data.orderId));
  expect([order?.buyer, order?.buyerSealed, attempt?.buyer, attempt?.buyerSealed]).toEqual([null, null, null, null]);
  expect(attempt?.requestHash).toBe('');
});
