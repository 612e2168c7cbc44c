import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as endpoints from '../../src/contract/index.ts';
import { hiddenLifetimeKey, lifetimeKey } from '../../src/server/auth/code-guesses.ts';
import { cardsToForget, savedCards } from '../../src/server/db/schema/cards.ts';
import { ledger } from '../../src/server/db/schema/ledger.ts';
import { orders } from '../../src/server/db/schema/orders.ts';
import { outbox } from '../../src/server/db/schema/outbox.ts';
import { throttles } from '../../src/server/db/schema/sign-in.ts';
import { subscriptions } from '../../src/server/db/schema/subscriptions.ts';
import { users } from '../../src/server/db/schema/users.ts';
import { deleteAccounts } from '../../src/server/jobs/delete-accounts.ts';
import { reconcile } from '../../src/server/jobs/reconcile.ts';
import { refundDuplicates } from '../../src/server/jobs/refund-duplicates.ts';
import { renewDue } from '../../src/server/jobs/renew-due.ts';
import { purgeEnded } from '../../src/server/jobs/purge-ended.ts';
import { sendOutbox } from '../../src/server/jobs/send-outbox.ts';
import { writeRequestedMessages } from '../../src/server/jobs/write-requested-messages.ts';
import { noteBounce } from '../../src/server/messages/bounces.ts';
import { ownerOf, personalTables } from '../../src/server/my-data/personal-tables.ts';
import { workOff } from '../../src/server/renewal/work-off.ts';
import { allRows } from '../builders/all-rows.ts';
import { aBox } from '../builders/a-box.ts';
import { anOrder } from '../builders/an-order.ts';
import { live, withRenewal } from '../builders/a-renewal.ts';
import { putPasskey } from '../builders/a-passkey.ts';
import { aCard, aShop, byPix, type Shop } from '../builders/a-shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await aShop();
});
afterEach(() => shop.close());

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
type User = Awaited<ReturnType<Shop['customer']>>;

async function leave({ token, password }: User) {
  const body = { purpose: 'deletion', password } as const;
  const { confirmation } = (await shop.request(endpoints.confirmOwner, { body }, { token })).data;
  return shop.request(endpoints.requestDeletion, { body: { confirmation } }, { token });
}
const stateOf = async ({ token }: User) => (await shop.request(endpoints.deletionState, { body: {} }, { token })).data;
const infoOf = async ({ token, uid, account }: User) =>
  (await shop.request(endpoints.queryInfo, { body: { uid, account, type: 'email' } }, { token })).data;
const rowOf = async ({ uid }: Pick<User, 'uid'>) => {
  const [row] = await shop.db.select().from(users).where(eq(users.uid, uid));
  return row;
};
const logIn = ({ account, password }: User) =>
  shop.request(endpoints.login, { body: { account, password, type: 'email' } });
const subjects = async (recipient: string) =>
  (await shop.db.select().from(outbox).where(eq(outbox.recipient, recipient))).map(({ subject }) => subject);
const payBody = async ({ token }: Pick<User, 'token'>, wish: object) => {
  const named = { planId: '101', methodCode: 'card', currency: 'BRL', ...wish };
  const { planId, methodCode, currency } = named;
  const quote = await shop.request(endpoints.goodsValuation, { body: { planId, methodCode, currency } }, { token });
  const payer = { firstName: 'Ana', lastName: 'Lima', document: '52998224725', phone: '11987654321' };
  const rest = { installments: 1, returnUrl: '/paymentResult', source: 'WEB', quoteId: quote.data.quoteId } as const;
  return { card: { ...aCard(), save: true }, ...named, ...rest, payer };
};
const keyed = ({ token }: Pick<User, 'token'>) => ({ token, idempotencyKey: crypto.randomUUID() });
const pay = async (user: Pick<User, 'token'>, wish: object = {}) =>
  shop.request(endpoints.pay, { body: await payBody(user, wish) }, keyed(user));
const repay = async (user: Pick<User, 'token'>, orderId: string) =>
  shop.request(endpoints.repay, { body: { ...(await payBody(user, {})), orderId } }, keyed(user));
/** Lets the week pass. */
const pass = async (ms = weekMs) => {
  shop.clock.advance(ms);
  return deleteAccounts(shop.deps);
};

