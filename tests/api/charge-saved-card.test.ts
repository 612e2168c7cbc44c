import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxCards, sandboxCharges } from '#sandbox/schema.ts';
import { aCard, aShop, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

/** Saves the card of a customer and returns how to charge it. */
async function aSavedCard(number = '4242424242424242') {
  const ana = await shop.buyer();
  await ana.pay({ card: { ...aCard(number), save: true } });
  const [saved] = await shop.db
    .select()
    .from(sandboxCards)
    .where(eq(sandboxCards.last4, number.slice(-4)));
  const { token } = saved ?? expect.fail('no card was saved');
  const charge = (key: string) =>
    shop.deps.gateways['sandbox']?.chargeSaved?.({
      key,
      token,
      brand: 'lumen',
      merchantName: 'Lumen',
      methodCode: 'card',
      amount: 1990,
      currency: 'BRL',
      orderLabel: 'renewal',
    });
  return { token, charge };
}

describe('a saved card that is charged without its holder', () => {
  it('pays once for a key, however often it is charged', async () => {
    const { charge } = await aSavedCard();
    const key = randomUUID();
    const answers = await Promise.all([charge(key), charge(key)]);
    answers.push(await charge(key));
    const [first] = answers;
    expect(first).toMatchObject({ state: 'succeeded', amount: 1990, currency: 'BRL' });
    expect(answers).toEqual([first, first, first]);
    expect(await shop.db.select().from(sandboxCharges).where(eq(sandboxCharges.key, key))).toHaveLength(1);
    expect(await shop.deps.gateways['sandbox']?.inquire(key)).toEqual(first);
  });

  it('is declined where the bank challenges the holder, who is not present', async () => {
    const { charge } = await aSavedCard('4000002500003155');
    expect(await charge(randomUUID())).toMatchObject({ state: 'failed', failure: 'rejectedByBank' });
  });

  it('is declined when the bank no longer stores it', async () => {
    const { token, charge } = await aSavedCard();
    expect(await shop.deps.gateways['sandbox']?.removeStoredCard?.(token)).toBe(true);
    expect(await charge(randomUUID())).toMatchObject({ state: 'failed', failure: 'invalidCard' });
  });
});
