import { and, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { plans } from '#server/db/schema/brands.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { aRenewing, day, clearRenewals, withRenewal } from '#tests/builders/a-renewal.ts';
import { aCard, aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterEach(() => clearRenewals(shop));
afterAll(() => shop.close());

const promise = 'Your plan renews automatically: we charge';
const confirmations = [
  'Automatic renewal is on',
  'Your plan renews with another card',
  'Your plan renews at the new price',
];
const inWords = (instant: number) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'America/Sao_Paulo' }).format(instant);

const mailsTo = ({ account }: Buyer) =>
  shop.db.select().from(outbox).where(eq(outbox.recipient, account)).orderBy(outbox.createdAt);
const confirmed = async (ana: Buyer) => (await mailsTo(ana)).filter(({ subject }) => confirmations.includes(subject));
const receiptOf = async (ana: Buyer) =>
  (await mailsTo(ana)).find(({ text }) => text.includes('Your payment has arrived'));
const cardsOf = async (ana: Buyer) => (await shop.request(endpoints.listCard, { body: {} }, ana)).data;

const turnOn = (ana: Buyer, amount: number, cardId?: string) =>
  shop.request(
    endpoints.updateRenewStatus,
    { body: { status: 'on', price: { amount, currency: 'BRL' }, ...(cardId !== undefined && { cardId }) } },
    ana,
  );

it('the email of the payment that chose the renewal says how much, when, and how to stop, and no other email does', async () => {
  const ana = await aRenewing(shop);
  const { terms } = await ana.info();
  const receipt = await receiptOf(ana);
  expect(receipt?.text).toContain(promise);
  expect(receipt?.text).toMatch(/19\.90/);
  expect(receipt?.text).toContain(`on ${inWords(terms.nextChargeAt)}`);
  expect(receipt?.text).toContain('turn automatic renewal off');
  expect(await confirmed(ana)).toEqual([]);
  const eva = await shop.buyer();
  await eva.pay({ card: aCard() });
  expect((await receiptOf(eva))?.text).not.toContain(promise);
});

it('turning it on in the account is confirmed once by email', async () => {
  const ana = await withRenewal(shop, await shop.buyer());
  await ana.pay({ card: { ...aCard(), save: true } });
  const { terms } = await ana.info();
  const [card] = await cardsOf(ana);
  expect((await turnOn(ana, 2000, card?.cardId)).errCode).toBe(1015);
  expect(await confirmed(ana), 'a refusal confirms nothing').toEqual([]);
  expect((await turnOn(ana, 1990, card?.cardId)).data.status).toBe('on');
  await turnOn(ana, 1990, card?.cardId);
  const [mail, ...more] = await confirmed(ana);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Automatic renewal is on');
  expect(mail?.text).toContain(promise);
  expect(mail?.text).toContain(inWords(terms.nextChargeAt));
  expect(mail?.text).toContain('•••• 4242');
  expect(mail?.text).toContain('/account');
});

it('another card is confirmed by email, and the same one again is not', async () => {
  const ana = await aRenewing(shop);
  await ana.pay({ card: { ...aCard('5555555555554444'), save: true } });
  const cardId = (await cardsOf(ana)).find(({ last4 }) => last4 === '4444')?.cardId ?? '';
  const change = () =>
    shop.request(endpoints.changeCard, { body: { cardId } }, { ...ana, idempotencyKey: crypto.randomUUID() });
  expect((await change()).data.card).toMatchObject({ last4: '4444' });
  await change();
  const [mail, ...more] = await confirmed(ana);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Your plan renews with another card');
  expect(mail?.text).toContain('•••• 4444');
});

it('a yes to a new price is confirmed by email, with that price', async () => {
  const setPrice = async (amount: number) => {
    await shop.db
      .update(plans)
      .set({ prices: sql`jsonb_set(${plans.prices}, '{BRL}', ${String(amount)}::jsonb)` })
      .where(and(eq(plans.brand, 'lumen'), eq(plans.id, '101')));
    await shop.deps.catalog.refresh();
  };
  const ana = await aRenewing(shop);
  await setPrice(2490);
  shop.clock.advance(day);
  expect((await turnOn(ana, 2490)).data).toMatchObject({ status: 'on' });
  const [mail, ...more] = await confirmed(ana);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Your plan renews at the new price');
  expect(mail?.text).toMatch(/24\.90/);
  await setPrice(1990);
});