describe('asking for the deletion', () => {
  it('takes the password again, says what is lost, and tells the owner by mail', async () => {
    const ana = await shop.customer();
    await pay(ana);
    expect(await stateOf(ana)).toMatchObject({ leavesAt: null, cards: 1, orders: 1, openOrders: 0, keptYears: 10 });
    const leavesAt = shop.clock.now + weekMs;
    expect((await leave(ana)).data).toEqual({ leavesAt });
    expect((await stateOf(ana)).leavesAt).toBe(leavesAt);
    expect(await subjects(ana.account)).toContain('Your Lumen account will be deleted on November 28, 2026');
    shop.clock.advance(1000);
    expect((await leave(ana)).data).toEqual({ leavesAt });
    const mails = await subjects(ana.account);
    expect(mails.filter((subject) => subject.includes('will be deleted'))).toHaveLength(1);
  });

  it('does not take a session alone, nor one confirmation twice', async () => {
    const { token, password } = await shop.customer();
    const ask = (confirmation: string) =>
      shop.request(endpoints.requestDeletion, { body: { confirmation } }, { token });
    expect((await ask('x'.repeat(60))).errCode).toBe(-3034);
    const body = { purpose: 'deletion', password } as const;
    const { confirmation } = (await shop.request(endpoints.confirmOwner, { body }, { token })).data;
    expect((await ask(confirmation)).code).toBe(0);
    expect((await ask(confirmation)).errCode).toBe(-3034);
  });

  it('leaves a week in which one can log in, watch and think again, but not buy', async () => {
    const ana = await shop.customer();
    const { orderId } = (await pay(ana, byPix)).data;
    expect(await infoOf(ana)).toMatchObject({ leavesAt: null });
    await leave(ana);
    // home and account say so, and offer nothing to buy
    expect(await infoOf(ana)).toMatchObject({ leavesAt: shop.clock.now + weekMs });
    expect((await logIn(ana)).code).toBe(0);
    expect((await pay(ana)).errCode).toBe(4599);
    expect((await repay(ana, orderId)).errCode).toBe(4599);
    expect(await pass(weekMs - 1)).toBe(0);
    await shop.request(endpoints.keepAccount, { body: {} }, { token: ana.token });
    expect((await stateOf(ana)).leavesAt).toBeNull();
    expect(await pass()).toBe(0);
    expect((await rowOf(ana))?.account).toBe(ana.account);
    expect((await pay({ token: (await logIn(ana)).data.token })).code).toBe(0);
  });

  it('says so wherever plans are sold, and refuses a renewal and its card', async () => {
    const ana = await shop.customer();
    const { token } = ana;
    const sold = async () => ({
      tip: (await shop.request(endpoints.paymentTip, { query: { planId: '101' } }, { token })).data.leavesAt,
      plans: (await shop.request(endpoints.listPlans, { query: { language: 'en', mine: '1' } }, { token })).data
        .leavesAt,
    });
    expect(await sold()).toEqual({ tip: null, plans: null });
    await pay(ana);
    const { terms } = (await shop.request(endpoints.renewInfo, {}, { token })).data;
    await leave(ana);
    const leavesAt = shop.clock.now + weekMs;
    expect(await sold()).toEqual({ tip: leavesAt, plans: leavesAt });
    // what everybody gets names nobody's account
    const all = await shop.request(endpoints.listPlans, { query: { language: 'en' } }, { token });
    expect(all.data).not.toHaveProperty('leavesAt');
    const [card] = (await shop.request(endpoints.listCard, { body: {} }, { token })).data;
    const { cardId = '' } = card ?? {};
    const on = { status: 'on', cardId, price: terms.price } as const;
    expect((await shop.request(endpoints.updateRenewStatus, { body: on }, { token })).errCode).toBe(4599);
    expect((await shop.request(endpoints.changeCard, { body: { cardId } }, keyed(ana))).errCode).toBe(4599);
    const page = { methodCode: 'card', currency: 'BRL', purpose: 'turnOn' } as const;
    expect((await shop.request(endpoints.openCardPage, { body: page }, keyed(ana))).errCode).toBe(4599);
    await shop.request(endpoints.keepAccount, { body: {} }, { token });
    expect((await shop.request(endpoints.updateRenewStatus, { body: on }, { token })).code).toBe(0);
  });

  it('ends the renewal at once', async () => {
    const ana = await shop.customer();
    await shop.db.insert(subscriptions).values(aRenewal(ana));
    expect((await stateOf(ana)).renews).toBe(true);
    await leave(ana);
    const [row] = await shop.db.select().from(subscriptions);
    expect(row).toMatchObject({ status: 'off', dueAt: null, nextChargeAt: null });
    expect((await stateOf(ana)).renews).toBe(false);
  });
});

