import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import * as endpoints from '#contract/index.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { aCard, aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { numberFor } from '#tests/fixtures/solve-captcha.ts';
import { anInput, opens } from '#tests/builders/access-paths.ts';

let shop: Shop;
let ana: Buyer;
beforeEach(async () => {
  shop = await aShop();
  ana = await shop.buyer();
});
afterEach(() => shop.close());

const key = '3f0f2a52-6a0c-4b83-9c39-5d0ad9d0a001';

async function openHandover(token: string, planId = '101'): Promise<string> {
  const body = { planId, language: 'pt', idempotencyKey: key } as const;
  return (await shop.request(endpoints.openHandover, { body }, { token })).data.userCode;
}

async function takeHandover(userCode: string, token?: string) {
  return (await shop.request(endpoints.takeHandover, { body: { userCode, approve: true } }, { token })).data.user;
}

async function phoneOf(token: string, planId?: string): Promise<string> {
  return (await takeHandover(await openHandover(token, planId)))?.token ?? '';
}

const logOut = (token: string) =>
  shop.request(endpoints.loginOut, { body: { language: 'en', uid: ana.uid, account: '' } }, { token });

/** Another session of the same customer, opened with a code. */
const another = async () => {
  shop.clock.advance(61_000);
  const name = { account: ana.account, type: 'email' } as const;
  await shop.request(endpoints.sendVerificationCode, { body: { ...name, scene: 'login', language: 'en' } });
  const code = await shop.lastCode(ana.account);
  return (await shop.request(endpoints.codeLogin, { body: { ...name, code } })).data.token;
};

