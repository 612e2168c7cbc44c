import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '../../../src/contract/index.ts';
import { statementRows } from '../../../src/server/db/driver-results.ts';
import { attempts } from '../../../src/server/db/schema/attempts.ts';
import { orders } from '../../../src/server/db/schema/orders.ts';
import { mailBounces } from '../../../src/server/db/schema/outbox.ts';
import { users } from '../../../src/server/db/schema/users.ts';
import { deleteAccounts } from '../../../src/server/jobs/delete-accounts.ts';
import { protectBuyers } from '../../../src/server/jobs/protect-buyers.ts';
import { bounceOf } from '../../../src/server/messages/bounces.ts';
import { anOrder } from '../../builders/an-order.ts';
import { aShop, byPix, type Shop } from '../../builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const document = '52998224725';
const wish = { payer: { firstName: 'Marisol', lastName: 'Quintana', document, phone: '11987654321' } };
const partiesOf = async (token: string, id: string) =>
  (await shop.request(endpoints.receiptParties, { params: { id } }, { token })).data;

/** Every row of every table, as text. */
async function everything(): Promise<string> {
  const tables = await statementRows(
    shop.db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await statementRows(shop.db, sql`select to_jsonb(t) as row from ${sql.identifier(String(name))} t`);
    texts.push(JSON.stringify(rows));
  }
  return texts.join('\n');
}

describe('a copy of the database', () => {
  it('shows neither name nor document of a buyer, and its owner sees them masked', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(wish);
    const text = await everything();
    for (const secret of ['Marisol', 'Quintana', document]) expect(text).not.toContain(secret);
    const { buyer } = await partiesOf(ana.token, data.orderId);
    expect(buyer).toEqual({ name: 'Marisol Quintana', document: '•••.982.247-••' });
  });

  it('has no hash of a payment request that a program could try documents against', async () => {
    const ana = await shop.buyer();
    const key = crypto.randomUUID();
    const { data } = await ana.pay({ ...byPix, ...wish }, key);
    const [attempt] = await shop.db.select().from(attempts).where(eq(attempts.orderId, data.orderId));
    // 256 bits in base64url; versions before stored SHA-256 without a key, in hex
    expect(attempt?.requestHash).toMatch(/^[\w-]{43}$/);
    expect((await ana.pay({ ...byPix, ...wish }, key)).data.orderId).toBe(data.orderId);
    const other = { ...byPix, payer: { ...wish.payer, document: '11144477735' } };
    expect((await ana.pay(other, key)).errCode).toBe(5000);
  });
});

describe('what versions before have stored', () => {
  it('is encrypted by a job, in batches, once; and the receipt still names the buyer', async () => {
    const ana = await shop.buyer();
    const buyer = { name: 'Rosalinda Vega', document };
    const old = { requestHash: 'a'.repeat(64), buyer, updatedAt: shop.clock.now - 3 * 86_400_000 };
    const made: string[] = [];
    for (let n = 0; n < 120; n += 1) {
      const { order } = await anOrder(shop.db, ana, { status: 'PAYMENT_SUCCEEDED', buyer, attempt: old });
      made.push(order.orderId);
    }
    expect(await protectBuyers(shop.deps)).toBe(240);
    expect(await protectBuyers(shop.deps)).toBe(0);
    const text = await everything();
    for (const secret of ['Rosalinda', document, 'a'.repeat(64)]) expect(text).not.toContain(secret);
    expect((await partiesOf(ana.token, made[7] ?? '')).buyer?.name).toBe('Rosalinda Vega');
  });

  it('is compared once more for a key that was spent shortly before the update', async () => {
    const ana = await shop.buyer();
    await anOrder(shop.db, ana, { attempt: { requestHash: 'b'.repeat(64), updatedAt: shop.clock.now } });
    expect(await protectBuyers(shop.deps)).toBe(0);
    expect(await everything()).toContain('b'.repeat(64));
  });

  it('of an address that mail came back from is replaced when it is next read', async () => {
    const address = 'ana@example.com';
    const sha = await crypto.subtle.digest('SHA-256', Buffer.from(address));
    const addressHash = Buffer.from(sha).toString('hex');
    await shop.db.insert(mailBounces).values({ addressHash, kind: 'permanent', at: shop.clock.now });
    expect(await bounceOf(shop.deps, 'Ana@Example.com')).toBe('permanent');
    expect(await everything()).not.toContain(addressHash);
    expect(await bounceOf(shop.deps, address)).toBe('permanent');
  });
});

it('a deleted account leaves no hash of its payment requests, and no buyer', async () => {
  const ana = await shop.buyer();
  const { data } = await ana.pay(wish);
  await shop.db.update(users).set({ leavesAt: shop.clock.now }).where(eq(users.uid, ana.uid));
  await deleteAccounts(shop.deps);
  const [order] = await shop.db.select().from(orders).where(eq(orders.orderId, data.orderId));
  const [attempt] = await shop.db.select().from(attempts).where(eq(attempts.orderId, data.orderId));
  expect([order?.buyer, order?.buyerSealed, attempt?.buyer, attempt?.buyerSealed]).toEqual([null, null, null, null]);
  expect(attempt?.requestHash).toBe('');
});
