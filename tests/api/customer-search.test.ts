import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payerNames } from '#server/db/schema/cards.ts';
import { users } from '#server/db/schema/users.ts';
import { findCustomers } from '#server/operator/find-customers.ts';
import type { Shop } from '#tests/builders/a-shop.ts';
import { startOperatorDemo, type OperatorDemo } from '#tests/builders/an-operator-demo.ts';

let cli: OperatorDemo;
let shop: Shop;
beforeAll(async () => {
  cli = await startOperatorDemo();
  shop = cli.shop;
}, 60_000);
afterAll(() => cli?.close());

const aPayer = { document: '52998224725', phone: '11987654321' };

describe('a search for customers', () => {
  it('finds by the middle of an address or a nickname, and by the last digits of a card', async () => {
    const ana = await shop.buyer();
    await ana.pay();
    await shop.db
      .update(users)
      .set({ account: 'the.long.zyxwv.name@a.example', nickname: 'Dona Bçãk 100%_a' })
      .where(eq(users.uid, ana.uid));
    const found = async (part: string, ...options: string[]) =>
      (await cli.run('customers', 'find', part, '--json', ...options)).facts.map(({ uid }) => uid);
    for (const part of ['zyxwv', 'ONG.ZY', 'na bçã', '00%_a', '4242'])
      expect(await found(part), part).toContain(ana.uid);
    expect(await found('00__a')).toEqual([]);
    expect(await found('zyxwv', '--brand=mego')).toEqual([]);
    expect(await found('4242', '--brand=mego')).not.toContain(ana.uid);
  });

  it('finds by the words of the name in which a customer paid, of which the database has only keyed hashes', async () => {
    const [ana, eva] = [await shop.buyer(), await shop.buyer()];
    const names = [
      [ana, 'José Zacarias', 'D’Ávila-Souza'],
      [eva, 'Zacarias', 'Lima'],
    ] as const;
    for (const [who, firstName, lastName] of names) await who.pay({ payer: { ...aPayer, firstName, lastName } });
    const find = async (part: string, ...options: string[]) =>
      (await cli.run('customers', 'find', part, '--json', ...options)).facts.map(({ uid }) => uid);
    for (const part of ['jose zacarias', 'ÁVILA SOUZA', 'souza josé', "D'Ávila", 'José Z. Souza'])
      expect(await find(part), part).toEqual([ana.uid]);
    expect(new Set(await find('zacarias'))).toEqual(new Set([ana.uid, eva.uid]));
    for (const part of ['jose lima', 'zacari', 'Zacarias Pereira', 'Jose.Z', 'jose@zacarias'])
      expect(await find(part), part).toEqual([]);
    expect(await find('zacarias', '--brand=mego')).toEqual([]);
    const rows = JSON.stringify(await shop.db.select().from(payerNames));
    for (const word of ['zacarias', 'souza', 'lima']) expect(rows.toLowerCase()).not.toContain(word);
  });

  it('finds a name that was stored before the signing secret was changed', async () => {
    const ana = await shop.buyer();
    await ana.pay({ payer: { ...aPayer, firstName: 'Wolfgang', lastName: 'Amadeus' } });
    const { SIGNING_SECRET } = shop.deps.env;
    const env = { ...shop.deps.env, SIGNING_SECRET: 'another secret of at least 32 characters' };
    const search = { part: 'amadeus', most: 5 };
    expect(await findCustomers({ ...shop.deps, env }, search)).toEqual([]);
    const found = await findCustomers(
      { ...shop.deps, env: { ...env, FORMER_SIGNING_SECRETS: [SIGNING_SECRET] } },
      search,
    );
    expect(found).toMatchObject([{ uid: ana.uid }]);
  });
});