describe('a renewal that is being charged when its owner asks for the deletion', () => {
  /** On the day of a charge, which one process has begun. */
  async function charging(begin: (ana: User, charge: () => Promise<unknown>) => Promise<void>) {
    const ana = await shop.customer();
    await pay(ana, { renew: true });
    const eva = await withRenewal(shop, { ...(await shop.buyer()), ...ana });
    await live(shop, 28);
    shop.clock.advance(1.1 * dayMs);
    await begin(ana, () => renewDue(shop.deps));
    expect((await eva.row()).status).toBe('renewing');
    return { ana, eva };
  }
  /** What the bank is asked from now on. */
  function asked() {
    const { sandbox } = shop.deps.gateways;
    if (!sandbox?.chargeSaved) throw new Error('no bank');
    return { charge: vi.spyOn(sandbox, 'chargeSaved'), inquire: vi.spyOn(sandbox, 'inquire') };
  }
  const laterOn = async () => {
    shop.clock.advance(3_600_000);
    await reconcile(shop.deps);
    await renewDue(shop.deps);
  };

  it('is called off where nobody has asked the bank yet: its order is cancelled, and never asked for', async () => {
    const { ana, eva } = await charging(async (one) => {
      const transaction: typeof shop.db.transaction = async (work) => {
        await shop.db.transaction(work);
        throw new Error('the process has ended');
      };
      const dying = Object.assign(Object.create(shop.db) as typeof shop.db, { transaction }); // as: the shop's own, but for one method
      await expect(workOff({ ...shop.deps, db: dying }, { brand: 'lumen', uid: one.uid })).rejects.toThrow('has ended');
    });
    const bank = asked();
    expect(await stateOf(ana)).toMatchObject({ renews: true, charging: false });
    await leave(ana);
    expect(await eva.charges()).toMatchObject([{ status: 'PAYMENT_CANCELLED', underReview: false }]);
    await laterOn();
    expect(bank.charge).not.toHaveBeenCalled();
    expect(bank.inquire).not.toHaveBeenCalled();
    expect(await eva.row()).toMatchObject({ status: 'off', orderId: null });
    expect(await eva.told()).toEqual(['notice']);
  });

  it('is told of where the bank has been asked, and counts when it was paid', async () => {
    const { ana, eva } = await charging(async (_, charge) => {
      const { sandbox } = shop.deps.gateways;
      const real = sandbox?.chargeSaved;
      if (!sandbox || !real) throw new Error('no bank');
      vi.spyOn(sandbox, 'chargeSaved').mockImplementationOnce(async (wish) => {
        await real.call(sandbox, wish);
        throw new Error('the answer is lost');
      });
      await charge();
    });
    const { paid } = await eva.access();
    expect(await stateOf(ana)).toMatchObject({ charging: true });
    await leave(ana);
    expect(await stateOf(ana)).toMatchObject({ renews: false, charging: true });
    const mails = await shop.db.select().from(outbox).where(eq(outbox.recipient, ana.account));
    expect(mails.find(({ subject }) => subject.includes('will be deleted'))?.text).toContain('cannot be called off');
    await laterOn();
    expect(await eva.charges()).toMatchObject([{ status: 'PAYMENT_SUCCEEDED' }]);
    expect(await eva.access()).toEqual({ paid: paid + 30 * dayMs, grace: null });
    expect(await eva.row()).toMatchObject({ status: 'off', nextChargeAt: null });
    expect((await stateOf(ana)).charging).toBe(false);
  });

  it('cannot be turned on again meanwhile, in words that say why', async () => {
    const ana = await shop.customer();
    await pay(ana);
    await leave(ana);
    const [card] = (await shop.request(endpoints.listCard, { body: {} }, ana)).data;
    const body = { status: 'on', cardId: card?.cardId, price: { amount: 1990, currency: 'BRL' } } as const;
    expect((await shop.request(endpoints.updateRenewStatus, { body }, ana)).errCode).toBe(4599);
  });
});

