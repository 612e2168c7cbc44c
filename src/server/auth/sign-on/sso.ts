import { and, eq } from 'drizzle-orm';
import { normalizeEmail } from '#contract/email-address.ts';
import { removeInvisible, normalizeToken } from '#contract/normalize-text.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { canonicalNumber, isSameNumber } from '#server/runtime/phone-number.ts';
import type { Identity } from '#server/site/account-rules.ts';
import type { Scene } from '#contract/scene.ts';
import { ApiRefusal, type Refuse } from '#server/runtime/request/api-error.ts';
import { findUser, assertLoginAllowed, type UserRow } from '../users.ts';
import type { Database } from '#server/db/connect.ts';
import { users } from '#server/db/schema/users.ts';
import { skewMs, readSsoToken, type SsoClaims, type ReadSsoTokenErrors } from './sso-token.ts';
import type { UserInfo } from '#contract/user.ts';
import type * as contract from '#contract/sign-on.ts';
import type { Parsed } from '#contract/endpoint.ts';
import { signIn } from '../sign-in.ts';
import type { RequestContext, Handler } from '#server/runtime/request/request-context.ts';
import { countTryFrom, consumeOnce } from '#server/runtime/limits/throttle.ts';

type AccountName = Pick<Identity, 'account' | 'type' | 'typedAs'>;

/**
 * The possible meanings of an account name from another system: an email address, or a number in any spelling;
 * `areaCode` is the default country. Digits without a plus may be valid with that country and as an international
 * number: 51 is an area of Brazil and the country code of Peru.
 */
function parseAccountNames(text: string, areaCode = ''): readonly AccountName[] {
  const trimmed = removeInvisible(text).trim();
  if (trimmed.includes('@')) return [{ account: normalizeEmail(trimmed), type: 'email' }];
  const plain = normalizeToken(trimmed);
  const typedAs = plain.replaceAll(/\D/g, '');
  if (typedAs === '') return [];
  const local = canonicalNumber(plain, areaCode);
  const whole = /^[(]?(\+|00)/.test(plain) ? local : canonicalNumber(`+${typedAs}`);
  const valid = [local, whole].filter((number) => number?.isValid === true);
  const candidates = valid.length > 0 ? valid : [local ?? whole];
  const found = new Set(candidates.map((number) => number?.digits ?? typedAs));
  // an older account is stored with the digits as typed, which is ambiguous if there are two numbers
  return [...found].map((account) => ({ account, type: 'phone', ...(found.size === 1 && { typedAs }) }));
}

/** The customers of a brand that an account name from another system or an operator refers to: usually one. */
export async function findCustomersByName(
  db: Database,
  { code, config }: Pick<Brand, 'code' | 'config'>,
  text: string,
): Promise<UserRow[]> {
  const found = new Map<string, UserRow>();
  for (const written of parseAccountNames(text, config.login.areaCode)) {
    const user = await findUser(db, code, written);
    if (user) found.set(user.uid, user);
  }
  return [...found.values()];
}

/** Whether a name in a link refers to this customer: uid, account name, bound address, or a number in any spelling. */
function isNameOfCustomer(
  user: Pick<UserRow, 'uid' | 'account' | 'email' | 'phone' | 'areaCode'>,
  given: string,
  areaCode = user.areaCode ?? '',
): boolean {
  if (given.trim() === user.uid) return true;
  const numbers = [user.account, user.phone ?? ''].filter((name) => name !== '' && !name.includes('@'));
  return parseAccountNames(given, areaCode).some(({ account, type, typedAs }) => {
    if (type === 'email') return account === user.account || account === user.email;
    return numbers.some((number) => typedAs === number || isSameNumber(account, number));
  });
}

/** The customer of the token at this brand; `unauthorized` when no customer or more than one matches. */
export async function findTokenCustomer(
  refuse: Refuse<'unauthorized'>,
  db: Database,
  brand: Pick<Brand, 'code' | 'config'>,
  { sub, account }: Pick<SsoClaims, 'sub' | 'account'>,
): Promise<UserRow> {
  const found =
    sub === undefined
      ? await findCustomersByName(db, brand, account ?? '')
      : [await findCustomerByUid(db, brand.code, sub)];
  const [user] = found;
  if (!user || found.length > 1) return refuse('unauthorized');
  return account === undefined || isNameOfCustomer(user, account, user.areaCode ?? brand.config.login.areaCode)
    ? user
    : refuse('unauthorized');
}

/** The customer with a uid at this brand. */
export async function findCustomerByUid(db: Database, brandCode: string, uid: string): Promise<UserRow | undefined> {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.brand, brandCode), eq(users.uid, uid)))
    .limit(1);
  return user;
}

