import { eq } from 'drizzle-orm';
import * as endpoints from '#contract/index.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { users } from '#server/db/schema/users.ts';
import { deleteAccounts } from '#server/jobs/delete-accounts.ts';
import { aCard, type Shop } from './a-shop.ts';

export const weekMs = 7 * 86_400_000;
export type User = Awaited<ReturnType<Shop['customer']>>;

/** API calls of customers before and during the deletion of their accounts. */
export function accountDeletion(currentShop: () => Shop) {
  const leave = async ({ token, password }: User) => {
    const body = { purpose: 'deletion', password } as const;
    const { confirmation } = (await currentShop().request(endpoints.confirmOwner, { body }, { token })).data;
    return currentShop().request(endpoints.requestDeletion, { body: { confirmation } }, { token });
  };
  const stateOf = async ({ token }: User) =>
    (await currentShop().request(endpoints.deletionState, { body: {} }, { token })).data;
  const infoOf = async ({ token, uid, account }: User) =>
    (await currentShop().request(endpoints.queryInfo, { body: { uid, account, type: 'email' } }, { token })).data;
  const rowOf = async ({ uid }: Pick<User, 'uid'>) => {
    const [row] = await currentShop().db.select().from(users).where(eq(users.uid, uid));
    return row;
  };
  const logIn = ({ account, password }: User) =>
    currentShop().request(endpoints.login, { body: { account, password, type: 'email' } });
  const subjects = async (recipient: string) =>
    (await currentShop().db.select().from(outbox).where(eq(outbox.recipient, recipient))).map(({ subject }) => subject);
  const payBody = async ({ token }: Pick<User, 'token'>, wish: object) => {
    const named = { planId: '101', methodCode: 'card', currency: 'BRL', ...wish };
    const { planId, methodCode, currency } = named;
    const quote = await currentShop().request(
      endpoints.goodsValuation,
      { body: { planId, methodCode, currency } },
      { token },
    );
    const payer = { firstName: 'Ana', lastName: 'Lima', document: '52998224725', phone: '11987654321' };
    const rest = { installments: 1, returnUrl: '/paymentResult', source: 'WEB', quoteId: quote.data.quoteId } as const;
    return { card: { ...aCard(), save: true }, ...named, ...rest, payer };
  };
  const keyed = ({ token }: Pick<User, 'token'>) => ({ token, idempotencyKey: crypto.randomUUID() });
  const pay = async (user: Pick<User, 'token'>, wish: object = {}) =>
    currentShop().request(endpoints.pay, { body: await payBody(user, wish) }, keyed(user));
  const repay = async (user: Pick<User, 'token'>, orderId: string) =>
    currentShop().request(endpoints.repay, { body: { ...(await payBody(user, {})), orderId } }, keyed(user));
  /** Advances the clock by the week of the deletion and runs the job. */
  const pass = async (ms = weekMs) => {
    currentShop().clock.advance(ms);
    return deleteAccounts(currentShop().deps);
  };
  /** A renewal that is due now. */
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
    paidUntil: currentShop().clock.now,
    dueAt: currentShop().clock.now,
    nextChargeAt: currentShop().clock.now,
    createdAt: currentShop().clock.now,
    updatedAt: currentShop().clock.now,
  });
  return { leave, stateOf, infoOf, rowOf, logIn, subjects, pay, repay, pass, aRenewal, keyed };
}
