import { and, eq } from 'drizzle-orm';
import { typedEmail } from '#contract/email-address.ts';
import { removeInvisible, typedToken } from '#contract/typed-text.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { canonicalNumber, isSameNumber } from '#server/runtime/phone-number.ts';
import type { Identity } from '#server/site/account-rules.ts';
import type { Scene } from '#contract/scene.ts';
import { ApiRefusal, type Refuse } from '#server/runtime/request/api-error.ts';
import { findUser, type UserRow, assertMayLogIn } from '../find-user.ts';
import type { Database } from '#server/db/connect.ts';
import { users } from '#server/db/schema/users.ts';
import { consumeOnce } from '#server/runtime/limits/consume-once.ts';
import { skewMs, type SsoClaims } from './sso-token.ts';

type Written = Pick<Identity, 'account' | 'type' | 'typedAs'>;

/**
 * What an account that another system wrote can mean: an address, or a number in any spelling; `areaCode` of one without its
 * country. Without a plus, digits may be a number of that country and one of another: 51 is an area of Brazil, and Peru.
 */
export function accountsWritten(text: string, areaCode = ''): readonly Written[] {
  const trimmed = removeInvisible(text).trim();
  if (trimmed.includes('@')) return [{ account: typedEmail(trimmed), type: 'email' }];
  const plain = typedToken(trimmed);
  const typedAs = plain.replaceAll(/\D/g, '');
  if (typedAs === '') return [];
  const local = canonicalNumber(plain, areaCode);
  const whole = /^[(]?(\+|00)/.test(plain) ? local : canonicalNumber(`+${typedAs}`);
  const valid = [local, whole].filter((number) => number?.isValid === true);
  const meant = valid.length > 0 ? valid : [local ?? whole];
  const found = new Set(meant.map((number) => number?.digits ?? typedAs));
  // an older account is stored as its number was typed, which is another number where there are two
  return [...found].map((account) => ({ account, type: 'phone', ...(found.size === 1 && { typedAs }) }));
}

/** The customers of a brand whom an account names, as another system or an operator wrote it: mostly one. */
export async function customersCalled(
  db: Database,
  { code, config }: Pick<Brand, 'code' | 'config'>,
  text: string,
): Promise<UserRow[]> {
  const found = new Map<string, UserRow>();
  for (const written of accountsWritten(text, config.login.areaCode)) {
    const user = await findUser(db, code, written);
    if (user) found.set(user.uid, user);
  }
  return [...found.values()];
}

/** Whether a name for a customer, as links carry it, means this one: uid, account, bound address, or a number in any spelling. */
export function isNameOf(
  user: Pick<UserRow, 'uid' | 'account' | 'email' | 'phone' | 'areaCode'>,
  given: string,
  areaCode = user.areaCode ?? '',
): boolean {
  if (given.trim() === user.uid) return true;
  const numbers = [user.account, user.phone ?? ''].filter((name) => name !== '' && !name.includes('@'));
  return accountsWritten(given, areaCode).some(({ account, type, typedAs }) => {
    if (type === 'email') return account === user.account || account === user.email;
    return numbers.some((number) => typedAs === number || isSameNumber(account, number));
  });
}

/** Whom the token was made for, at this brand; refuses with `unauthorized` when there is no such customer, or more than one. */
export async function customerOf(
  refuse: Refuse<'unauthorized'>,
  db: Database,
  brand: Pick<Brand, 'code' | 'config'>,
  { sub, account }: Pick<SsoClaims, 'sub' | 'account'>,
): Promise<UserRow> {
  const found =
    sub === undefined ? await customersCalled(db, brand, account ?? '') : [await byUid(db, brand.code, sub)];
  const [user] = found;
  if (!user || found.length > 1) return refuse('unauthorized');
  return account === undefined || isNameOf(user, account, user.areaCode ?? brand.config.login.areaCode)
    ? user
    : refuse('unauthorized');
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

/** Uses the token up; refuses with `tokenError` one that was used before. */
export async function consumeSsoToken(
  refuse: Refuse<'tokenError'>,
  tx: Database,
  brand: string,
  { jti, goodUntil }: SsoClaims,
): Promise<void> {
  if (!(await consumeOnce(tx, { brand, id: `sso ${jti}`, goodUntil }))) refuse('tokenError');
}

/**
 * Refuses who has no business in the storefront: with `accountTypeRefused`, and on a TV with `loginFailed`, which leads to
 * its notice page. Refuses with -24020 a token that was made before everybody was signed out ([Note: Eviction]), by a clock
 * that runs ahead, too.
 */
export function assertMaySignOn(
  refuse: Refuse<'accountTypeRefused' | 'loginFailed' | 'tokenExpired'>,
  user: Pick<UserRow, 'userType' | 'evictedAt'>,
  { issuedAt }: Pick<SsoClaims, 'issuedAt'>,
  scene: Scene,
): void {
  try {
    assertMayLogIn(refuse, user);
  } catch (error) {
    if (scene === 'STB' && error instanceof ApiRefusal) refuse('loginFailed');
    throw error;
  }
  if (user.evictedAt !== null && issuedAt <= user.evictedAt + skewMs) refuse('tokenExpired');
}
