import { and, eq } from 'drizzle-orm';
import { typedEmail } from '../../contract/email-address.ts';
import type { AccountType } from '../../contract/user.ts';
import type { Scene } from '../../contract/scene.ts';
import { ApiRefusal, refuse } from '../request/api-error.ts';
import { findUser, type UserRow, assertMayLogIn } from '../auth/find-user.ts';
import type { Database } from '../db/connect.ts';
import { users } from '../db/schema/users.ts';
import { consumeOnce } from '../limits/consume-once.ts';
import { skewMs, type SsoClaims } from './sso-token.ts';

/** An account as somebody else wrote it: an address, or a number with its area code and any signs in it. */
export function accountWritten(text: string): { account: string; type: AccountType } {
  const trimmed = text.trim();
  if (trimmed.includes('@')) return { account: typedEmail(trimmed), type: 'email' };
  return { account: trimmed.replaceAll(/\D/g, ''), type: 'phone' };
}

/** Whether a name for a customer, as links carry it, means this one: uid, account, or bound address. */
export function isNameOf(user: Pick<UserRow, 'uid' | 'account' | 'email' | 'areaCode'>, given: string): boolean {
  if (given.trim() === user.uid) return true;
  const { account } = accountWritten(given);
  if (account === '') return false;
  return account === user.account || account === user.email || `${user.areaCode ?? ''}${account}` === user.account;
}

/** Whom the token was made for, at this brand; refuses with -24031 when there is no such customer. */
export async function customerOf(
  db: Database,
  brandCode: string,
  { sub, account }: Pick<SsoClaims, 'sub' | 'account'>,
): Promise<UserRow> {
  const user = sub === undefined ? await byAccount(db, brandCode, account ?? '') : await byUid(db, brandCode, sub);
  const isBoth = user && (account === undefined || isNameOf(user, account));
  return isBoth ? user : refuse(-24031);
}

/** The customer of a uid at this brand. */
export async function byUid(db: Database, brandCode: string, uid: string): Promise<UserRow | undefined> {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.brand, brandCode), eq(users.uid, uid)))
    .limit(1);
  return user;
}

async function byAccount(db: Database, brandCode: string, account: string): Promise<UserRow | undefined> {
  return findUser(db, brandCode, accountWritten(account));
}

/** Uses the token up; refuses with -24030 one that was used before. */
export async function spendSsoToken(tx: Database, brand: string, { jti, goodUntil }: SsoClaims): Promise<void> {
  if (!(await consumeOnce(tx, { brand, id: `sso ${jti}`, goodUntil }))) refuse(-24030);
}

/**
 * Refuses who has no business in the storefront: with 197, and on a TV with 201, which leads to its notice page. Refuses
 * with -24020 a token that was made before everybody was signed out ([Note: Eviction]), by a clock that runs ahead, too.
 */
export function assertMaySignOn(
  user: Pick<UserRow, 'userType' | 'evictedAt'>,
  { issuedAt }: Pick<SsoClaims, 'issuedAt'>,
  scene: Scene,
): void {
  try {
    assertMayLogIn(user);
  } catch (error) {
    if (scene === 'STB' && error instanceof ApiRefusal) refuse(201);
    throw error;
  }
  if (user.evictedAt !== null && issuedAt <= user.evictedAt + skewMs) refuse(-24020);
}