describe('the session of a phone that took over a checkout', () => {
  it('ends when the session that opened it logs out', async () => {
    const token = await phoneOf(ana.token);
    expect(await opens(shop, token)).toBe(true);
    await logOut(ana.token);
    expect(await opens(shop, token)).toBe(false);
    expect(await shop.db.select().from(sessions)).toEqual([]);
  });

  it('ends with its opener even from another device, and not with other sessions', async () => {
    const other = await another();
    const token = await phoneOf(ana.token);
    await logOut(other);
    expect(await opens(shop, token)).toBe(true);
    const last = await another();
    await shop.request(endpoints.endOtherSignIns, { body: {} }, { token: last });
    expect([await opens(shop, ana.token), await opens(shop, token), await opens(shop, last)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('does not replace its opener if one browser opens and takes over the checkout', async () => {
    const token = await phoneOf(ana.token);
    const next = await takeHandover(await openHandover(ana.token), token);
    expect([await opens(shop, token), await opens(shop, next?.token)]).toEqual([false, true]);
    expect(await takeHandover(await openHandover(ana.token), ana.token)).toBeNull();
    expect(await opens(shop, ana.token)).toBe(true);
  });

  it('may call the endpoints of a checkout only', async () => {
    const token = await phoneOf(ana.token);
    const allowed: string[] = [];
    for (const endpoint of Object.values(endpoints) as Endpoint[]) {
      if (endpoint.access === 'public' || endpoint.name === 'loginOut') continue;
      const { errCode } = await shop.request(endpoint, anInput(endpoint), { token });
      if (errCode !== -24031) allowed.push(endpoint.name);
    }
    expect(allowed.toSorted()).toMatchInlineSnapshot(`
      [
        "activeUser",
        "cancelOrder",
        "checkPlanAvailable",
        "createRandCode",
        "deviceQuery",
        "goodsValuation",
        "installmentsPlan",
        "liQuiDoConfirm",
        "listPlans",
        "order",
        "orderRemind",
        "orderUpload",
        "orders",
        "pay",
        "paymentCrypto",
        "paymentInfo",
        "paymentMethods",
        "paymentTip",
        "payssionCreate",
        "queryCart",
        "repay",
        "report",
        "siteVerify",
        "stripeCreate",
        "takeHandover",
        "unbindDiscountCode",
        "uploadObject",
        "useepayCreate",
      ]
    `);
  });

  it('receives the account name in its masked form only', async () => {
    const user = await takeHandover(await openHandover(ana.token));
    expect(JSON.stringify(user)).not.toContain(ana.account);
    expect(user?.account).toMatch(/\*\*\*@/);
  });

  it('buys only the plan of its checkout, with every endpoint that names a plan', async () => {
    const token = await phoneOf(ana.token);
    const bodies = {
      '101': await ana.body({ methodCode: 'pix' }),
      '102': await ana.body({ planId: '102', methodCode: 'pix' }),
    };
    const pay = (planId: keyof typeof bodies, idempotencyKey: string) =>
      shop.request(endpoints.pay, { body: bodies[planId] }, { token, idempotencyKey });
    expect((await pay('102', crypto.randomUUID())).errCode).toBe(-24031);
    expect((await shop.books()).orders).toEqual([]);
    const inCurrency = { planId: '102', currency: 'BRL' };
    const answers = [
      await shop.request(endpoints.checkPlanAvailable, { body: { planId: '102' } }, { token }),
      await shop.request(endpoints.paymentMethods, { body: inCurrency }, { token }),
      await shop.request(endpoints.goodsValuation, { body: { ...inCurrency, methodCode: 'pix' } }, { token }),
      await shop.request(endpoints.installmentsPlan, { body: { ...inCurrency, methodCode: 'card' } }, { token }),
    ];
    expect(answers.map(({ errCode }) => errCode)).toEqual([-24031, -24031, -24031, -24031]);
    expect((await pay('101', key)).code).toBe(0);
  });

  it.each(['email', 'phone'] as const)(
    'pays with a captcha after several declined cards, for an account that is a %s',
    async (type) => {
      if (type === 'phone')
        await shop.db
          .update(users)
          .set({ account: '5511987650001', accountType: 'phone', areaCode: '55', email: null })
          .where(eq(users.uid, ana.uid));
      const user = await takeHandover(await openHandover(ana.token));
      const { token = '', account = '' } = user ?? {};
      const pay = async (number: string, captcha: object = {}) => {
        const body = { ...(await ana.body({ card: aCard(number) })), ...captcha };
        return shop.request(endpoints.pay, { body }, { token, idempotencyKey: crypto.randomUUID() });
      };
      for (let n = 0; n < 3; n += 1) expect((await pay('4000000000000002')).errCode).toBe(301);
      expect((await pay('4242424242424242')).errCode).toBe(-3035);
      const challenge = await shop.request(
        endpoints.createRandCode,
        { body: { kind: 'work', account, type } },
        { token },
      );
      const solved = { captchaId: challenge.data.captchaId, captcha: numberFor(challenge.data) };
      expect((await pay('4242424242424242', solved)).data.status).toBe('PAYMENT_SUCCEEDED');
    },
  );

  it('cannot pay with a saved card of the owner', async () => {
    const token = await phoneOf(ana.token);
    const { card: _, ...rest } = await ana.body();
    const body = { ...rest, cardId: crypto.randomUUID(), cardCode: '123' };
    expect((await shop.request(endpoints.pay, { body }, { token, idempotencyKey: key })).errCode).toBe(-24031);
  });

  it('sees only the orders of its checkout, and no earlier ones or other plans', async () => {
    const before = await ana.pay();
    shop.clock.advance(1000);
    const token = await phoneOf(ana.token);
    const otherPlan = await ana.pay({ planId: '102', methodCode: 'pix' });
    const list = async () => {
      const { data } = await shop.request(endpoints.orders, { body: { page: 1, size: 20 } }, { token });
      return [data.total, ...data.items.map(({ orderId }) => orderId)];
    };
    expect(await list()).toEqual([0]);
    for (const { orderId } of [before.data, otherPlan.data]) {
      const body = { orderId };
      expect((await shop.request(endpoints.order, { params: { id: orderId } }, { token })).errCode).toBe(1001);
      expect((await shop.request(endpoints.paymentInfo, { body }, { token })).errCode).toBe(1001);
      expect((await shop.request(endpoints.cancelOrder, { body }, { token })).errCode).toBe(1001);
      expect((await shop.request(endpoints.orderRemind, { body }, { token })).errCode).toBe(1001);
    }
    const body = await ana.body({ methodCode: 'pix' });
    const paid = await shop.request(endpoints.pay, { body }, { token, idempotencyKey: key });
    expect(await list()).toEqual([1, paid.data.orderId]);
  });
});
