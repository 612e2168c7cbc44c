import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { cardsToForget, savedCards } from '#server/db/schema/cards.ts';
import { sandboxCards } from '#sandbox/schema.ts';
import { aCard, aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';

const day = 86_400_000;
let shop: Shop;
let buyers: Buyer[];
/** Whether requests to delete a card at the bank fail. */
let isDown = false;
beforeAll(async () => {
  shop = await aShop(undefined, {
    deps: ({ gateways }) => {
      const { sandbox } = gateways;
      if (!sandbox) return {};
      const removeStoredCard = async (token: string) => !isDown && (await sandbox.removeStoredCard?.(token)) === true;
      return { gateways: { ...gateways, sandbox: { ...sandbox, removeStoredCard } } };
    },
  });
  buyers = await shop.buyers(20);
});
afterAll(() => shop.close());

const aBuyer = () => buyers.pop() ?? expect.fail('too few buyers');
const cardToSave = (number?: string, code?: string) => ({ ...aCard(number, code), save: true });
const listed = async (ana: Buyer) => (await shop.request(endpoints.listCard, { body: {} }, ana)).data;
const deleteCard = (ana: Buyer, cardId: string) => shop.request(endpoints.deleteCard, { body: { cardId } }, ana);
const by = (cardId: string, cardCode?: string) => ({ card: undefined, cardId, ...(cardCode && { cardCode }) });

/** A customer who has paid once and saved the card. */
const aHolder = async (card = cardToSave()) => {
  const ana = aBuyer();
  await ana.pay({ card });
  const [saved, ...more] = await listed(ana);
  if (!saved || more.length > 0) throw new Error(`one card was expected, and not ${more.length + 1}`);
  return { ana, saved, cardId: saved.cardId };
};

describe('a saved card', () => {
  it('is listed by its brand, last digits and expiry date only', async () => {
    const { saved } = await aHolder(cardToSave('5555555555554444'));
    expect(saved).toEqual({
      cardId: saved.cardId,
      methodCode: 'card',
      brand: 'mastercard',
      last4: '4444',
      expiryMonth: 12,
      expiryYear: 2030,
      codeDigits: 3,
      expired: false,
      usable: true,
    });
  });

  it('is saved only for a customer who chose it', async () => {
    const ana = aBuyer();
    await ana.pay({ card: aCard() });
    expect(await listed(ana)).toEqual([]);
  });

  it('pays with its code, and only for its owner', async () => {
    const { ana, cardId } = await aHolder();
    expect((await ana.pay(by(cardId, '123'))).data.status).toBe('PAYMENT_SUCCEEDED');
    const bia = aBuyer();
    expect((await bia.pay(by(cardId, '123'))).errCode).toBe(-2511);
    expect((await deleteCard(bia, cardId)).errCode).toBe(-2511);
    const mego = await shop.buyer({ host: 'mego.localhost' });
    expect((await mego.pay({ ...by(cardId, '123'), planId: '201', currency: 'USD' })).errCode).toBe(-2511);
    expect((await deleteCard(mego, cardId)).errCode).toBe(-2511);
    expect(await listed(ana)).toHaveLength(1);
  });

  it('is refused without its code and with a wrong one', async () => {
    const { ana, cardId } = await aHolder();
    const field = 'cardCode';
    const without = await ana.pay(by(cardId));
    expect(without).toMatchObject({ errCode: 315, params: { field } });
    expect(without.params.orderId).toBeUndefined();
    const wrong = await ana.pay(by(cardId, '1234'));
    expect(wrong).toMatchObject({ errCode: 315, params: { field } });
    const again = await ana.repay(wrong.params.orderId ?? '', by(cardId, '123'));
    expect(again.data.status).toBe('PAYMENT_SUCCEEDED');
  });

  it('that the bank no longer stores is refused, and another one pays the same order', async () => {
    const { ana, cardId } = await aHolder();
    await shop.db.delete(sandboxCards);
    const refused = await ana.pay(by(cardId, '123'));
    expect(refused).toMatchObject({ status: 400, errCode: 306 });
    expect((await ana.repay(refused.params.orderId ?? '', { card: aCard() })).data.status).toBe('PAYMENT_SUCCEEDED');
  });

  it('repays an order whose first card was declined', async () => {
    const { ana, cardId } = await aHolder();
    const declined = await ana.pay({ card: aCard('4000000000009995') });
    const orderId = declined.params.orderId ?? '';
    expect((await ana.repay(orderId, by(cardId, '123'))).data).toMatchObject({ orderId, status: 'PAYMENT_SUCCEEDED' });
  });

  it('that is saved twice is listed once, with the newer expiry date', async () => {
    const { ana, cardId } = await aHolder();
    await ana.pay({ card: { ...cardToSave(), expiry: '01/31' } });
    expect(await listed(ana)).toMatchObject([{ cardId, expiryMonth: 1, expiryYear: 2031 }]);
  });

  it('that was used last comes first', async () => {
    const { ana, cardId } = await aHolder();
    shop.clock.advance(1000);
    await ana.pay({ card: cardToSave('378282246310005', '1234') });
    const brands = async () => (await listed(ana)).map((card) => card.brand);
    expect(await brands()).toEqual(['amex', 'visa']);
    shop.clock.advance(1000);
    await ana.pay(by(cardId, '123'));
    expect(await brands()).toEqual(['visa', 'amex']);
  });

  it('is shown as expired after its month and is refused', async () => {
    const { ana, cardId } = await aHolder({ ...cardToSave('2223003122003222'), expiry: '11/26' });
    shop.clock.advance(11 * day);
    expect(await listed(ana)).toMatchObject([{ cardId, expired: true }]);
    expect(await ana.pay(by(cardId, '123'))).toMatchObject({ errCode: 309, params: { field: 'cardExpiry' } });
  });

  it('with a bank challenge is saved after the approval, and is challenged again the next time', async () => {
    const ana = aBuyer();
    const pageOf = async (wish: object) => {
      const { next } = (await ana.pay(wish)).data;
      return next.type === 'redirect' ? next.url : expect.fail('no page of the bank');
    };
    const page = await pageOf({ card: cardToSave('4000002500003155') });
    expect(await listed(ana)).toEqual([]);
    await shop.press(page, 'approve');
    await shop.deliver(300);
    const [saved] = await listed(ana);
    expect(saved).toMatchObject({ last4: '3155' });
    expect(await pageOf(by(saved?.cardId ?? '', '123'))).toContain('/challenge/');
  });

  it('is not saved if the bank declined it or its holder refused the challenge', async () => {
    const ana = aBuyer();
    await ana.pay({ card: cardToSave('4000000000000002') });
    const { next } = (await ana.pay({ card: cardToSave('4000002500003155') })).data;
    await shop.press(next.type === 'redirect' ? next.url : '', 'refuse');
    await shop.deliver(300);
    expect(await listed(ana)).toEqual([]);
  });
});

describe('deleting a saved card', () => {
  it('removes it here and at the bank at once', async () => {
    const { ana, cardId } = await aHolder();
    expect((await deleteCard(ana, cardId)).code).toBe(0);
    expect(await listed(ana)).toEqual([]);
    expect((await deleteCard(ana, cardId)).errCode).toBe(-2511);
    expect((await ana.pay(by(cardId, '123'))).errCode).toBe(-2511);
  });

  it('works for a card of a former provider, which is listed as unusable and deleted there later', async () => {
    const { ana, cardId } = await aHolder();
    const { gateways } = shop.deps;
    await shop.db.update(savedCards).set({ gateway: 'former' }).where(eq(savedCards.cardId, cardId));
    expect(await listed(ana)).toMatchObject([{ cardId, last4: '4242', usable: false }]);
    expect((await ana.pay(by(cardId, '123'))).errCode).toBe(-2511);
    expect((await deleteCard(ana, cardId)).code).toBe(0);
    expect(await listed(ana)).toEqual([]);
    expect(gateways['former']).toBeUndefined();
    const remaining = await shop.db.select().from(cardsToForget).where(eq(cardsToForget.gateway, 'former'));
    expect(remaining).toHaveLength(1);
  });

  it('can be repeated when the bank was unreachable, and the card stays usable until then', async () => {
    const { ana, cardId } = await aHolder();
    isDown = true;
    expect((await deleteCard(ana, cardId)).errCode).toBe(1022);
    isDown = false;
    expect((await ana.pay(by(cardId, '123'))).data.status).toBe('PAYMENT_SUCCEEDED');
    expect((await deleteCard(ana, cardId)).code).toBe(0);
  });

  it('does not affect the same card of another customer', async () => {
    const [ana, bia] = [await aHolder(), await aHolder()];
    expect((await deleteCard(ana.ana, ana.cardId)).code).toBe(0);
    expect((await bia.ana.pay(by(bia.cardId, '123'))).data.status).toBe('PAYMENT_SUCCEEDED');
  });
});

it('the number of a saved card is in no table of the shop or the bank', async () => {
  const number = '4539578763621486';
  const { ana, cardId } = await aHolder(cardToSave(number));
  await ana.pay(by(cardId, '123'));
  const dump = await shop.db.execute(sql`
    select query_to_xml(format('select * from %I', tablename), true, false, '')::text as rows
    from pg_tables where schemaname = 'public'`);
  const written = JSON.stringify(dump);
  expect(written).toContain(cardId);
  expect(written).toContain('1486');
  expect(written).not.toContain(number);
  expect(written).not.toContain(Buffer.from(number).toString('base64'));
});
