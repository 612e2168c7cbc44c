import { and, eq, not, sql } from 'drizzle-orm';
import { hiddenFailedCodesKey, failedCodesKey } from '#server/auth/code-guesses.ts';
import { customerKey } from '#server/auth/login-limits.ts';
import { evictSessions, lockCustomer, deletedUserType, type UserRow } from '#server/auth/users.ts';
import { scheduleCardRemoval } from '#server/billing/cards/save-card.ts';
import { removeBuyerOfInvoices } from '#server/billing/invoices/issue-invoices.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { orders } from '#server/db/schema/orders.ts';
import { throttles } from '#server/db/schema/sign-in.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { uploads } from '#server/db/schema/transfers.ts';
import { users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import { accountDeletedMail } from '#server/messages/deletion-mails.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { queueEvent } from '#server/messages/webhooks/queue-event.ts';
import { monthsBefore } from '#server/runtime/clock.ts';
import { isOwnedByCustomer, ownerOf, personalTables, underReview, type Owner } from './personal-tables.ts';

type DeletionDeps = Pick<Deps, 'clock' | 'random' | 'env' | 'catalog'>;
type CustomerKey = Pick<UserRow, 'brand' | 'uid'>;

const isCustomer = ({ brand, uid }: CustomerKey) => and(eq(users.brand, brand), eq(users.uid, uid));

/**
 * Deletes an account whose week is over, in one transaction: it evicts all sessions, deletes personal rows, schedules
 * the removal of cards at their gateways, and leaves a row without personal data for orders and ledger to refer to. The
 * account name becomes free. Later money for its orders is refunded (billing/record-payment.ts). False when there is
 * nothing to do: the customer has cancelled the deletion, or a renewal is being charged.
 */
export async function deleteAccount(tx: Database, who: CustomerKey, deps: DeletionDeps): Promise<boolean> {
  const locked = await lockCustomer(tx, who);
  if (!locked || locked.leavesAt === null || locked.userType === deletedUserType) return false;
  if (await isCharged(tx, locked)) return false;
  const now = deps.clock();
  const owner = ownerOf(locked);
  await evictSessions(tx, locked, now);
  await deleteCards(tx, locked, now);
  for (const { table, isOwnedBy, atEnd } of Object.values(personalTables)) {
    if (atEnd !== 'removed') continue;
    const mine = isOwnedBy(owner);
    await tx.delete(table).where(table === uploads ? and(mine, not(underReview)) : mine);
  }
  // orders and invoices are retained for tax, without the buyer and without the request hash
  await tx.update(orders).set({ buyer: null, buyerSealed: null }).where(isOwnedByCustomer(orders)(owner));
  await tx
    .update(attempts)
    .set({ buyer: null, buyerSealed: null, requestHash: '' })
    .where(isOwnedByCustomer(attempts)(owner));
  await removeBuyerOfInvoices(tx, owner);
  await deleteCounts(tx, owner, deps);
  await tx
    .update(users)
    .set(deletedColumns(locked, now, deps))
    .where(isCustomer(locked));
  const brand = deps.catalog.byCode(locked.brand);
  await queueEvent(tx, brand, { type: 'account.deleted', data: { uid: locked.uid } }, deps);
  if (brand && locked.email !== null) {
    await queueMail(tx, { brand, to: locked.email, ...accountDeletedMail(brand, locked.language) }, deps);
  }
  return true;
}

/**
 * The columns of a deleted account: no personal data, and when the row is deleted, too. The name contains a space, so
 * it equals no account name.
 */
function deletedColumns({ uid }: UserRow, now: number, { env }: DeletionDeps) {
  return {
    account: `deleted ${uid}`,
    areaCode: null,
    phone: null,
    email: null,
    verifiedAt: null,
    passwordHash: null,
    passwordResetDue: false,
    googleSub: null,
    nickname: '',
    userType: deletedUserType,
    planId: null,
    limitCount: 0,
    expiredTime: null,
    graceUntil: null,
    unsubscribeEmail: true,
    loginApp: false,
    entry: null,
    leavesAt: monthsBefore(now, -12 * env.ORDERS_KEPT_YEARS),
  } satisfies Partial<UserRow>;
}

/** A running charge writes its outcome to the customer's rows. */
async function isCharged(tx: Database, { brand, uid }: CustomerKey): Promise<boolean> {
  const charged = await tx
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.brand, brand), eq(subscriptions.uid, uid), eq(subscriptions.status, 'renewing')));
  return charged.length > 0;
}

/** A gateway may not answer, so a job removes the cards there (jobs/delete-accounts.ts). */
async function deleteCards(tx: Database, { brand, uid }: CustomerKey, now: number): Promise<void> {
  const own = and(eq(savedCards.brand, brand), eq(savedCards.uid, uid));
  const cards = await tx
    .delete(savedCards)
    .where(own)
    .returning({ gateway: savedCards.gateway, token: savedCards.token });
  await scheduleCardRemoval(tx, cards, now);
}

/** Counts of wrong codes are stored for a lifetime; all others end within a day. */
async function deleteCounts(tx: Database, { brand, uid, names }: Owner, deps: Pick<Deps, 'env'>): Promise<void> {
  const byName = names.map((account) => failedCodesKey(deps, { brand, account }));
  for (const key of [...byName, hiddenFailedCodesKey(deps, { brand, customer: customerKey({ uid }, '') })]) {
    // in every collation, this range contains the key and those with a suffix after a space
    const near = sql`${throttles.key} >= ${key} and ${throttles.key} <= ${`${key} c`}`;
    await tx
      .delete(throttles)
      .where(sql`${near} and (${throttles.key} = ${key} or starts_with(${throttles.key}, ${`${key} by `}))`);
  }
}

/** Deletes what was retained for tax, years later, and the row that it refers to. */
export async function deleteOrders(tx: Database, who: CustomerKey): Promise<boolean> {
  const locked = await lockCustomer(tx, who);
  if (locked?.userType !== deletedUserType) return false;
  const owner = ownerOf(locked);
  const { invoices, ledger, transfers, attempts, orders } = personalTables;
  for (const kept of [invoices, ledger, transfers, attempts, orders]) {
    if (kept) await tx.delete(kept.table).where(kept.isOwnedBy(owner));
  }
  await tx.delete(uploads).where(and(eq(uploads.brand, owner.brand), eq(uploads.uid, owner.uid)));
  await tx.delete(users).where(isCustomer(locked));
  return true;
}
