import { and, count, desc, eq, gt } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { customerCoupons, orders } from '#server/db/schema/orders.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { loginRecords, sessions, type users } from '#server/db/schema/users.ts';
import { deletedUserType } from '#server/auth/users.ts';
import { boxesOf } from '#server/account/tv-devices.ts';
import { endPaymentWaits } from '#server/billing/payment-counters.ts';
import { cancelDeletion, scheduleDeletion } from '#server/account/my-data/deletion.ts';
import { personalDataOf } from '#server/account/my-data/export-data.ts';
import { bounceOf } from '#server/messages/bounces.ts';
import { lastPeriodOf, periodsOf } from '#server/site/periods.ts';
import { auditOptions, writeAudit } from './audit.ts';
import {
  requireOption,
  numberOption,
  OperatorError,
  type ShopCommand,
  type ShopContext,
  instantOf,
  type OutputFields,
} from './command.ts';
import { changeCustomer, customerOptions, factsOf, findNamedCustomer } from './customers.ts';
import { findCustomers } from './find-customers.ts';
import { brandCodeOption } from './open-shop.ts';
import { createOperatorFile } from './operator-files.ts';
import { orderFacts } from './orders.ts';
import { mayBeMore } from './wording.ts';

type UserRow = typeof users.$inferSelect;

const minSearchLength = 3;

const limitOption = { value: 'number', summary: 'lines at most (20)' } as const;

/** The part of a name to search for. */
function parseSearchText(text: string): string {
  const part = text.trim();
  if (part.length >= minSearchLength) return part;
  throw new OperatorError(`Give ${minSearchLength} characters or more.`, { badUsage: true });
}

export const findCustomersCommand: ShopCommand = {
  name: 'customers find',
  summary:
    'finds customers by a part of an address, number or nickname, by uid, order, payer’s name or last digits of a card',
  words: ['part'],
  options: { brand: { value: 'code', summary: 'of this brand only' }, limit: limitOption },
  inShop: async (given, { deps, row, explain }) => {
    const part = parseSearchText(requireOption(given, 'part'));
    const most = numberOption(given, 'limit', { usual: 20, most: 500 });
    const found = await findCustomers(deps, { part, brand: brandCodeOption(deps, given['brand']), most });
    for (const user of found) row(summaryOf(user));
    if (found.length === 0) explain('No customer found.');
    if (found.length === most) explain(mayBeMore(most));
  },
};

function summaryOf({ brand, uid, account, email, phone, userType, expiredTime }: UserRow): OutputFields {
  const other = [email, phone].find((name) => name !== null && name !== account) ?? null;
  return { brand, uid, account, other, userType, until: instantOf(expiredTime) };
}

/** What a support person usually needs first. */
export const showCustomerCommand: ShopCommand = {
  name: 'customers show',
  summary: 'shows a customer: plan, renewal, TV devices, sign-ins, orders, coupons, and whether mail bounces',
  options: customerOptions,
  inShop: async (given, shop) => {
    const { user } = await findNamedCustomer(given, shop);
    const { verifiedAt, language, nickname, createdAt, leavesAt, graceUntil, passwordResetDue } = user;
    const periods = await periodsOf(shop.deps.db, user, shop.deps.clock());
    const running = periods[0] ?? (await lastPeriodOf(shop.deps.db, user));
    shop.show({
      ...summaryOf(user),
      nickname,
      language,
      planId: running?.planId ?? null,
      devices: running?.devices ?? user.limitCount,
      graceUntil: instantOf(graceUntil),
      createdAt: instantOf(createdAt),
      verifiedAt: instantOf(verifiedAt),
      passwordResetDue,
      deletedOn: instantOf(leavesAt),
      offers: !user.unsubscribeEmail,
      bounces: user.email === null ? null : ((await bounceOf(shop.deps, user.email)) ?? null),
      periods: periods.map(({ planNames: _, from, until, ...period }) => ({
        ...period,
        from: instantOf(from),
        until: instantOf(until),
      })),
      ...(await belongings(shop, user)),
    });
  },
};

async function belongings({ deps: { db, clock } }: ShopContext, { brand, uid }: UserRow) {
  const mine = <T extends { brand: typeof orders.brand; uid: typeof orders.uid }>(table: T) =>
    and(eq(table.brand, brand), eq(table.uid, uid));
  const [renewal] = await db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.brand, brand), eq(subscriptions.uid, uid)));
  const [open] = await db
    .select({ rows: count() })
    .from(sessions)
    .where(and(eq(sessions.brand, brand), eq(sessions.uid, uid), gt(sessions.expiresAt, clock())));
  const tvs = await boxesOf({ db, clock }, { brand, uid });
  const signIns = await lastSignIns(db, { brand, uid });
  const bought = await db
    .select()
    .from(orders)
    .where(mine(orders))
    .orderBy(desc(orders.createdAt), desc(orders.orderId))
    .limit(5);
  const coupons = await db
    .select()
    .from(customerCoupons)
    .where(and(eq(customerCoupons.brand, brand), eq(customerCoupons.uid, uid)))
    .limit(50);
  return {
    sessions: open?.rows ?? 0,
    tvs: tvs.map(({ boxId, signedInAt, ...tv }) => ({ id: boxId, ...tv, since: instantOf(signedInAt) })),
    ...(renewal && { renewal: renewalFacts(renewal) }),
    signIns,
    orders: bought.map(orderFacts),
    coupons: coupons.map(({ code, givenAt }) => ({ code, givenAt: instantOf(givenAt) })),
  };
}

