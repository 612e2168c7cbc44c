import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { attempts, isLiveState } from '#server/db/schema/attempts.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import { isSuspended } from '#server/renewal/due-step.ts';
import { updateSubscription, lockRenewal } from '#server/billing/subscriptions/lock-renewal.ts';
import { auditOptions, writeAudit } from './audit.ts';
import {
  hasOption,
  numberOption,
  OperatorError,
  requireOption,
  type OptionValues,
  type ShopCommand,
  instantOf,
} from './command.ts';
import { customerOptions, findNamedCustomer } from './customers.ts';
import { brandCodeOption, brandOf, customerOfBrand } from './open-shop.ts';
import { accountsOf, readInParts, rowsAtOnce } from './order-list.ts';
import { nextRenewalStatus } from '#contract/renewal.ts';
import { noticeLeadMs } from '#server/billing/subscriptions/renewal-rules.ts';
import { turnOff } from '#server/billing/subscriptions/record-refusal.ts';
import { counted } from './wording.ts';

type Renewal = typeof subscriptions.$inferSelect;

/** Those that are on or wait for a payment, in the order in which the job looks at them. */
async function* runningRenewals(
  { db }: Pick<Deps, 'db'>,
  { brand, plan, asked }: { brand: string | undefined; plan: string | undefined; asked: boolean },
): AsyncGenerator<Renewal & { readonly account: string }> {
  const { dueAt, id } = subscriptions;
  const wanted = and(
    isNotNull(dueAt),
    inArray(subscriptions.status, ['on', 'renewing', 'pastDue']),
    brand === undefined ? undefined : eq(subscriptions.brand, brand),
    plan === undefined ? undefined : eq(subscriptions.planId, plan),
    asked ? isNotNull(subscriptions.asks) : undefined,
  );
  const parts = readInParts<Renewal>((last) =>
    db
      .select()
      .from(subscriptions)
      .where(and(wanted, last && sql`(${dueAt}, ${id}) > (${last.dueAt}, ${last.id})`))
      .orderBy(asc(dueAt), asc(id))
      .limit(rowsAtOnce),
  );
  for await (const rows of parts) {
    const accounts = await accountsOf(db, rows);
    for (const row of rows) yield { ...row, account: accounts.get(row.uid) ?? '' };
  }
}

export const listRenewalsCommand: ShopCommand = {
  name: 'renewals list',
  summary: 'lists the automatic renewals that are on or wait for a payment, the next ones first',
  options: {
    brand: { value: 'code', summary: 'of this brand only' },
    plan: { value: 'id', summary: 'of this plan only' },
    asked: { summary: 'only those whose customers were asked to accept a higher price, and have not answered' },
    limit: { value: 'number', summary: 'lines at most; default: all' },
  },
  inShop: async (given, { deps, row, explain }) => {
    const most = numberOption(given, 'limit', { usual: 1e9, most: 1e9 });
    const brand = brandCodeOption(deps, given['brand']);
    const wanted = { brand, plan: given['plan']?.trim(), asked: hasOption(given, 'asked') };
    let shown = 0;
    for await (const { currency, asks, ...one } of runningRenewals(deps, wanted)) {
      if (shown === most) return explain(`There are more than ${most === 1 ? 'this one' : `these ${most}`}.`);
      row({
        brand: one.brand,
        account: one.account,
        status: one.status,
        plan: one.planId,
        method: one.methodCode,
        price: { amount: one.price, currency },
        asked: asks === null ? null : { amount: asks, currency },
        noticeAt: instantOf(one.nextChargeAt === null ? null : one.nextChargeAt - noticeLeadMs(one.days)),
        chargeAt: instantOf(one.nextChargeAt),
        paidUntil: instantOf(one.paidUntil),
      });
      shown += 1;
    }
    if (shown === 0) explain('No such renewal is on.');
  },
};

/** Renewals that a restore suspended, and whose gateway knows of no charge. */
async function heldRenewals({ db }: Pick<Deps, 'db'>, brand: string | undefined) {
  const rows = await db
    .select({ row: subscriptions, account: users.account })
    .from(subscriptions)
    .innerJoin(users, eq(users.uid, subscriptions.uid))
    .where(and(isNotNull(subscriptions.heldUntil), brand === undefined ? undefined : eq(subscriptions.brand, brand)))
    .orderBy(asc(subscriptions.heldUntil));
  return rows.filter(({ row }) => isSuspended(row));
}

async function triesOf({ db }: Pick<Deps, 'db'>, { orderId }: Renewal) {
  if (orderId === null) return [];
  return db.select({ id: attempts.id, state: attempts.state }).from(attempts).where(eq(attempts.orderId, orderId));
}