const aRenewal = ({ uid }: User) => ({
  id: 'renewal',
  brand: 'lumen',
  uid,
  status: 'on' as const,
  planId: '101',
  methodCode: 'card',
  days: 30,
  price: 1990,
  currency: 'BRL',
  paidUntil: shop.clock.now,
  dueAt: shop.clock.now,
  nextChargeAt: shop.clock.now,
  createdAt: shop.clock.now,
  updatedAt: shop.clock.now,
});

describe('a week later', () => {
  it('removes everything of the customer but what tax law keeps, which names nobody any more', async () => {
    const ana = await shop.customer();
    await putPasskey(shop, ana);
    await pay(ana);
    await logIn({ ...ana, password: 'wrong-password' });
    const before = await rowOf(ana);
    if (!before) throw new Error('no customer');
    const owner = ownerOf(before);
    await leave(ana);
    expect(await pass()).toBeGreaterThan(0);
    for (const [name, { table, whose, atEnd }] of Object.entries(personalTables)) {
      const left = await shop.db.select().from(table).where(whose(owner));
      const goodbye = name === 'mailsThatWait' ? 1 : 0;
      if (atEnd === 'removed') expect({ name, left: left.length }).toEqual({ name, left: goodbye });
    }
    expect(await shop.db.select().from(orders).where(eq(orders.uid, ana.uid))).toHaveLength(1);
    expect(await shop.db.select().from(ledger)).toHaveLength(1);
    const after = await rowOf(ana);
    expect(after).toMatchObject({ userType: 'DELETED', email: null, passwordHash: null, nickname: '', planId: null });
    expect(JSON.stringify(after)).not.toContain(ana.account);
    expect(await subjects(ana.account)).toEqual(['Your Lumen account is deleted']);
  });

  it('ends sessions, boxes and every way in, and frees the name for a new account', async () => {
    const ana = await shop.customer();
    const { deviceCode, userCode } = await aBox(shop).codes();
    await shop.request(endpoints.deviceConfirm, { body: { userCode, approve: true } }, { token: ana.token });
    await leave(ana);
    await pass();
    expect((await shop.request(endpoints.queryUrv, {}, { token: ana.token })).errCode).toBe(21);
    expect((await aBox(shop).poll(deviceCode)).body['access_token']).toBeUndefined();
    expect((await logIn(ana)).errCode).toBe(3001);
    const again = await shop.customer({ account: ana.account });
    expect(again.uid).not.toBe(ana.uid);
    expect((await stateOf(again)).orders).toBe(0);
  });

  it('forgets saved cards at their gateway, and asks again until it is done', async () => {
    const ana = await shop.customer();
    await pay(ana);
    await leave(ana);
    const { sandbox } = shop.deps.gateways;
    if (!sandbox) throw new Error('no gateway');
    const asked: string[] = [];
    const forgetCard = async (token: string) => {
      asked.push(token);
      return asked.length > 1 && (await sandbox.forgetCard?.(token)) === true;
    };
    const deps = { ...shop.deps, gateways: { ...shop.deps.gateways, sandbox: { ...sandbox, forgetCard } } };
    shop.clock.advance(weekMs);
    await deleteAccounts(deps);
    expect(await shop.db.select().from(savedCards)).toEqual([]);
    expect(await shop.db.select().from(cardsToForget)).toHaveLength(1);
    expect((await rowOf(ana))?.userType).toBe('DELETED');
    await deleteAccounts(deps);
    expect(asked).toHaveLength(1);
    shop.clock.advance(10 * 60_000);
    await deleteAccounts(deps);
    expect(asked).toHaveLength(2);
    expect(await shop.db.select().from(cardsToForget)).toEqual([]);
  });

  it('gives back money that comes later for an order of theirs', async () => {
    const ana = await shop.customer();
    const { orderId, next } = (await pay(ana, byPix)).data;
    await leave(ana);
    await pass();
    await shop.press((next.type === 'qr' && next.bankUrl) || '', 'pay-late');
    await shop.deliver(300);
    const books = () => shop.db.select().from(ledger).where(eq(ledger.orderId, orderId));
    const [capture] = await books();
    expect(capture?.kind).toBe('capture');
    expect((await rowOf(ana))?.expiredTime).toBeNull();
    expect(await refundDuplicates(shop.deps)).toBe(1);
    expect((await books()).map(({ amount }) => amount).reduce((sum, one) => sum + one, 0)).toBe(0);
  });

  it('waits for a renewal that is being charged at this moment', async () => {
    const ana = await shop.customer();
    await leave(ana);
    await shop.db.insert(subscriptions).values({ ...aRenewal(ana), status: 'renewing' });
    await pass();
    expect((await rowOf(ana))?.userType).toBe('MEMBER');
    await shop.db.update(subscriptions).set({ status: 'off' });
    await pass(10 * 60_000);
    expect((await rowOf(ana))?.userType).toBe('DELETED');
  });

  it('leaves the name nowhere in the database, whatever was done with the account', async () => {
    const account = 'ana.deleted@example.com';
    const wrong = { account, type: 'email', code: '0000' } as const;
    const request = { account, type: 'email', scene: 'login', language: 'en' } as const;
    // before there is an account, too
    await shop.request(endpoints.sendVerificationCode, { body: { ...request, scene: 'signup' } });
    await writeRequestedMessages(shop.deps);
    shop.clock.advance(60_000);
    const ana = await shop.customer({ account });
    await pay(ana);
    await pay(ana, { methodCode: 'pix' });
    shop.clock.advance(60_000);
    await shop.request(endpoints.sendVerificationCode, { body: request });
    await writeRequestedMessages(shop.deps);
    for (let n = 0; n < 3; n += 1) await shop.request(endpoints.codeLogin, { body: wrong });
    await shop.request(endpoints.login, { body: { account, password: 'not my password', type: 'email' } });
    await shop.request(endpoints.resetPasswordByEmail, { body: { email: account, language: 'en' } });
    await noteBounce(shop.deps, account, 'complaint', shop.clock.now);
    await leave(ana);
    await pass();
    expect((await rowOf(ana))?.userType).toBe('DELETED');
    for (let month = 0; month < 4; month += 1) {
      shop.clock.advance(31 * dayMs);
      await sendOutbox(shop.deps);
      await purgeEnded(shop.deps);
    }
    const rows = await allRows(shop.db);
    const places = rows.split('\n').filter((table) => table.includes('ana.deleted'));
    expect(places.map((table) => table.split(':')[0])).toEqual([]);
  });

  it('leaves no name in the counts of a lifetime, and those of others as they were', async () => {
    const ana = await shop.customer();
    const resetsAt = shop.clock.now + 100 * weekMs;
    const keyOf = (account: string) => lifetimeKey(shop.deps, { brand: 'lumen', account });
    const hidden = hiddenLifetimeKey(shop.deps, { brand: 'lumen', customer: `uid ${ana.uid}` });
    const others = [keyOf(`${ana.account}.br`), keyOf('other@example.com')];
    const own = [keyOf(ana.account), `${keyOf(ana.account)} by nonce`, hidden, `${hidden} by nonce`];
    const all = [...own, ...others];
    expect(all.join(' ')).not.toContain('example.com');
    await shop.db.insert(throttles).values(all.map((key) => ({ key, count: 1, resetsAt })));
    await leave(ana);
    await pass();
    const left = (await shop.db.select().from(throttles))
      .map(({ key }) => key)
      .filter((key) => key.startsWith('code failures'));
    expect(left.toSorted()).toEqual(others.toSorted());
  });

  it('is done once, by however many processes', async () => {
    const ana = await shop.customer();
    await leave(ana);
    shop.clock.advance(weekMs);
    const done = await Promise.all([deleteAccounts(shop.deps), deleteAccounts(shop.deps), deleteAccounts(shop.deps)]);
    expect(done.reduce((sum, one) => sum + one, 0)).toBe(1);
  });
});

describe('years later', () => {
  it('forgets the orders, too, and the row that they pointed at', async () => {
    const ana = await shop.customer();
    const eva = await shop.customer();
    await anOrder(shop.db, eva, { status: 'PAYMENT_SUCCEEDED' });
    await pay(ana);
    await leave(ana);
    await pass();
    await pass(9 * 365 * 86_400_000);
    expect(await rowOf(ana)).toBeDefined();
    await pass(370 * 86_400_000);
    expect(await rowOf(ana)).toBeUndefined();
    expect(
      await shop.db
        .select()
        .from(orders)
        .where(and(eq(orders.uid, ana.uid))),
    ).toEqual([]);
    expect(await shop.db.select().from(ledger)).toEqual([]);
    expect(await shop.db.select().from(orders)).toHaveLength(1);
  });
});
