import type * as contract from '#contract/sign-on.ts';
import type { Payload } from '#contract/endpoint.ts';
import { ApiRefusal } from '#server/runtime/request/api-error.ts';
import { findUser, type UserRow, assertMayLogIn } from '../find-user.ts';
import { signIn } from '../sign-in.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import { countTryFrom } from '#server/runtime/limits/throttle.ts';
import { findByGoogle, linkGoogle } from './google-link.ts';
import type { GoogleIdentity } from './google-provider.ts';
import { makeTicket } from './google-ticket.ts';

/** Each attempt calls the provider; many customers share an address behind a carrier. */
const limit = { tries: 60, windowMs: 60_000 };

/** The redirect URI at the request's origin. */
const redirectUri = (origin: string) => `${origin}/login`;

/** Without an answer of the provider, the page shows no button; the log has the error. */
export const googleClient: Handler<typeof contract.googleClient> = async (_, { deps, origin }) => {
  const none = { clientId: '', authorizationEndpoint: '' } as const;
  if (!deps.google) return none;
  try {
    const { clientId } = deps.google;
    return { clientId, authorizationEndpoint: await deps.google.authorizationEndpoint(origin) };
  } catch (error) {
    if (error instanceof ApiRefusal) return none;
    throw error;
  }
};

export const googleLogin: Handler<typeof contract.googleLogin> = async ({ body }, context) => {
  const { deps, brand, origin, ip } = context;
  if (!deps.google) return context.refuse('configError', undefined, 404);
  const taken = await countTryFrom(deps.db, `google ${brand.code}`, ip, limit, deps.clock());
  // 429, because the caller caused it
  if (!taken.allowed) return context.refuse('serviceBusy', { waitSeconds: taken.waitSeconds }, 429);
  const { device, ...proof } = body;
  const identity = await deps.google.exchange({ ...proof, redirectUri: redirectUri(origin) }, context.refuse);
  const known = await findByGoogle(deps.db, brand.code, identity.sub);
  if (known) return logIn(known, context, device);
  if (!identity.emailVerified) return context.refuse('loginFailedRefresh');
  const owner = await findUser(deps.db, brand.code, { account: identity.email, type: 'email' });
  if (owner) return linkAndLogIn(owner, identity, context, device);
  const ticket = await makeTicket(deps, brand.code, identity);
  return { outcome: 'signup', ticket, email: identity.email, name: identity.name };
};

type Answer = Promise<Payload<typeof contract.googleLogin>>;

function logIn(
  user: UserRow,
  context: RequestContext<'accountTypeRefused' | 'loginNotAllowed'>,
  device: string | undefined,
): Answer {
  assertMayLogIn(context.refuse, user);
  return context.deps.db.transaction(async (tx) => ({
    outcome: 'signedIn',
    user: await signIn(tx, user, context, { via: 'google', device }),
  }));
}

/** Links an existing account of the address to Google. */
function linkAndLogIn(
  owner: UserRow,
  identity: GoogleIdentity,
  context: RequestContext<'accountTypeRefused' | 'loginFailedRefresh' | 'loginNotAllowed'>,
  device: string | undefined,
): Answer {
  assertMayLogIn(context.refuse, owner);
  return context.deps.db.transaction(async (tx) => {
    // another call with the same Google account may have been faster
    const user =
      (await linkGoogle(tx, owner, identity, context)) ?? (await findByGoogle(tx, owner.brand, identity.sub));
    if (!user) return context.refuse('loginFailedRefresh');
    return { outcome: 'signedIn', user: await signIn(tx, user, context, { via: 'google', device }) };
  });
}
