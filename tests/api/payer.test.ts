import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { savedPayers } from '#server/db/schema/cards.ts';
import { sessions } from '#server/db/schema/users.ts';
import { aCard, aShop, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await aShop();
});
afterEach(() => shop.close());

type User = Awaited<ReturnType<Shop['customer']>>;
const payer = { firstName: 'Ana', lastName: 'Lima', document: '529.982.247-25', phone: '11987654321' };
const rejected = '4000000000000002';

async function buy({ token }: User, change: object = {}, methodCode = 'card') {
  const wish = { planId: '101', methodCode, currency: 'BRL' };
  const { quoteId } = (await shop.request(endpoints.goodsValuation, { body: wish }, { token })).data;
  const rest = { installments: 1, returnUrl: '/paymentResult', source: 'WEB', quoteId } as const;
  const body = { ...wish, ...rest, card: methodCode === 'card' ? aCard() : undefined, payer: {}, ...change };
  return shop.request(endpoints.pay, { body }, { token, idempotencyKey: crypto.randomUUID() });
}
const known = async ({ token }: User) => (await shop.request(endpoints.ownPayer, { body: {} }, { token })).data;
const nothing = { kept: [], firstName: '', lastName: '', document: '', phone: '', place: '', accountPhone: '' };

it('who pays is asked for once, and the next purchase takes it from here, as its own owner only', async () => {
  const [ana, eva] = [await shop.customer(), await shop.customer()];
  expect(await known(ana)).toEqual(nothing);
  expect((await buy(ana, { payer, keepPayer: true })).data.status).toBe('PAYMENT_SUCCEEDED');
  expect(await known(ana)).toEqual({
    ...nothing,
    kept: ['name', 'document', 'phone'],
    firstName: 'Ana',
    lastName: 'Lima',
    document: '•••.982.247-••',
    phone: '•••• 4321',
  });
  expect((await buy(ana, { keepPayer: true })).data.status).toBe('PAYMENT_SUCCEEDED');
  expect((await buy(ana, { keepPayer: true }, 'pix')).data.next.type).toBe('qr');
  expect(await buy(ana), 'a form that says nothing of it').toMatchObject({ errCode: 5000 });
  expect(await buy(eva, { keepPayer: true })).toMatchObject({ errCode: 5000 });
  expect(await known(eva)).toEqual(nothing);
});

it('what is typed anew takes the place of what was kept, but not where the bank has refused', async () => {
  const ana = await shop.customer();
  await buy(ana, { payer, keepPayer: true });
  const card = { ...aCard(), number: rejected };
  expect((await buy(ana, { card, payer: { ...payer, phone: '21911112222' }, keepPayer: true })).code).not.toBe(0);
  expect((await known(ana)).phone).toBe('•••• 4321');
  await buy(ana, { payer: { document: '12.ABC.345/01DE-35' }, keepPayer: true });
  expect(await known(ana)).toMatchObject({ document: '••.ABC.•••/01DE-••', phone: '•••• 4321' });
});

it('lies in the database encrypted, is in the download in plain words, and is forgotten when its owner says so', async () => {
  const ana = await shop.customer();
  await buy(ana, { payer, keepPayer: true });
  const [row] = await shop.db.select().from(savedPayers);
  // whole values: three digits come by chance in what is random
  expect(Object.values(payer).filter((value) => JSON.stringify(row).includes(value))).toEqual([]);
  const confirm = { purpose: 'data', password: ana.password } as const;
  const { token } = ana;
  const { confirmation } = (await shop.request(endpoints.confirmOwner, { body: confirm }, { token })).data;
  const { data } = (await shop.request(endpoints.exportData, { body: { confirmation } }, { token })).data;
  expect(data['payer']).toMatchObject([payer]);
  expect(JSON.stringify(data)).not.toContain(row?.sealed);
  await shop.request(endpoints.forgetPayer, { body: {} }, { token });
  expect(await known(ana)).toEqual(nothing);
  expect(await shop.db.select().from(savedPayers)).toEqual([]);
});

it('does not open as the details of somebody else', async () => {
  const [ana, eva] = [await shop.customer(), await shop.customer()];
  await buy(ana, { payer, keepPayer: true });
  await shop.db.update(savedPayers).set({ uid: eva.uid });
  expect(await known(eva)).toEqual(nothing);
});

