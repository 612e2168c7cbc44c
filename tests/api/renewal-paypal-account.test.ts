import { describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import type { Buyer } from '#tests/builders/a-shop.ts';
import { advanceDays, withRenewal } from '#tests/builders/a-renewal.ts';
import {
  accountsOf,
  buyWithRenewal,
  refuses,
  takenAtPaypal,
  withPaypalShop,
  type PaypalRenewing,
} from '#tests/builders/paypal-renewal.ts';
import { byPaypal, once, pageAt, type PaypalShop } from '#tests/builders/paypal-shop.ts';

let shop: PaypalShop;
withPaypalShop((opened) => (shop = opened));

const setups = '/v3/vault/setup-tokens';
const tokens = '/v3/vault/payment-tokens';

const keyed = (ana: Buyer) => ({ ...ana, idempotencyKey: crypto.randomUUID() });
const open = (ana: Buyer, purpose: 'change' | 'turnOn' = 'change') =>
  shop.request(endpoints.openCardPage, { body: { methodCode: 'paypal', currency: 'BRL', purpose } }, keyed(ana));
const take = (ana: Buyer, visit: string) =>
  shop.request(endpoints.takeCard, { body: { methodCode: 'paypal', visit } }, ana);

/** The payer's answer on PayPal's page; returns the parameters of the return. */
async function answer(url: string, action: 'approve' | 'decline' | 'refuse'): Promise<URLSearchParams> {
  const back = (await shop.press(url, action)).headers.get('location') ?? '';
  return new URL(back, 'http://localhost').searchParams;
}

/** Saves another account of the customer, and returns its ID among the saved cards. */
async function save(ana: Buyer, action: 'approve' | 'decline' = 'approve'): Promise<string> {
  const back = await answer((await open(ana)).data.url, action);
  return (await take(ana, back.get('approval_token_id') ?? '')).data.cardId;
}

const buyOnce = async () => {
  const ana = await shop.buyer();
  const { data } = await ana.pay(byPaypal);
  await shop.press(pageAt(data.next), 'approve');
  await shop.back(data);
  return ana;
};

describe('a PayPal account that is saved without a payment', () => {
  it('is offered, approved at PayPal, and turns on the renewal of a plan that was paid once', async () => {
    const ana = await buyOnce();
    const priced = { body: { planId: '101', currency: 'BRL' } };
    const { data: methods } = await shop.request(endpoints.paymentMethods, priced, ana);
    expect(methods.filter(({ accountPage }) => accountPage).map(({ code }) => code)).toEqual(['paypal']);
    const { data } = await open(ana, 'turnOn');
    const back = await answer(data.url, 'approve');
    expect(Object.fromEntries(back)).toMatchObject({ cardMethod: 'paypal', cardFor: 'turnOn' });
    const visit = back.get('approval_token_id') ?? '';
    const { data: taken } = await take(ana, visit);
    expect((await take(ana, visit)).data).toEqual(taken);
    const renewing = await withRenewal(shop, ana);
    const { price } = (await renewing.info()).terms;
    const body = { status: 'on' as const, cardId: taken.cardId, price };
    const on = (await shop.request(endpoints.updateRenewStatus, { body }, ana)).data;
    expect(on).toMatchObject({ status: 'on', card: { brand: 'paypal', account: 'b***@example.com' } });
    await advanceDays(shop, 30);
    expect(await renewing.charges()).toMatchObject([{ status: 'PAYMENT_SUCCEEDED', period: 1 }]);
  });

  it('asks PayPal for an account of this customer, with a description that PayPal accepts', async () => {
    const ana = await shop.buyer();
    await open(ana);
    const sent = shop.asked.findLast(({ path }) => path.endsWith(setups));
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      payment_source: {
        paypal: { usage_type: 'MERCHANT', permit_multiple_payment_tokens: true, description: 'Lumen' },
      },
    });
    expect(sent?.body).toMatch(/"merchant_customer_id":"[0-9a-f]{64}"/);
    expect(sent?.body).not.toContain(ana.uid);
    expect(sent?.requestId).toMatch(/-account$/);
  });

  it.each(['Люмен', 'Café & Co', 'L'.repeat(200)])('can be opened by a shop with the name %s', async (merchantName) => {
    const request = {
      key: crypto.randomUUID(),
      brand: 'lumen',
      customer: 'u-1',
      methodCode: 'paypal',
      currency: 'BRL',
    };
    const returnUrl = 'http://localhost/account?cardMethod=paypal&cardFor=change&cardVisit={visit}';
    const page = await shop.deps.gateways['paypal']?.openCardPage?.({
      ...request,
      merchantName,
      language: 'ru',
      returnUrl,
    });
    expect(page?.state).toBe('open');
  });

  it('replaces the account of a renewal, which is charged to it from then on', async () => {
    const ana = await buyWithRenewal(shop);
    const cardId = await save(ana);
    const { data } = await shop.request(endpoints.changeCard, { body: { cardId } }, keyed(ana));
    expect(data.card?.cardId).toBe(cardId);
    expect(await accountsOf(shop, ana)).toHaveLength(2);
    await advanceDays(shop, 30);
    expect(await takenAtPaypal(shop, ana)).toEqual([1990]);
    const token = (await accountsOf(shop, ana)).find((card) => card.cardId === cardId)?.token ?? 'none';
    expect(shop.asked.findLast(({ body }) => body.includes('vault_id'))?.body).toContain(token);
  });

  it('belongs only to the customer who approved it', async () => {
    const [ana, other] = [await shop.buyer(), await shop.buyer()];
    const back = await answer((await open(ana)).data.url, 'approve');
    const visit = back.get('approval_token_id') ?? '';
    expect((await take(other, visit)).errCode).toBe(2002);
    expect(shop.logged()).toContain('PayPal names another owner of an account');
    expect((await take(ana, visit)).code).toBe(0);
  });

  it('is not saved before it is approved, after a refusal, and after three hours', async () => {
    const ana = await shop.buyer();
    const { url } = (await open(ana)).data;
    const visit = new URL(url, 'http://localhost').searchParams.get('approval_session_id') ?? '';
    expect((await take(ana, visit)).errCode).toBe(2002);
    const back = await answer(url, 'refuse');
    expect([back.get('cardMethod'), back.get('cardFor')]).toEqual([null, null]);
    expect((await take(ana, visit)).errCode).toBe(2002);
    await answer(url, 'approve');
    shop.clock.advance(3 * 3_600_000);
    expect((await take(ana, visit)).errCode).toBe(2002);
    expect((await take(ana, 'NOBODYS0VISIT')).errCode).toBe(2002);
  });

  it.each([
    ['the request of its state', 'before', setups],
    ['the exchange', 'before', tokens],
    ['the answer to the exchange', 'after', tokens],
  ] as const)('is saved once if %s is lost', async (_, how, path) => {
    const ana = await shop.buyer();
    const visit = (await answer((await open(ana)).data.url, 'approve')).get('approval_token_id') ?? '';
    shop.spoil(once(path === setups ? `${setups}/${visit}` : path, how));
    expect((await take(ana, visit)).errCode).toBe(2002);
    shop.spoil(undefined);
    const { data } = await take(ana, visit);
    expect((await take(ana, visit)).data).toEqual(data);
    const { data: cards } = await shop.request(endpoints.listCard, { body: {} }, ana);
    expect(cards.map(({ cardId }) => cardId)).toEqual([data.cardId]);
  });

  it('opens one page at PayPal if the answer is lost and the request is repeated', async () => {
    const ana = keyed(await shop.buyer());
    const body = { methodCode: 'paypal', currency: 'BRL', purpose: 'change' } as const;
    shop.spoil(once(setups, 'after'));
    expect((await shop.request(endpoints.openCardPage, { body }, ana)).errCode).toBe(2002);
    shop.spoil(undefined);
    const opened = await shop.request(endpoints.openCardPage, { body }, ana);
    const ids = shop.asked.filter(({ path }) => path.endsWith(setups)).map(({ requestId }) => requestId);
    expect(new Set(ids.slice(-2)).size).toBe(1);
    expect(opened.data.url).toContain('/agreements/approve');
  });

  it('is no longer offered for an hour after PayPal refused to save accounts', async () => {
    const ana = await shop.buyer();
    shop.spoil(once(setups, refuses('NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE')));
    expect((await open(ana)).errCode).toBe(2002);
    shop.spoil(undefined);
    expect((await open(ana)).errCode).toBe(-2502);
    shop.clock.advance(3_600_000);
    expect((await open(ana)).code).toBe(0);
  });

  it('is refused and logged if PayPal refuses it for another reason', async () => {
    const ana: PaypalRenewing = await buyWithRenewal(shop);
    shop.spoil(once(setups, refuses('PERMISSION_DENIED')));
    expect((await open(ana)).errCode).toBe(2002);
    shop.spoil(undefined);
    const visit = (await answer((await open(ana)).data.url, 'approve')).get('approval_token_id') ?? '';
    shop.spoil(once(tokens, refuses('TOKEN_NOT_FOUND')));
    expect((await take(ana, visit)).errCode).toBe(2002);
    expect(shop.logged()).toContain('PayPal refused to open a page for an account');
    expect(shop.logged()).toContain('PayPal refused to save an approved account');
  });

  it('whose event arrives before it is taken changes nothing', async () => {
    const ana = await shop.buyer();
    const cardId = await save(ana);
    await shop.deliver(1000);
    await shop.deliver(1000);
    const { data: cards } = await shop.request(endpoints.listCard, { body: {} }, ana);
    expect(cards).toMatchObject([{ cardId, account: 'b***@example.com', usable: true }]);
  });

  it('that is deleted leaves the same account of another customer', async () => {
    const [ana, other] = [await shop.buyer(), await shop.buyer()];
    const [cardId, theirs] = [await save(ana), await save(other)];
    expect((await shop.request(endpoints.deleteCard, { body: { cardId } }, ana)).code).toBe(0);
    await shop.deliver(1000);
    const { data } = await shop.request(endpoints.listCard, { body: {} }, other);
    expect(data.map((card) => card.cardId)).toEqual([theirs]);
  });
});
