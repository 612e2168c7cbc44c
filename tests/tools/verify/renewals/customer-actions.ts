import { and, eq, inArray, like, sql } from 'drizzle-orm';
import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import * as endpoints from '#contract/index.ts';
import { statementRows } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { aCard } from '#tests/builders/a-shop.ts';
import { cheapPassword } from '#tests/builders/cheap-password.ts';
import type { Answer } from '#tests/builders/test-app.ts';
import { tellOf } from './bank.ts';
import { currency, type Person } from './subscribers.ts';
import type { World } from './world.ts';

const payer = { firstName: 'Ana', lastName: 'Lima', document: '52998224725', phone: '11987654321' };
const plans = ['101', '102', '103'] as const;

type Act = (world: World, person: Person) => Promise<void>;

/** Calls the shop for a customer. A refusal with another code than the allowed ones is recorded as a fault. */
async function call<E extends Endpoint>(
  { processes, chance, faults, clock }: World,
  person: Person,
  endpoint: E,
  input: Input<E>,
  allowedCodes: readonly number[],
): Promise<Answer<Result<E>>> {
  const { token, uid } = person;
  const { app } = chance.pick(processes);
  const answer = await app.request(endpoint, input, { token, idempotencyKey: crypto.randomUUID() });
  const { errCode } = answer;
  if (
    errCode !== undefined &&
    errCode !== busy &&
    !allowedCodes.includes(errCode) &&
    !isDueToDeletion(person, errCode, clock.now)
  )
    faults.push(`${uid}: ${endpoint.name} was refused with ${errCode}`);
  return answer;
}

/** The database was overloaded: it is unknown whether the call was processed. */
const busy = -24040;

/** Whether a refusal is due to the deletion: such an account cannot buy, and a deleted one has no session. */
function isDueToDeletion({ leaves }: Person, errCode: number, now: number): boolean {
  return leaves !== undefined && (errCode === 4599 || (errCode === 21 && now >= leaves.due));
}

/** Turns the renewal off, which is effective from the answer on. */
const stop: Act = async (world, person) => {
  const body = { status: 'off', reason: 'price' } as const;
  const { code } = await call(world, person, endpoints.updateRenewStatus, { body }, [6201, 6202, 6204, 6207]);
  if (code === 0) person.wants = false;
};

/** Turns the renewal off by the link in a mail. */
export async function stopByLink(world: World, person: Person, token: string): Promise<void> {
  const allowedCodes = [6202, 6204, 6207, 10302];
  const { code } = await call(world, person, endpoints.stopRenewalByLink, { body: { token } }, allowedCodes);
  if (code === 0) person.wants = false;
}

/** Records the agreement before the call, because a charge may follow at once, and restores it after a refusal. */
async function withAgreement(
  person: Person,
  price: number,
  work: () => Promise<{ readonly code: number; readonly errCode: number | undefined }>,
): Promise<boolean> {
  const { wants, agreed } = person;
  Object.assign(person, { wants: true, agreed: Math.max(agreed, price) });
  const { code, errCode } = await work();
  if (code !== 0 && errCode !== busy) Object.assign(person, { wants, agreed });
  return code === 0;
}

/** Turns the renewal on again, or accepts a new price. */
export const start: Act = async (world, person) => {
  const info = await call(world, person, endpoints.renewInfo, { body: {} }, [6201]);
  if (info.code !== 0) return;
  const { asks, terms, status } = info.data;
  const price = asks ?? terms.price;
  const allowedCodes = [6201, 6202, 6206, 6207, 1015, 2001];
  const body = { status: 'on', price } as const;
  const done = await withAgreement(person, price.amount, () =>
    call(world, person, endpoints.updateRenewStatus, { body }, allowedCodes),
  );
  if (!done) return;
  person.yes.push({ at: world.clock.now, price: price.amount });
  if (status !== 'renewing') person.agreed = price.amount;
};

export const changeCard: Act = async (world, person) => {
  const saved = world.chance.is(0.3) ? (await call(world, person, endpoints.listCard, { body: {} }, [])).data : [];
  const cardId = saved.at(-1)?.cardId;
  const body = cardId === undefined ? { methodCode: 'card', card: aCard(), payer } : { cardId };
  await call(world, person, endpoints.changeCard, { body }, [6201, 6202, 6207, 2002]);
};

const deleteCard: Act = async (world, person) => {
  const [card] = (await call(world, person, endpoints.listCard, { body: {} }, [])).data;
  if (card) await call(world, person, endpoints.deleteCard, { body: { cardId: card.cardId } }, [1021, 1022, -2511]);
};

/** Buys a plan in the checkout, with or without automatic renewal. */
async function buy(world: World, person: Person, planId: string, renew: boolean): Promise<void> {
  const wish = { planId, methodCode: 'card', currency };
  const quote = await call(world, person, endpoints.goodsValuation, { body: wish }, [6000]);
  if (quote.code !== 0) return;
  const { quoteId, renewal } = quote.data;
  const card = { ...aCard(), save: renew };
  const body = {
    ...wish,
    quoteId,
    card,
    payer,
    renew,
    installments: 1,
    returnUrl: '/paymentResult',
    source: 'WEB',
  } as const;
  const pay = () => call(world, person, endpoints.pay, { body }, [302, 1015, 6000]);
  if (!renew) return void (await pay());
  if (!(await withAgreement(person, renewal?.price.amount ?? 0, pay))) return;
  person.planId = planId;
  if ((await statusOf(world, person)) !== 'renewing') person.agreed = renewal?.price.amount ?? 0;
}