export const heldRenewalsCommand: ShopCommand = {
  name: 'renewals held',
  summary: 'lists the renewals that were suspended by a restore, with the IDs that their provider has for the charges',
  options: { brand: { value: 'code', summary: 'of this brand only' } },
  inShop: async (given, { deps, row, explain }) => {
    const held = await heldRenewals(deps, brandCodeOption(deps, given['brand']));
    for (const { row: one, account } of held) {
      const tries = await triesOf(deps, one);
      row({
        brand: one.brand,
        account,
        plan: one.planId,
        price: { amount: one.price, currency: one.currency },
        chargeAt: instantOf(one.nextChargeAt),
        asking: tries.some(({ state }) => isLiveState(state)) || one.dueAt !== null,
        keys: tries.map(({ id }) => id).join(' '),
      });
    }
    explain(
      held.length === 0
        ? 'No renewal is suspended.'
        : 'Brand, account, plan, price, day of the charge, whether the provider is being queried, keys of the queried charges. ' +
            'Look each up at the provider; `renewals release` charges it after a new notice.',
    );
  },
};

export const releaseRenewalsCommand: ShopCommand = {
  name: 'renewals release',
  summary: 'resumes suspended renewals: each is charged a day after a new notice, or at once if its card was declined',
  options: {
    brand: { required: true, value: 'code', summary: 'code of the brand, such as lumen' },
    account: { value: 'account', summary: 'of this customer' },
    all: { summary: 'all customers of the brand; check the payments at the provider first' },
    ...auditOptions,
  },
  inShop: async (given, { deps, done, explain }) => {
    const brand = brandOf(deps, requireOption(given, 'brand'));
    if (hasOption(given, 'all') === (given['account'] !== undefined)) {
      throw new OperatorError('Give --account, or --all.', { badUsage: true });
    }
    const only = hasOption(given, 'all')
      ? undefined
      : await customerOfBrand(deps, brand, requireOption(given, 'account'));
    const held = (await heldRenewals(deps, brand.code)).filter(({ row }) => only === undefined || row.uid === only.uid);
    let released = 0;
    for (const { row } of held) if (await release(deps, given, row)) released += 1;
    const left = held.length - released;
    done(`${counted(released, 'suspended renewal')} resumed.`, { brand: brand.code, released, left });
    if (left > 0)
      explain(`${counted(left, 'charge')} still being checked at the provider; run the command again later.`);
  },
};

/** False where its gateway has not responded yet: then it is unknown whether it was charged. */
async function release(deps: Deps, given: OptionValues, who: { brand: string; uid: string }): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const held = await lockRenewal(tx, who, deps);
    if (!held || !isSuspended(held.row)) return false;
    const { row } = held;
    const tries = await triesOf({ db: tx }, row);
    if (row.dueAt !== null || tries.some(({ state }) => isLiveState(state))) return false;
    const now = deps.clock();
    // the keys of this period's attempts are used up, because their charges were queried
    const fresh = { period: row.period + 1, orderId: null, refusals: 0, noticed: 0, toldPrice: null };
    const status = row.status === 'pastDue' ? { nextChargeAt: now, dueAt: now } : { dueAt: now };
    await updateSubscription(tx, held, now, { heldUntil: null, ...fresh, ...status });
    await writeAudit(tx, given, { command: 'renewals release', brand: row.brand, subject: row.uid }, deps);
    return true;
  });
}

/** For customers who ask support to cancel instead of doing it in their account. */
export const stopRenewalCommand: ShopCommand = {
  name: 'renewals stop',
  summary: "turns off a customer's automatic renewal and tells them; access continues to its end",
  options: { ...customerOptions, ...auditOptions },
  inShop: async (given, { deps, done }) => {
    const { brand, user, account } = await findNamedCustomer(given, { deps });
    const until = await deps.db.transaction(async (tx) => {
      const held = await lockRenewal(tx, user, deps);
      if (!held) throw new OperatorError(`${account} has no automatic renewal.`);
      const { status, paidUntil } = held.row;
      if (status === 'renewing')
        throw new OperatorError(`A charge of ${account} is in progress. Run the command again when it has ended.`);
      if (!nextRenewalStatus(status, 'turnedOff'))
        throw new OperatorError(`The automatic renewal of ${account} is off already.`);
      await turnOff(tx, deps, held, { by: 'support' });
      await writeAudit(tx, given, { command: 'renewals stop', brand: brand.code, subject: user.uid }, deps);
      return Math.max(paidUntil, deps.clock());
    });
    const facts = { brand: brand.code, uid: user.uid, until: instantOf(until) };
    done(`The plan of ${account} will not renew. Access continues until ${facts.until}.`, facts);
  },
};
