import { eq, sql } from 'drizzle-orm';
import { deletedUserType } from '#server/auth/users.ts';
import { statementRows } from '#server/db/connect.ts';
import { cardsToForget } from '#server/db/schema/cards.ts';
import { users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import { deleteAccount, deleteOrders } from '#server/account/my-data/delete-account.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import { runConcurrently, runInBatches } from './run-concurrently.ts';

const batch = 20;
const lanes = 5;
/** Milliseconds until another process or the next run retries; for cards the pause grows. */
const retryMs = 10 * 60_000;
const longestRetryMs = 24 * 60 * 60_000;

/**
 * Deletes accounts whose week is over, deletes the retained orders of accounts deleted years ago, and has gateways
 * delete the cards of both. Claiming moves the due time into the future, so another process continues after a crash.
 * Returns how many were done.
 */
export async function deleteAccounts(deps: Deps, stopping?: AbortSignal): Promise<number> {
  let done = 0;
  const each = async (work: () => Promise<boolean>, what: object) => {
    try {
      if (await work()) done += 1;
    } catch (error) {
      deps.log.error({ err: error, ...what }, 'an account could not be deleted yet');
    }
  };
  await runInBatches({ full: batch, stopping }, async () => {
    const due = await claimAccounts(deps);
    for (const { isGone, ...who } of due) {
      await each(() => deps.db.transaction((tx) => (isGone ? deleteOrders(tx, who) : deleteAccount(tx, who, deps))), {
        uid: who.uid,
      });
    }
    return due.length;
  });
  await runInBatches({ full: batch, stopping }, async () => {
    const cards = await claimCards(deps);
    await runConcurrently(cards, lanes, (card) => each(() => forget(deps, card), { gateway: card.gateway }));
    return cards.length;
  });
  return done;
}

interface Due {
  readonly brand: string;
  readonly uid: string;
  /** the account was deleted earlier; its orders are deleted now */
  readonly isGone: boolean;
}

async function claimAccounts({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Due[]> {
  const now = clock();
  const rows = await statementRows(
    db,
    sql`update ${users} set leaves_at = ${now + retryMs}::bigint
      where ${users.uid} = any(array(
        select uid from ${users} leaving where leaving.leaves_at is not null and leaving.leaves_at <= ${now}
        order by leaving.leaves_at limit ${batch} for update skip locked))
      returning ${users.brand}, ${users.uid}, ${users.userType}`,
  );
  return rows.map((row) => ({
    brand: String(row.brand),
    uid: String(row.uid),
    isGone: row.user_type === deletedUserType,
  }));
}

interface Card {
  readonly id: string;
  readonly gateway: string;
  readonly token: string;
}

async function claimCards({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Card[]> {
  const now = clock();
  const rows = await statementRows(
    db,
    sql`update ${cardsToForget} set next_try_at = ${now}::bigint
        + least(${longestRetryMs}::bigint, greatest(${retryMs}::bigint, ${now}::bigint - ${cardsToForget.createdAt}))
      where ${cardsToForget.id} = any(array(
        select id from ${cardsToForget} due where due.next_try_at <= ${now}
        order by due.next_try_at limit ${batch} for update skip locked))
      returning ${cardsToForget.id}, ${cardsToForget.gateway}, ${cardsToForget.token}`,
  );
  return rows.map((row) => ({
    id: String(row.id),
    gateway: String(row.gateway),
    token: String(row.token),
  }));
}

/** True when the gateway has deleted the card. */
async function forget({ db, gateways }: Deps, { id, gateway, token }: Card): Promise<boolean> {
  if (!(await gatewayOf(gateways, gateway)?.removeStoredCard?.(token))) return false;
  await db.delete(cardsToForget).where(eq(cardsToForget.id, id));
  return true;
}
