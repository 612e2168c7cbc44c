import * as assert from 'node:assert/strict';
import { eq, inArray } from 'drizzle-orm';
import * as endpoints from '#contract/index.ts';
import { deletedUserType } from '#server/auth/users.ts';
import { cardsToForget, savedCards } from '#server/db/schema/cards.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { uploads } from '#server/db/schema/transfers.ts';
import { users } from '#server/db/schema/users.ts';
import { personalTables } from '#server/account/my-data/personal-tables.ts';
import { sandboxCards } from '#sandbox/schema.ts';
import { cheapPassword } from '#tests/builders/cheap-password.ts';
import type { World } from './world.ts';

/** Whether the account was deleted. */
export async function isGone({ stage, customer }: World): Promise<boolean> {
  const [user] = await stage.db.select({ type: users.userType }).from(users).where(eq(users.uid, customer.uid));
  return user?.type === deletedUserType;
}

/** The customer requests the deletion of the account, or cancels it. */
export async function changeDeletion({ connection, host, customer }: World, what: 'ask' | 'keep'): Promise<void> {
  const options = { host, token: customer.token };
  if (what === 'keep') {
    assert.ok((await connection.call(endpoints.keepAccount, { body: {} }, options)).ok);
    const state = await connection.call(endpoints.deletionState, { body: {} }, options);
    assert.ok(state.ok && state.data.leavesAt === null, 'a cancelled deletion is still pending');
    return;
  }
  const body = { purpose: 'deletion', password: cheapPassword.password } as const;
  const confirmed = await connection.call(endpoints.confirmOwner, { body }, options);
  if (!confirmed.ok) return assert.equal(confirmed.errCode, 17);
  const { confirmation } = confirmed.data;
  assert.ok((await connection.call(endpoints.requestDeletion, { body: { confirmation } }, options)).ok);
}

/** The tokens of the customer's saved cards in the shop. */
export async function tokensOf({ stage, customer }: World): Promise<string[]> {
  const rows = await stage.db
    .select({ token: savedCards.token })
    .from(savedCards)
    .where(eq(savedCards.uid, customer.uid));
  return rows.map(({ token }) => token);
}

/** A deleted account has only rows that tax law requires. Proofs of payment and the last mail are deleted later. */
export async function hasNoRowsLeft({ stage: { db }, customer }: World): Promise<void> {
  const owner = { ...customer, names: [customer.account] };
  for (const [name, { table, isOwnedBy, atEnd }] of Object.entries(personalTables)) {
    if (atEnd !== 'removed' || table === outbox || table === uploads) continue;
    assert.equal(await db.$count(table, isOwnedBy(owner)), 0, `a deleted account still has rows: ${name}`);
  }
  const [user] = await db.select().from(users).where(eq(users.uid, customer.uid));
  const named = [user?.email, user?.phone, user?.passwordHash, user?.googleSub, user?.entry].filter(Boolean);
  assert.deepEqual([named, user?.nickname], [[], ''], 'a deleted account contains personal data');
}

/** Asserts that the bank has deleted all saved cards of a deleted account. */
export async function assertCardsRemoved({ stage: { db } }: World, tokens: ReadonlySet<string>): Promise<void> {
  if (tokens.size === 0) return;
  const waiting = await db
    .select()
    .from(cardsToForget)
    .where(inArray(cardsToForget.token, [...tokens]));
  const atBank = await db
    .select()
    .from(sandboxCards)
    .where(inArray(sandboxCards.token, [...tokens]));
  assert.deepEqual([waiting.length, atBank.length], [0, 0], 'the bank still has a card of a deleted account');
}
