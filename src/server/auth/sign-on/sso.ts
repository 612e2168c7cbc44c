import type { UserInfo } from '#contract/user.ts';
import type * as contract from '#contract/sign-on.ts';
import type { Parsed } from '#contract/endpoint.ts';
import { ApiRefusal } from '#server/runtime/request/api-error.ts';
import { signIn } from '../sign-in.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import { countTryFrom } from '#server/runtime/limits/throttle.ts';
import { assertMaySignOn, customerOf, isNameOf, consumeSsoToken } from './sso-customer.ts';
import { readSsoToken, type ReadSsoTokenErrors } from './sso-token.ts';

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
  const user = await customerOf(context.refuse, deps.db, brand, claims);
  const named = [accountId, loginId].filter((name) => name !== undefined && name !== '');
  if (named.some((name) => name !== undefined && !isNameOf(user, name))) context.refuse('invalidParameter');
  assertMaySignOn(context.refuse, user, claims, scene);
  return deps.db.transaction(async (tx) => {
    await consumeSsoToken(context.refuse, tx, brand.code, claims);
    return signIn(tx, user, context, { via: 'sso', device });
  });
}
