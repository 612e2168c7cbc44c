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

const renewalTerms = 'Your plan renews automatically: we’ll charge';
const confirmations = [
  'Automatic renewal is on',
  'Your plan now renews with another card',
  'Your plan renews at the new price',
];
const formatDate = (instant: number) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'America/Sao_Paulo' }).format(instant);

const mailsTo = ({ account }: Buyer) =>
  shop.db.select().from(outbox).where(eq(outbox.recipient, account)).orderBy(outbox.createdAt);
const confirmationsTo = async (ana: Buyer) =>
  (await mailsTo(ana)).filter(({ subject }) => confirmations.includes(subject));
const receiptOf = async (ana: Buyer) =>
  (await mailsTo(ana)).find(({ text }) => text.includes('We’ve received your payment, and'));
const cardsOf = async (ana: Buyer) => (await shop.request(endpoints.listCard, { body: {} }, ana)).data;

const turnOn = (ana: Buyer, amount: number, cardId?: string) =>
  shop.request(
    endpoints.updateRenewStatus,
    { body: { status: 'on', price: { amount, currency: 'BRL' }, ...(cardId !== undefined && { cardId }) } },
    ana,
  );

it('the receipt of a renewing plan states the price, the date and how to cancel, and no other receipt does', async () => {
  const ana = await aRenewing(shop);
  const { terms } = await ana.info();
  const receipt = await receiptOf(ana);
  expect(receipt?.text).toContain(renewalTerms);
  expect(receipt?.text).toMatch(/19\.90/);
  expect(receipt?.text).toContain(`on ${formatDate(terms.nextChargeAt)}`);
  expect(receipt?.text).toContain('turn off automatic renewal');
  expect(await confirmationsTo(ana)).toEqual([]);
  const eva = await shop.buyer();
  await eva.pay({ card: aCard() });
  expect((await receiptOf(eva))?.text).not.toContain(renewalTerms);
});

it('turning the renewal on in the account is confirmed once by email', async () => {
  const ana = await withRenewal(shop, await shop.buyer());
  await ana.pay({ card: { ...aCard(), save: true } });
  const { terms } = await ana.info();
  const [card] = await cardsOf(ana);
  expect((await turnOn(ana, 2000, card?.cardId)).errCode).toBe(1015);
  expect(await confirmationsTo(ana), 'a refusal confirms nothing').toEqual([]);
  expect((await turnOn(ana, 1990, card?.cardId)).data.status).toBe('on');
  await turnOn(ana, 1990, card?.cardId);
  const [mail, ...more] = await confirmationsTo(ana);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Automatic renewal is on');
  expect(mail?.text).toContain(renewalTerms);
  expect(mail?.text).toContain(formatDate(terms.nextChargeAt));
  expect(mail?.text).toContain('•••• 4242');
  expect(mail?.text).toContain('/account');
});

it('a changed card is confirmed by email, and the same card again is not', async () => {
  const ana = await aRenewing(shop);
  await ana.pay({ card: { ...aCard('5555555555554444'), save: true } });
  const cardId = (await cardsOf(ana)).find(({ last4 }) => last4 === '4444')?.cardId ?? '';
  const change = () =>
    shop.request(endpoints.changeCard, { body: { cardId } }, { ...ana, idempotencyKey: crypto.randomUUID() });
  expect((await change()).data.card).toMatchObject({ last4: '4444' });
  await change();
  const [mail, ...more] = await confirmationsTo(ana);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Your plan now renews with another card');
  expect(mail?.text).toContain('•••• 4444');
});

it('accepting a new price is confirmed by email, with that price', async () => {
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
  const [mail, ...more] = await confirmationsTo(ana);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Your plan renews at the new price');
  expect(mail?.text).toMatch(/24\.90/);
  await setPrice(1990);
});