it('is neither shown to a box nor taken from one, because it stands where guests are', async () => {
  const ana = await shop.customer();
  await buy(ana, { payer, keepPayer: true });
  await shop.db.update(sessions).set({ kind: 'box' }).where(eq(sessions.uid, ana.uid));
  const { token } = ana;
  for (const endpoint of [endpoints.ownPayer, endpoints.forgetPayer])
    expect(await shop.request(endpoint, { body: {} }, { token })).toMatchObject({ errCode: -24031 });
  expect(await buy(ana, { keepPayer: true })).toMatchObject({ errCode: 5000 });
  const guest = { ...payer, firstName: 'Guest' };
  expect((await buy(ana, { payer: guest, keepPayer: true })).code).toBe(0);
  await shop.db.update(sessions).set({ kind: 'customer' });
  expect((await known(ana)).firstName).toBe('Ana');
});

it('begins the form of somebody who has never paid with what the account says', async () => {
  const ana = await shop.customer();
  await shop.request(endpoints.saveNickname, { body: { nickname: 'Ana Maria Lima' } }, { token: ana.token });
  expect(await known(ana)).toMatchObject({ kept: [], firstName: 'Ana', lastName: 'Maria Lima' });
  await shop.request(endpoints.saveNickname, { body: { nickname: 'Player 1' } }, { token: ana.token });
  expect(await known(ana)).toEqual(nothing);
});

it.each([
  ['a card number in a name', { ...payer, firstName: 'Ana 4242424242424242' }, 'payer.firstName'],
  ['a sign in a name', { ...payer, lastName: 'Lima <b>' }, 'payer.lastName'],
])('%s is refused', async (_, wrong, field) => {
  expect(await buy(await shop.customer(), { payer: wrong })).toMatchObject({ errCode: 5000, params: { field } });
});

it('a customer with one name pays, and a last name that was stored before is not added to it', async () => {
  const ana = await shop.customer();
  expect((await buy(ana, { payer, keepPayer: true })).code).toBe(0);
  const { holderLastName: _, ...card } = aCard();
  const one = { ...payer, firstName: 'Suharto', lastName: '' };
  expect((await buy(ana, { card: { ...card, holderFirstName: 'Suharto' }, payer: one, keepPayer: true })).code).toBe(0);
  expect(await known(ana)).toMatchObject({ kept: ['name', 'document', 'phone'], firstName: 'Suharto', lastName: '' });
  expect((await buy(ana, { payer: one }, 'pix')).code).toBe(0);
});

it('a name is normalised before it is stored and sent', async () => {
  const ana = await shop.customer();
  const typed = { ...payer, firstName: ' Mary\u2013Ann\u00A0', lastName: 'D\u00B4Angelo\u200B' };
  expect((await buy(ana, { payer: typed, keepPayer: true })).code).toBe(0);
  expect(await known(ana)).toMatchObject({ firstName: 'Mary-Ann', lastName: "D'Angelo" });
});

it('a postal code of Brazil has eight digits, however they are typed', async () => {
  const ana = await shop.customer();
  const address = { state: 'SP', city: 'São Paulo', street: 'Avenida Paulista', streetNumber: '1' };
  const slip = (zipCode: string) => buy(ana, { payer: { ...payer, address: { ...address, zipCode } } }, 'boleto');
  expect(await slip('1310-100')).toMatchObject({ errCode: 5000, params: { field: 'payer.address.zipCode' } });
  expect((await slip('01.310-100')).code).toBe(0);
});

it('a state of Brazil has to be one, by its code or its name', async () => {
  const ana = await shop.customer();
  const address = { zipCode: '01310-100', city: 'São Paulo', street: 'Avenida Paulista', streetNumber: '1' };
  const slip = (state: string) => buy(ana, { payer: { ...payer, address: { ...address, state } } }, 'boleto');
  for (const state of ['XX', '12', '???']) {
    expect(await slip(state), state).toMatchObject({ errCode: 5000, params: { field: 'payer.address.state' } });
  }
  for (const state of ['SP', 'são paulo']) expect((await slip(state)).code, state).toBe(0);
});