export const comeBack: Act = (world, person) => buy(world, person, person.planId, true);
const changePlan: Act = (world, person) => buy(world, person, world.chance.pick(plans), true);
const buyByHand: Act = (world, person) => buy(world, person, person.planId, false);

/** Pays the order of a renewal in the checkout, as a mail requests when the bank requires authentication. */
export const payByHand: Act = async (world, person) => {
  const [row] = await ownRow(world, person);
  if (!row?.orderId) return;
  const { orderId, planId } = row;
  const wish = { planId, methodCode: 'card', currency, orderId };
  const quote = await call(world, person, endpoints.goodsValuation, { body: wish }, [6000]);
  if (quote.code !== 0) return;
  const { quoteId } = quote.data;
  const body = {
    ...wish,
    quoteId,
    card: aCard(),
    payer,
    installments: 1,
    returnUrl: '/paymentResult',
    source: 'WEB',
  } as const;
  await call(world, person, endpoints.repay, { body }, [302, 1001, 1015, 6000]);
};

/** The bank refunds the newest charge, or the customer disputes it; both turn the renewal off. */
const reversePayment =
  (kind: 'refund' | 'chargeback'): Act =>
  async (world, person) => {
    const { bank, processes, chance, faults } = world;
    const charge = bank.newestOf(person.uid);
    if (!charge) return;
    const { key } = charge;
    const stage = kind === 'refund' ? 'succeeded' : 'opened';
    bank.reversePayment(key);
    const body = tellOf({ kind, stage, key, eventId: `${kind} ${key}` });
    const { status } = await chance.pick(processes).app.app.request('/webhooks/sandbox', { method: 'POST', body });
    if (status !== 200) faults.push(`${person.uid}: a notice was answered with ${status}`);
    const renews = await statementRows(
      world.db,
      sql`select 1 from attempts join orders using (order_id) where attempts.id = ${key}
      and (orders.subscription_id is not null or attempts.renew_price is not null)
      and (select count(*) from ledger where ledger.order_id = orders.order_id and kind = 'capture') = 1`,
    );
    if (renews.length === 0) return;
    const after = await statusOf(world, person);
    if (after !== undefined && after !== 'off' && after !== 'ended')
      faults.push(`${person.uid}: the renewal is ${after} after a ${kind}`);
    person.wants = false;
  };

/** Requests the deletion of the account. Charges that are pending at that time may still succeed. */
const leave: Act = async (world, person) => {
  const { password } = cheapPassword;
  const confirmed = await call(world, person, endpoints.confirmOwner, { body: { purpose: 'deletion', password } }, []);
  if (confirmed.code !== 0) return;
  const { confirmation } = confirmed.data;
  const requestedAt = world.clock.now;
  // the jobs may have advanced the clock by half an hour since the confirmation
  const answer = await call(world, person, endpoints.requestDeletion, { body: { confirmation } }, [-3034]);
  if (answer.code !== 0) return;
  const own = await world.db.select({ id: attempts.id }).from(attempts).where(isPendingRenewal(person));
  const leaves = { asked: requestedAt, due: answer.data.leavesAt };
  Object.assign(person, { leaves, wants: false, onItsWay: new Set(own.map(({ id }) => id)) } satisfies Partial<Person>);
};

const isPendingRenewal = ({ uid }: Person) =>
  and(
    eq(attempts.uid, uid),
    inArray(attempts.state, ['INTENT', 'PENDING']),
    like(attempts.idempotencyKey, 'renewal %'),
  );

/** Cancels the deletion within the week. The account remains with its paid days, and without a renewal. */
export const keep: Act = async (world, person) => {
  if (!person.leaves) return;
  const { code } = await call(world, person, endpoints.keepAccount, { body: {} }, []);
  if (code !== 0) return;
  person.leaves = undefined;
  const { data } = await call(world, person, endpoints.deletionState, { body: {} }, []);
  const info = await call(world, person, endpoints.renewInfo, { body: {} }, [6201]);
  const renews = info.code === 0 && !['off', 'ended'].includes(info.data.status);
  if (data.leavesAt !== null || renews)
    world.faults.push(`${person.uid} has cancelled the deletion, but the account leaves or renews`);
};

function ownRow({ db }: World, { uid }: Person) {
  return db.select().from(subscriptions).where(eq(subscriptions.uid, uid));
}

async function statusOf(world: World, person: Person) {
  return (await ownRow(world, person))[0]?.status;
}

/** The spontaneous actions of customers. */
const acts: readonly Act[] = [
  stop,
  stop,
  start,
  changeCard,
  changeCard,
  deleteCard,
  changePlan,
  buyByHand,
  reversePayment('refund'),
  reversePayment('chargeback'),
  leave,
];

export async function performRandomAction(world: World, person: Person): Promise<void> {
  const isGone = person.leaves !== undefined && person.leaves.due <= world.clock.now;
  // a deleted customer can only dispute at the bank
  const act = isGone ? reversePayment('chargeback') : world.chance.pick(acts);
  await act(world, person);
}
