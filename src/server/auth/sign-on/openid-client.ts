import * as oauth from 'oauth4webapi';
import * as v from 'valibot';
import { typedEmail } from '#contract/email-address.ts';
import { clockAheadSeconds } from '#server/runtime/clock.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import type { Deps } from '#server/deps.ts';
import type { CodeToExchange, GoogleIdentity, GoogleProvider } from './google-provider.ts';
import { openDiscovery, requestOptions, type Discovered, type Fetch } from './openid-discovery.ts';

export interface OpenIdSettings {
  /** the provider's issuer for customers of this origin of the storefront */
  readonly issuer: (origin: string) => string;
  readonly fetch: Fetch;
  readonly clientId: string;
  readonly clientSecret: string;
}

const clockToleranceSeconds = 10;

const identitySchema = v.object({
  sub: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,255}$/)),
  email: v.pipe(v.string(), v.transform(typedEmail), v.regex(/^[^\s\p{C}@]+@[^\s\p{C}@]+$/u), v.maxLength(160)),
  email_verified: v.optional(v.union([v.boolean(), v.picklist(['true', 'false'])]), false),
  name: v.optional(v.string(), ''),
});

/**
 * A confidential client of one provider: authorization code flow with PKCE (RFC 6749, RFC 7636, OpenID Connect Core).
 */
export function openIdClient(settings: OpenIdSettings, deps: Pick<Deps, 'clock' | 'log'>): GoogleProvider {
  const discovery = openDiscovery(settings.fetch, deps);
  return {
    clientId: settings.clientId,
    authorizationEndpoint: async (origin) => (await discovery(settings.issuer(origin))).authorization_endpoint,
    exchange: async (code, refuse) => {
      const provider = await discovery(settings.issuer(new URL(code.redirectUri).origin));
      const claims = await redeem(provider, code, settings, deps).catch((error: unknown) =>
        refuseFor(refuse, error, deps.log),
      );
      return identityOf(refuse, claims ?? refuse('loginFailedRefresh'), settings);
    },
  };
}

/** Exchanges the code, and verifies the ID token with its signature. */
async function redeem(
  provider: Discovered,
  { code, codeVerifier, redirectUri, nonce }: CodeToExchange,
  { clientId, clientSecret, fetch }: OpenIdSettings,
  { clock }: Pick<Deps, 'clock'>,
): Promise<oauth.IDToken | undefined> {
  const client: oauth.Client = {
    client_id: clientId,
    [oauth.clockSkew]: clockAheadSeconds(clock),
    [oauth.clockTolerance]: clockToleranceSeconds,
  };
  const options = requestOptions(fetch, provider.issuer);
  const secret = oauth.ClientSecretPost(clientSecret);
  // The browser that started the flow has checked `state`; with one provider, the answer cannot be another's (RFC
  // 9207).
  const returned = new URLSearchParams({ code, iss: provider.issuer });
  const parameters = oauth.validateAuthResponse(provider, client, returned, oauth.skipStateCheck);
  const answer = await oauth.authorizationCodeGrantRequest(
    provider,
    client,
    secret,
    parameters,
    redirectUri,
    codeVerifier,
    options,
  );
  const token = await oauth.processAuthorizationCodeResponse(provider, client, answer, { expectedNonce: nonce });
  await oauth.validateApplicationLevelSignature(provider, answer, options);
  return oauth.getValidatedIdTokenClaims(token);
}

/** Errors that mean an invalid ID token; any other error means an invalid answer. */
const invalidTokenCodes = new Set<string | undefined>([
  oauth.JWT_TIMESTAMP_CHECK,
  oauth.JWT_CLAIM_COMPARISON,
  oauth.KEY_SELECTION,
]);

/**
 * Only an invalid code or token is for the customer to retry (`loginFailedRefresh`); other errors are the shop's or the
 * provider's.
 */
function refuseFor(refuse: Refuse<'configError' | 'loginFailedRefresh'>, error: unknown, log: Deps['log']): never {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.WWWAuthenticateChallengeError) {
    const reason = error instanceof oauth.ResponseBodyError ? error.error : error.code;
    if (reason === 'invalid_grant') return refuse('loginFailedRefresh');
    log.error({ error: reason.slice(0, 60) }, 'the identity provider refuses this shop');
    return refuse('configError');
  }
  // only the message, because the cause of such an error contains the token
  log.warn({ reason: error instanceof Error ? error.message : error }, 'an ID token could not be had or verified');
  return refuse(isAboutToken(error) ? 'loginFailedRefresh' : 'serviceBusy');
}

function isAboutToken(error: unknown): boolean {
  if (error instanceof oauth.UnsupportedOperationError) return true;
  if (!(error instanceof oauth.OperationProcessingError)) return false;
  // the library has one code for an incomplete answer, which is then in the cause, and for an incomplete token
  const { cause } = error;
  const isAnswer = typeof cause === 'object' && cause !== null && 'body' in cause;
  return invalidTokenCodes.has(error.code) || (error.code === oauth.INVALID_RESPONSE && !isAnswer);
}

function identityOf(
  refuse: Refuse<'loginFailedRefresh'>,
  claims: oauth.IDToken,
  { clientId }: OpenIdSettings,
): GoogleIdentity {
  const isForUs = claims.azp === undefined || claims.azp === clientId;
  const parsed = v.safeParse(identitySchema, claims);
  if (!isForUs || !parsed.success) return refuse('loginFailedRefresh');
  const { sub, email, email_verified: isVerified, name } = parsed.output;
  return { sub, email, emailVerified: isVerified === true || isVerified === 'true', name: displayText(name, 60) };
}

/**
 * Makes untrusted text safe to display: no characters that reverse or hide the text around it, and cut between
 * characters.
 */
export function displayText(text: string, maxLength: number): string {
  const plain = text.replaceAll(/\p{C}/gu, ' ').trim();
  // a cut within a surrogate pair leaves half a character, which cannot be stored
  return plain.slice(0, maxLength).replace(/\p{Cs}$/u, '');
}
