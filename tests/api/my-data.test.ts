import { eq, getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import type { ConfirmPurpose } from '#contract/confirm-owner.ts';
import { users } from '#server/db/schema/users.ts';
import { personalTables, shownColumns } from '#server/account/my-data/personal-tables.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { putPasskey } from '#tests/builders/a-passkey.ts';
import { aCard, aShop, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await aShop();
});
afterEach(() => shop.close());

type User = Awaited<ReturnType<Shop['customer']>>;

async function confirmed({ token, password }: User, purpose: ConfirmPurpose = 'data'): Promise<string> {
  const body = { purpose, password } as const;
  return (await shop.request(endpoints.confirmOwner, { body }, { token })).data.confirmation;
}
const exportOf = async (user: User, confirmation?: string) =>
  shop.request(
    endpoints.exportData,
    { body: { confirmation: confirmation ?? (await confirmed(user)) } },
    { token: user.token },
  );

/** Buys with a card that is saved. */
async function buy({ token }: User) {
  const wish = { planId: '101', methodCode: 'card', currency: 'BRL' };
  const { quoteId } = (await shop.request(endpoints.goodsValuation, { body: wish }, { token })).data;
  const payer = { firstName: 'Ana', lastName: 'Lima', document: '52998224725', phone: '11987654321' };
  const rest = { installments: 1, returnUrl: '/paymentResult', source: 'WEB', quoteId, payer } as const;
  const body = { ...wish, ...rest, card: { ...aCard(), save: true } };
  return (await shop.request(endpoints.pay, { body }, { token, idempotencyKey: crypto.randomUUID() })).data;
}

async function allTables(): Promise<PgTable[]> {
  const folder = new URL('../../src/server/db/schema/', import.meta.url);
  const modules: Record<string, unknown>[] = [];
  // as: the type of a dynamically imported module is unknown
  for (const file of readdirSync(folder))
    modules.push((await import(new URL(file, folder).href)) as Record<string, unknown>);
  return modules.flatMap((module) => Object.values(module)).filter((one): one is PgTable => is(one, PgTable));
}

describe('the export of personal data', () => {
  it('includes every table with a customer id', async () => {
    const exported = new Set(Object.values(personalTables).map(({ table }) => getTableName(table)));
    const withUid = (await allTables()).filter((table) => 'uid' in getTableColumns(table));
    expect(withUid.length).toBeGreaterThan(10);
    expect(withUid.map((table) => getTableName(table)).filter((name) => !exported.has(name))).toEqual([]);
  });

  it('contains no secrets', () => {
    const secret =
      /hash|token|secret|challenge|handle|p256dh|auth$|vapid|publicKey|content$|payload|providerRef|next$/i;
    const shown = Object.entries(personalTables).flatMap(([name, personal]) =>
      Object.keys(shownColumns(personal)).map((column) => `${name}.${column}`),
    );
    expect(shown.length).toBeGreaterThan(50);
    expect(shown.filter((one) => secret.test(one))).toEqual([]);
    for (const { table, hidden } of Object.values(personalTables)) {
      const names = Object.keys(getTableColumns(table));
      expect(hidden === 'all' ? [] : hidden.filter((column) => !names.includes(column))).toEqual([]);
    }
  });

  it('contains the data of the customer and of no other', async () => {
    const ana = await shop.customer();
    const eva = await shop.customer();
    await putPasskey(shop, ana);
    const { orderId } = await buy(ana);
    await buy(eva);
    const answer = await exportOf(ana);
    const { data, brand } = answer.data;
    expect(brand).toBe('Lumen');
    expect(data['account']).toMatchObject([{ account: ana.account, uid: ana.uid }]);
    expect(data['orders']).toMatchObject([{ orderId, status: 'PAYMENT_SUCCEEDED' }]);
    expect(data['ledger']).toMatchObject([{ orderId, kind: 'capture', amount: 1990 }]);
    expect(data['savedCards']).toMatchObject([{ last4: '4242' }]);
    expect(data['passkeys']).toMatchObject([{ name: 'My phone' }]);
    expect(data['attempts']).toHaveLength(1);
    expect(data['sessions']).toHaveLength(1);
    expect(data['signIns']).toHaveLength(1);
    const text = JSON.stringify(answer.data);
    for (const foreign of [eva.uid, eva.account, ana.token, '4242424242424242', '$argon2id']) {
      expect(text).not.toContain(foreign);
    }
  });

  it('requires the password or a code again, and works ten times a day', async () => {
    const ana = await shop.customer();
    expect((await exportOf(ana, await confirmed(ana, 'passkey'))).errCode).toBe(-3034);
    const confirmation = await confirmed(ana);
    for (let round = 0; round < 10; round += 1) expect((await exportOf(ana, confirmation)).code).toBe(0);
    expect(await exportOf(ana, confirmation)).toMatchObject({ errCode: -3031 });
  });
});

describe('the receipts', () => {
  it('come fifty at a time, oldest first, as pages in the requested language', async () => {
    const ana = await shop.customer();
    const { token } = ana;
    for (let count = 0; count < 61; count += 1) {
      await anOrder(shop.db, ana, { status: 'PAYMENT_SUCCEEDED', paidAt: shop.clock.now - (count % 7) * 86_400_000 });
    }
    await anOrder(shop.db, ana, {});
    const confirmation = await confirmed(ana);
    const page = async (after: string | null) =>
      (await shop.request(endpoints.exportReceipts, { body: { confirmation, language: 'es', after } }, { token })).data;
    const first = await page(null);
    expect(first.receipts).toHaveLength(50);
    const rest = await page(first.next);
    expect(rest).toMatchObject({ next: null });
    expect(rest.receipts).toHaveLength(11);
    const names = [...first.receipts, ...rest.receipts].map(({ name }) => name);
    expect(new Set(names).size).toBe(61);
    expect(names).toEqual([...names].sort());
    expect(first.receipts[0]?.html).toContain('<html lang="es">');
    expect(first.receipts[0]?.html).toContain(ana.account);
  });

  it('escape the input of a customer', async () => {
    const account = 'a<b>"@example.com';
    const ana = await shop.customer();
    await shop.db.update(users).set({ account }).where(eq(users.uid, ana.uid));
    await anOrder(shop.db, ana, { status: 'PAYMENT_SUCCEEDED' });
    const body = { confirmation: await confirmed(ana), language: 'en', after: null } as const;
    const { receipts } = (await shop.request(endpoints.exportReceipts, { body }, { token: ana.token })).data;
    expect(receipts[0]?.html).toContain('a&lt;b&gt;');
    expect(receipts[0]?.html).not.toContain('<b>"@');
  });
});
