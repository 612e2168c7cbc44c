import { and, count, eq, gt, inArray, isNotNull, ne, type SQL } from 'drizzle-orm';
import type * as contract from '#contract/my-data.ts';
import { consumeConfirmed } from '#server/auth/confirm-owner.ts';
import { lockCustomer, deletedUserType, type UserRow } from '#server/auth/users.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { isOpenOrder, orders } from '#server/db/schema/orders.ts';
import { passkeys } from '#server/db/schema/passkeys.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { deletionRequestedMail } from '#server/messages/deletion-mails.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import type { Handler } from '#server/runtime/request/request-context.ts';
import { isChargeInProgress, endRenewalOfDeletedAccount } from '#server/renewal/due-step.ts';
import { lockCharge, type RenewalDeps } from '#server/billing/subscriptions/lock-renewal.ts';
import { isOwnedByCustomer, type CustomerTable } from './personal-tables.ts';

/** Time to cancel the deletion, and for an owner who did not request it to receive the email. */
const weekMs = 7 * 86_400_000;

type CustomerKey = Pick<UserRow, 'brand' | 'uid'>;

const isCustomer = ({ brand, uid }: CustomerKey) => and(eq(users.brand, brand), eq(users.uid, uid));

export const deletionState: Handler<typeof contract.deletionState> = async (_, { deps, user }) => {
  const { db, env, clock } = deps;
  const countOf = async (table: CustomerTable, only?: SQL) => {
    const [row] = await db
      .select({ rows: count() })
      .from(table)
      .where(and(isOwnedByCustomer(table)(user), only));
    return row?.rows ?? 0;
  };
  const isBox = and(eq(sessions.kind, 'box'), eq(sessions.handed, false), gt(sessions.expiresAt, clock()));
  return {
    leavesAt: user.leavesAt,
    expiredTime: user.expiredTime,
    cards: await countOf(savedCards),
    passkeys: await countOf(passkeys),
    boxes: await countOf(sessions, isBox),
    renews: (await countOf(subscriptions, inArray(subscriptions.status, ['on', 'pastDue', 'renewing']))) > 0,
    charging: await isChargeInProgress(db, user),
    openOrders: await countOf(orders, isOpenOrder(orders)),
    orders: await countOf(orders, isNotNull(orders.paidAt)),
    keptYears: env.ORDERS_KEPT_YEARS,
    email: user.email,
  };
};

export const requestDeletion: Handler<typeof contract.requestDeletion> = async ({ body }, context) => {
  const { deps, brand, user } = context;
  return deps.db.transaction(async (tx) => {
    await consumeConfirmed(tx, context, 'deletion', body.confirmation);
    return { leavesAt: (await scheduleDeletion(tx, brand, user, deps)) ?? context.refuse('invalidToken') };
  });
};

/**
 * Schedules the deletion of an account, ends its renewal together with a charge that no gateway was called for, and
 * emails the owner; repeats change nothing. Returns the time, or undefined for a deleted account.
 */
export async function scheduleDeletion(
  tx: Database,
  brand: Brand,
  who: CustomerKey,
  deps: RenewalDeps,
): Promise<number | undefined> {
  await lockCharge(tx, who);
  const locked = await lockCustomer(tx, who);
  if (!locked || locked.userType === deletedUserType) return undefined;
  if (locked.leavesAt !== null) return locked.leavesAt;
  const now = deps.clock();
  const leavesAt = now + weekMs;
  await tx.update(users).set({ leavesAt }).where(isCustomer(locked));
  await endRenewalOfDeletedAccount(tx, locked, deps);
  if (locked.email !== null) {
    const charging = await isChargeInProgress(tx, locked);
    const facts = { account: locked.account, leavesAt, retentionYears: deps.env.ORDERS_KEPT_YEARS, charging };
    await queueMail(tx, { brand, to: locked.email, ...deletionRequestedMail(brand, locked.language, facts) }, deps);
  }
  return leavesAt;
}

export const keepAccount: Handler<typeof contract.keepAccount> = async (_, { deps, user }) => {
  await cancelDeletion(deps.db, user);
  return {};
};

/**
 * Cancels a scheduled deletion; the renewal that it ended stays off. Returns whether there was one: the job may have been
 * faster after the week.
 */
export async function cancelDeletion(db: Database, who: CustomerKey): Promise<boolean> {
  const kept = await db
    .update(users)
    .set({ leavesAt: null })
    .where(and(isCustomer(who), isNotNull(users.leavesAt), ne(users.userType, deletedUserType)))
    .returning({ uid: users.uid });
  return kept.length > 0;
}