const renewalFacts = (renewal: typeof subscriptions.$inferSelect): OutputFields => ({
  status: renewal.status,
  price: { amount: renewal.price, currency: renewal.currency },
  nextChargeAt: instantOf(renewal.nextChargeAt),
  refusals: renewal.refusals,
  offBy: renewal.offBy,
  offAt: instantOf(renewal.offAt),
});

async function lastSignIns(db: Database, { brand, uid }: Pick<UserRow, 'brand' | 'uid'>): Promise<OutputFields[]> {
  const rows = await db
    .select()
    .from(loginRecords)
    .where(and(eq(loginRecords.brand, brand), eq(loginRecords.uid, uid)))
    .orderBy(desc(loginRecords.at))
    .limit(5);
  return rows.map(({ at, device, model, ip }) => ({ at: instantOf(at), device, model, ip }));
}

/** For customers who request a copy in writing; the file contains personal data, so only its owner can read it. */
export const exportCustomerCommand: ShopCommand = {
  name: 'customers export',
  summary: "writes all stored data of a customer to a file, as in the customer's own export",
  words: ['file'],
  options: { ...customerOptions, ...auditOptions },
  inShop: async (given, shop) => {
    const { deps, done } = shop;
    const file = requireOption(given, 'file');
    const { brand, user, account } = await findNamedCustomer(given, shop);
    const exported = { brand: brand.name, exportedAt: deps.clock(), data: await personalDataOf(deps, user) };
    await writeAudit(deps.db, given, { command: 'customers export', brand: brand.code, subject: user.uid }, deps);
    const bytes = await createOperatorFile(file, [Buffer.from(`${JSON.stringify(exported, null, 2)}\n`)]);
    done(`${file}: all stored data of ${account}, ${bytes} bytes.`, { brand: brand.code, uid: user.uid, file, bytes });
  },
};

/** For a customer who cannot wait, once support knows that it is the owner of the card. */
export const endWaitCommand: ShopCommand = {
  name: 'customers end-wait',
  summary: 'lets a customer pay again now, who has to wait or solve a captcha after declined payments',
  options: { ...customerOptions, ...auditOptions },
  inShop: async (given, { deps, done }) => {
    const { brand, user, account } = await findNamedCustomer(given, { deps });
    const isEnded = await deps.db.transaction(async (tx) => {
      if (!(await endPaymentWaits(tx, user))) return false;
      await writeAudit(tx, given, { command: 'customers end-wait', brand: brand.code, subject: user.uid }, deps);
      return true;
    });
    const facts = { brand: brand.code, uid: user.uid, ended: isEnded };
    if (!isEnded) return done(`${account} has tried no payment lately. Nothing changed.`, facts);
    done(`${account} can pay again now. The wait of a card that is not saved, and of a network, stays.`, facts);
  },
};

/** For a customer who requested it in writing; as in the storefront, it can be cancelled within a week. */
export const deleteCommand: ShopCommand = {
  name: 'customers delete',
  summary: 'schedules the deletion of an account in a week; its owner or customers keep can cancel it',
  options: { ...customerOptions, ...auditOptions },
  inShop: async (given, shop) => {
    const { brand, user, account } = await findNamedCustomer(given, shop);
    const leavesAt = await changeCustomer(shop, given, { user, command: 'customers delete' }, async (tx) => {
      const asked = user.userType === deletedUserType ? undefined : await scheduleDeletion(tx, brand, user, shop.deps);
      if (asked === undefined) throw new OperatorError(`${brand.name} has no customer ${account}.`);
      return asked;
    });
    const at = new Date(leavesAt).toISOString();
    shop.done(`${account} will be deleted on ${at}; the customer was notified by email, with a way to cancel.`, {
      ...factsOf(user),
      leavesAt: at,
    });
  },
};

/** For a request that was a mistake, from a customer who cannot log in. */
export const keepCommand: ShopCommand = {
  name: 'customers keep',
  summary: 'cancels the deletion of an account before its day',
  options: { ...customerOptions, ...auditOptions },
  inShop: async (given, shop) => {
    const { user, account } = await findNamedCustomer(given, shop);
    await changeCustomer(shop, given, { user, command: 'customers keep' }, async (tx) => {
      if (!(await cancelDeletion(tx, user))) throw new OperatorError(`${account} is not going to be deleted.`);
    });
    const then = 'The renewal stays off until its owner turns it on; no email was sent';
    shop.done(`${account} will not be deleted. ${then}.`, { ...factsOf(user), leavesAt: null });
  },
};
