import * as assert from 'node:assert/strict';
import { eq, inArray } from 'drizzle-orm';
import * as endpoints from '#contract/index.ts';
import { deletedUserType } from '#server/auth/evict.ts';
import { cardsToForget, savedCards } from '#server/db/schema/cards.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { uploads } from '#server/db/schema/transfers.ts';
import { users } from '#server/db/schema/users.ts';
import { personalTables } from '#server/account/my-data/personal-tables.ts';
import { sandboxCards } from '#sandbox/schema.ts';
import { cheapPassword } from '#tests/builders/cheap-password.ts';
import type { World } from './world.ts';

/** Whether the account was deleted: nobody can do anything in it any more. */
export async function isGone({ stage, customer }: World): Promise<boolean> {
  const [user] = await stage.db.select({ type: users.userType }).from(users).where(eq(users.uid, customer.uid));
  return user?.type === deletedUserType;
}

/** The customer asks for the deletion of the account, or thinks again. */
export async function changeDeletion({ connection, host, customer }: World, what: 'ask' | 'keep'): Promise<void> {
  const options = { host, token: customer.token };
  if (what === 'keep') {
    assert.ok((await connection.call(endpoints.keepAccount, { body: {} }, options)).ok);
    const state = await connection.call(endpoints.deletionState, { body: {} }, options);
    assert.ok(state.ok && state.data.leavesAt === null, 'an account that was kept is to be deleted');
    return;
  }
  const body = { purpose: 'deletion', password: cheapPassword.password } as const;
  const confirmed = await connection.call(endpoints.confirmOwner, { body }, options);
  if (!confirmed.ok) return assert.equal(confirmed.errCode, 17);
  const { confirmation } = confirmed.data;
  assert.ok((await connection.call(endpoints.requestDeletion, { body: { confirmation } }, options)).ok);
}

/** The names of the cards that the bank keeps for the customer, as the shop has them. */
export async function tokensOf({ stage, customer }: World): Promise<string[]> {
  const rows = await stage.db
    .select({ token: savedCards.token })
    .from(savedCards)
    .where(eq(savedCards.uid, customer.uid));
  return rows.map(({ token }) => token);
}

/** Whose account is gone has no rows but those that tax law keeps. Proofs that are looked at, and the last mail, go later. */
export async function hasNoRowsLeft({ stage: { db }, customer }: World): Promise<void> {
  const owner = { ...customer, names: [customer.account] };
  for (const [name, { table, whose, atEnd }] of Object.entries(personalTables)) {
    if (atEnd !== 'removed' || table === outbox || table === uploads) continue;
    assert.equal(await db.$count(table, whose(owner)), 0, `of an account that is gone there is left: ${name}`);
  }
  const [user] = await db.select().from(users).where(eq(users.uid, customer.uid));
  const named = [user?.email, user?.phone, user?.passwordHash, user?.googleSub, user?.entry].filter(Boolean);
  assert.deepEqual([named, user?.nickname], [[], ''], 'an account that is gone names somebody');
}

/** In the end the bank has forgotten all cards that it ever kept for who is gone. */
export async function assertCardsRemoved({ stage: { db } }: World, tokens: ReadonlySet<string>): Promise<void> {
  if (tokens.size === 0) return;
  const waiting = await db
    .select()
    .from(cardsToForget)
    .where(inArray(cardsToForget.token, [...tokens]));
  const kept = await db
    .select()
    .from(sandboxCards)
    .where(inArray(sandboxCards.token, [...tokens]));
  assert.deepEqual([waiting.length, kept.length], [0, 0], 'a card of who is gone is kept at the bank');
}