/** Consumes the token; `tokenError` if it was used before. */
export async function consumeSsoToken(
  refuse: Refuse<'tokenError'>,
  tx: Database,
  brand: string,
  { jti, validUntil }: SsoClaims,
): Promise<void> {
  if (!(await consumeOnce(tx, { brand, id: `sso ${jti}`, validUntil }))) refuse('tokenError');
}

/**
 * `accountTypeRefused` for a type that may not log in; on a TV `loginFailed`, which opens its notice page.
 * `tokenExpired` for a token from before an eviction ([Note: Eviction]), with a tolerance for fast clocks.
 */
export function assertSsoAllowed(
  refuse: Refuse<'accountTypeRefused' | 'loginFailed' | 'tokenExpired'>,
  user: Pick<UserRow, 'userType' | 'evictedAt'>,
  { issuedAt }: Pick<SsoClaims, 'issuedAt'>,
  scene: Scene,
): void {
  try {
    assertLoginAllowed(refuse, user);
  } catch (error) {
    if (scene === 'STB' && error instanceof ApiRefusal) refuse('loginFailed');
    throw error;
  }
  if (user.evictedAt !== null && issuedAt <= user.evictedAt + skewMs) refuse('tokenExpired');
}

/** Many TV devices may share an address, and a signature cannot be guessed. */
const limit = { tries: 60, windowMs: 60_000 };

/** Faults of the server are `serverErrorReset`: the link may be opened on a device with another customer's session. */
export const sso: Handler<typeof contract.sso> = async ({ body }, context) => {
  try {
    return await signInByToken(body, context);
  } catch (error) {
    if (error instanceof ApiRefusal) throw error;
    context.deps.log.error({ err: error, traceId: context.traceId }, 'a single sign-on failed');
    return context.refuse('serverErrorReset');
  }
};

/** The errors of `signInByToken`. */
type SignInByTokenErrors =
  | ReadSsoTokenErrors
  | 'accountTypeRefused'
  | 'invalidParameter'
  | 'loginFailed'
  | 'loginNotAllowed'
  | 'unauthorized';

async function signInByToken(
  { token, accountId, loginId, device }: Parsed<typeof contract.sso>['body'],
  context: RequestContext<SignInByTokenErrors>,
): Promise<UserInfo> {
  const { deps, brand, ip, scene } = context;
  const now = deps.clock();
  const taken = await countTryFrom(deps.db, `sso ${brand.code}`, ip, limit, now);
  // 429, because the caller caused it
  if (!taken.allowed) context.refuse('serviceBusy', { waitSeconds: taken.waitSeconds }, 429);
  const claims = await readSsoToken(context.refuse, token, { env: deps.env, brand, now });
  const user = await findTokenCustomer(context.refuse, deps.db, brand, claims);
  const named = [accountId, loginId].filter((name) => name !== undefined && name !== '');
  if (named.some((name) => name !== undefined && !isNameOfCustomer(user, name))) context.refuse('invalidParameter');
  assertSsoAllowed(context.refuse, user, claims, scene);
  return deps.db.transaction(async (tx) => {
    await consumeSsoToken(context.refuse, tx, brand.code, claims);
    return signIn(tx, user, context, { via: 'sso', device });
  });
}
