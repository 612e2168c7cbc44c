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
const savedPayer = async ({ token }: User) => (await shop.request(endpoints.ownPayer, { body: {} }, { token })).data;
const nothing = { kept: [], firstName: '', lastName: '', document: '', phone: '', place: '', accountPhone: '' };

it('payer details are saved once and prefilled only for the same customer', async () => {
  const [ana, eva] = [await shop.customer(), await shop.customer()];
  expect(await savedPayer(ana)).toEqual(nothing);
  expect((await buy(ana, { payer, keepPayer: true })).data.status).toBe('PAYMENT_SUCCEEDED');
  expect(await savedPayer(ana)).toEqual({
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
  expect(await savedPayer(eva)).toEqual(nothing);
});

it('new payer details replace the saved ones unless the bank declined the payment', async () => {
  const ana = await shop.customer();
  await buy(ana, { payer, keepPayer: true });
  const card = { ...aCard(), number: rejected };
  expect((await buy(ana, { card, payer: { ...payer, phone: '21911112222' }, keepPayer: true })).code).not.toBe(0);
  expect((await savedPayer(ana)).phone).toBe('•••• 4321');
  await buy(ana, { payer: { document: '12.ABC.345/01DE-35' }, keepPayer: true });
  expect(await savedPayer(ana)).toMatchObject({ document: '••.ABC.•••/01DE-••', phone: '•••• 4321' });
});

it('payer details are encrypted in the database, readable in the export, and deleted on request', async () => {
  const ana = await shop.customer();
  await buy(ana, { payer, keepPayer: true });
  const [row] = await shop.db.select().from(savedPayers);
  // whole values: three digits can occur by chance in random data
  expect(Object.values(payer).filter((value) => JSON.stringify(row).includes(value))).toEqual([]);
  const confirm = { purpose: 'data', password: ana.password } as const;
  const { token } = ana;
  const { confirmation } = (await shop.request(endpoints.confirmOwner, { body: confirm }, { token })).data;
  const { data } = (await shop.request(endpoints.exportData, { body: { confirmation } }, { token })).data;
  expect(data['payer']).toMatchObject([payer]);
  expect(JSON.stringify(data)).not.toContain(row?.sealed);
  await shop.request(endpoints.forgetPayer, { body: {} }, { token });
  expect(await savedPayer(ana)).toEqual(nothing);
  expect(await shop.db.select().from(savedPayers)).toEqual([]);
});

it('payer details cannot be decrypted for another customer', async () => {
  const [ana, eva] = [await shop.customer(), await shop.customer()];
  await buy(ana, { payer, keepPayer: true });
  await shop.db.update(savedPayers).set({ uid: eva.uid });
  expect(await savedPayer(eva)).toEqual(nothing);
});

it('payer details are neither shown nor saved on a set-top box, which guests may use', async () => {
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
  expect((await savedPayer(ana)).firstName).toBe('Ana');
});

it('a first payment form is prefilled with the name of the account', async () => {
  const ana = await shop.customer();
  await shop.request(endpoints.saveNickname, { body: { nickname: 'Ana Maria Lima' } }, { token: ana.token });
  expect(await savedPayer(ana)).toMatchObject({ kept: [], firstName: 'Ana', lastName: 'Maria Lima' });
  await shop.request(endpoints.saveNickname, { body: { nickname: 'Player 1' } }, { token: ana.token });
  expect(await savedPayer(ana)).toEqual(nothing);
});

it.each([
  ['a card number in a name', { ...payer, firstName: 'Ana 4242424242424242' }, 'payer.firstName'],
  ['a sign in a name', { ...payer, lastName: 'Lima <b>' }, 'payer.lastName'],
])('%s is refused', async (_, wrong, field) => {
  expect(await buy(await shop.customer(), { payer: wrong })).toMatchObject({ errCode: 5000, params: { field } });
});

it('a customer with one name can pay, and no saved last name is added', async () => {
  const ana = await shop.customer();
  expect((await buy(ana, { payer, keepPayer: true })).code).toBe(0);
  const { holderLastName: _, ...card } = aCard();
  const one = { ...payer, firstName: 'Suharto', lastName: '' };
  expect((await buy(ana, { card: { ...card, holderFirstName: 'Suharto' }, payer: one, keepPayer: true })).code).toBe(0);
  expect(await savedPayer(ana)).toMatchObject({
    kept: ['name', 'document', 'phone'],
    firstName: 'Suharto',
    lastName: '',
  });
  expect((await buy(ana, { payer: one }, 'pix')).code).toBe(0);
});

it('a name is normalised before it is stored and sent', async () => {
  const ana = await shop.customer();
  const typed = { ...payer, firstName: ' Mary\u2013Ann\u00A0', lastName: 'D\u00B4Angelo\u200B' };
  expect((await buy(ana, { payer: typed, keepPayer: true })).code).toBe(0);
  expect(await savedPayer(ana)).toMatchObject({ firstName: 'Mary-Ann', lastName: "D'Angelo" });
});

it('a Brazilian postal code has eight digits in any notation', async () => {
  const ana = await shop.customer();
  const address = { state: 'SP', city: 'São Paulo', street: 'Avenida Paulista', streetNumber: '1' };
  const slip = (zipCode: string) => buy(ana, { payer: { ...payer, address: { ...address, zipCode } } }, 'boleto');
  expect(await slip('1310-100')).toMatchObject({ errCode: 5000, params: { field: 'payer.address.zipCode' } });
  expect((await slip('01.310-100')).code).toBe(0);
});

it('a Brazilian state is accepted by code or name only', async () => {
  const ana = await shop.customer();
  const address = { zipCode: '01310-100', city: 'São Paulo', street: 'Avenida Paulista', streetNumber: '1' };
  const slip = (state: string) => buy(ana, { payer: { ...payer, address: { ...address, state } } }, 'boleto');
  for (const state of ['XX', '12', '???']) {
    expect(await slip(state), state).toMatchObject({ errCode: 5000, params: { field: 'payer.address.state' } });
  }
  for (const state of ['SP', 'são paulo']) expect((await slip(state)).code, state).toBe(0);
});
