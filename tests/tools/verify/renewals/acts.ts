import { and, eq, inArray, like, sql } from 'drizzle-orm';
import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import * as endpoints from '#contract/index.ts';
import { statementRows } from '#server/db/driver-results.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { aCard } from '#tests/builders/a-shop.ts';
import { cheapPassword } from '#tests/builders/cheap-password.ts';
import type { Answer } from '#tests/builders/test-app.ts';
import { tellOf } from './bank.ts';
import { currency, type Person } from './people.ts';
import type { World } from './world.ts';

const payer = { firstName: 'Ana', lastName: 'Lima', document: '52998224725', phone: '11987654321' };
const plans = ['101', '102', '103'] as const;

type Act = (world: World, person: Person) => Promise<void>;

/** Calls the shop for a customer. What it may refuse with is told; anything else is a fault. */
async function call<E extends Endpoint>(
  { processes, chance, faults, clock }: World,
  person: Person,
  endpoint: E,
  input: Input<E>,
  may: readonly number[],
): Promise<Answer<Result<E>>> {
  const { token, uid } = person;
  const { app } = chance.pick(processes);
  const answer = await app.request(endpoint, input, { token, idempotencyKey: crypto.randomUUID() });
  const { errCode } = answer;
  if (errCode !== undefined && errCode !== busy && !may.includes(errCode) && !isOfLeaving(person, errCode, clock.now))
    faults.push(`${uid}: ${endpoint.name} was refused with ${errCode}`);
  return answer;
}

/** The database had too much to do: what was asked for is done or not. */
const busy = -24040;

/** Who leaves can buy nothing, and whose account is gone is signed in no more. */
function isOfLeaving({ leaves }: Person, errCode: number, now: number): boolean {
  return leaves !== undefined && (errCode === 4599 || (errCode === 21 && now >= leaves.due));
}

/** Turned off it is from the answer on. */
const stop: Act = async (world, person) => {
  const body = { status: 'off', reason: 'price' } as const;
  const { code } = await call(world, person, endpoints.updateRenewStatus, { body }, [6201, 6202, 6204, 6207]);
  if (code === 0) person.wants = false;
};

/** From the link in a mail. */
export async function stopByLink(world: World, person: Person, token: string): Promise<void> {
  const may = [6202, 6204, 6207, 10302];
  const { code } = await call(world, person, endpoints.stopRenewalByLink, { body: { token } }, may);
  if (code === 0) person.wants = false;
}

/** A charge may come as soon as the shop has heard of it, and not at all if it refuses. */
async function agreeing(
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

/** Turns it on again, or says yes to a new price. */
export const start: Act = async (world, person) => {
  const info = await call(world, person, endpoints.renewInfo, { body: {} }, [6201]);
  if (info.code !== 0) return;
  const { asks, terms, status } = info.data;
  const price = asks ?? terms.price;
  const may = [6201, 6202, 6206, 6207, 1015, 2001];
  const body = { status: 'on', price } as const;
  const done = await agreeing(person, price.amount, () =>
    call(world, person, endpoints.updateRenewStatus, { body }, may),
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

/** Buys a plan at the checkout, and lets it renew or not. */
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
  if (!(await agreeing(person, renewal?.price.amount ?? 0, pay))) return;
  person.planId = planId;
  if ((await statusOf(world, person)) !== 'renewing') person.agreed = renewal?.price.amount ?? 0;
}

export const comeBack: Act = (world, person) => buy(world, person, person.planId, true);
const changePlan: Act = (world, person) => buy(world, person, world.chance.pick(plans), true);
const buyByHand: Act = (world, person) => buy(world, person, person.planId, false);

/** Pays the order of a renewal by hand, as the mail of a bank that wants its holder asks for. */
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

/** The bank gives the newest charge back, or its holder disputes it: who wants that is charged no more. */
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
      faults.push(`${person.uid}: a ${kind} left it ${after}`);
    person.wants = false;
  };

/** Asks for the deletion of the account. What is on its way to the bank in that moment may still be charged. */
const leave: Act = async (world, person) => {
  const { password } = cheapPassword;
  const confirmed = await call(world, person, endpoints.confirmOwner, { body: { purpose: 'deletion', password } }, []);
  if (confirmed.code !== 0) return;
  const { confirmation } = confirmed.data;
  const asked = world.clock.now;
  // half an hour may have passed since, by the clock of the jobs
  const answer = await call(world, person, endpoints.requestDeletion, { body: { confirmation } }, [-3034]);
  if (answer.code !== 0) return;
  const own = await world.db.select({ id: attempts.id }).from(attempts).where(isOnItsWay(person));
  const leaves = { asked, due: answer.data.leavesAt };
  Object.assign(person, { leaves, wants: false, onItsWay: new Set(own.map(({ id }) => id)) } satisfies Partial<Person>);
};

const isOnItsWay = ({ uid }: Person) =>
  and(
    eq(attempts.uid, uid),
    inArray(attempts.state, ['INTENT', 'PENDING']),
    like(attempts.idempotencyKey, 'renewal %'),
  );

/** Thinks again in the week. The account goes on, with what is paid, and without a renewal. */
export const keep: Act = async (world, person) => {
  if (!person.leaves) return;
  const { code } = await call(world, person, endpoints.keepAccount, { body: {} }, []);
  if (code !== 0) return;
  person.leaves = undefined;
  const { data } = await call(world, person, endpoints.deletionState, { body: {} }, []);
  const info = await call(world, person, endpoints.renewInfo, { body: {} }, [6201]);
  const renews = info.code === 0 && !['off', 'ended'].includes(info.data.status);
  if (data.leavesAt !== null || renews) world.faults.push(`${person.uid} has kept the account, and leaves or renews`);
};

function ownRow({ db }: World, { uid }: Person) {
  return db.select().from(subscriptions).where(eq(subscriptions.uid, uid));
}

async function statusOf(world: World, person: Person) {
  return (await ownRow(world, person))[0]?.status;
}

/** What customers do without being asked. */
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
  // whoever has left has only a bank any more
  const act = isGone ? reversePayment('chargeback') : world.chance.pick(acts);
  await act(world, person);
}
