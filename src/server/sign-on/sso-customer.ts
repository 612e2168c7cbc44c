import { and, eq } from 'drizzle-orm';
import { typedEmail } from '../../contract/email-address.ts';
import { removeInvisible, typedToken } from '../../contract/typed-text.ts';
import type { Brand } from '../brand/catalog.ts';
import { canonicalNumber, isSameNumber } from '../process/phone-number.ts';
import type { Identity } from '../site/account-rules.ts';
import type { Scene } from '../../contract/scene.ts';
import { ApiRefusal, refuse } from '../request/api-error.ts';
import { findUser, type UserRow, assertMayLogIn } from '../auth/find-user.ts';
import type { Database } from '../db/connect.ts';
import { users } from '../db/schema/users.ts';
import { consumeOnce } from '../limits/consume-once.ts';
import { skewMs, type SsoClaims } from './sso-token.ts';

/** An account as another system wrote it: an address, or a number in any spelling; `areaCode` of one without its country. */
export function accountWritten(text: string, areaCode = ''): Pick<Identity, 'account' | 'type' | 'typedAs'> {
  const trimmed = removeInvisible(text).trim();
  if (trimmed.includes('@')) return { account: typedEmail(trimmed), type: 'email' };
  const typedAs = typedToken(trimmed).replaceAll(/\D/g, '');
  const whole = canonicalNumber(`+${typedAs.replace(/^00/, '')}`);
  const local = canonicalNumber(trimmed, areaCode);
  const number = whole?.isValid ? whole : (local ?? whole);
  return number ? { account: number.digits, type: 'phone', typedAs } : { account: typedAs, type: 'phone' };
}

/** Whether a name for a customer, as links carry it, means this one: uid, account, bound address, or number in any spelling. */
export function isNameOf(
  user: Pick<UserRow, 'uid' | 'account' | 'email' | 'areaCode'>,
  given: string,
  areaCode = user.areaCode ?? '',
): boolean {
  if (given.trim() === user.uid) return true;
  const { account, typedAs } = accountWritten(given, areaCode);
  if (account === '') return false;
  if (account === user.account || account === user.email || typedAs === user.account) return true;
  return !user.account.includes('@') && isSameNumber(account, user.account);
}

/** Whom the token was made for, at this brand; refuses with -24031 when there is no such customer. */
export async function customerOf(
  db: Database,
  { code: brandCode, config }: Pick<Brand, 'code' | 'config'>,
  { sub, account }: Pick<SsoClaims, 'sub' | 'account'>,
): Promise<UserRow> {
  const { areaCode } = config.login;
  const user =
    sub === undefined ? await byAccount(db, brandCode, account ?? '', areaCode) : await byUid(db, brandCode, sub);
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

async function byAccount(
  db: Database,
  brandCode: string,
  account: string,
  areaCode: string | undefined,
): Promise<UserRow | undefined> {
  return findUser(db, brandCode, accountWritten(account, areaCode));
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
