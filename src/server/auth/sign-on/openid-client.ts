import * as oauth from 'oauth4webapi';
import * as v from 'valibot';
import { normalizeEmail } from '#contract/email-address.ts';
import { clockAheadSeconds } from '#server/runtime/clock.ts';
import { type Refuse, refuseCommon } from '#server/runtime/request/api-error.ts';
import type { Deps } from '#server/deps.ts';
import type { CodeToExchange, GoogleIdentity, GoogleProvider } from './google-provider.ts';
import { LRUCache } from 'lru-cache';

interface OpenIdSettings {
  /** the provider's issuer for customers of this origin of the storefront */
  readonly issuer: (origin: string) => string;
  readonly fetch: Fetch;
  readonly clientId: string;
  readonly clientSecret: string;
}

const clockToleranceSeconds = 10;

const identitySchema = v.object({
  sub: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,255}$/)),
  email: v.pipe(v.string(), v.transform(normalizeEmail), v.regex(/^[^\s\p{C}@]+@[^\s\p{C}@]+$/u), v.maxLength(160)),
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
  provider: ProviderMetadata,
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
  log.warn({ reason: error instanceof Error ? error.message : error }, 'an ID token could not be fetched or verified');
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

/** `fetch`, or the simulated provider in this process */
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Time limit for the provider's answer, in milliseconds. */
const timeoutMs = 10_000;
/** Metadata, keys and tokens are a few kilobytes. */
const maxAnswerBytes = 256 * 1024;

const cachedMs = 60 * 60_000;
/** How long a failure is cached, so that each request does not wait for a provider that does not answer. */
const failureCachedMs = 10_000;
/** A sandbox has one issuer for each host name and port of its requests. */
const maxIssuers = 50;

/** The provider's metadata (OpenID Connect Discovery 1.0, section 3), with the required endpoints. */
interface ProviderMetadata extends oauth.AuthorizationServer {
  readonly authorization_endpoint: string;
}

type Sent = oauth.CustomFetchOptions<'GET' | 'POST', URLSearchParams | undefined>;

/** How requests to an issuer are sent. HTTP is allowed only for an issuer with an http URL, such as the sandbox. */
function requestOptions(send: Fetch, issuer: string) {
  return {
    [oauth.customFetch]: async (url: string, { body, signal, ...init }: Sent) =>
      limited(await send(url, { ...init, body: body ?? null, signal: signal ?? null })),
    [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
    signal: () => AbortSignal.timeout(timeoutMs),
  };
}

/** Limits the size of an answer: its body fails beyond the limit. */
function limited(answer: Response): Response {
  let bytes = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxAnswerBytes) controller.error(new Error('the identity provider answers too much'));
      else controller.enqueue(chunk);
    },
  });
  return new Response(answer.body?.pipeThrough(count) ?? null, answer);
}

interface Cached {
  readonly found: Promise<ProviderMetadata>;
  readonly until: number;
}

/** Reads an issuer's metadata and caches it for an hour. `serviceBusy` if the provider does not answer. */
export function openDiscovery(
  send: Fetch,
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
): (issuer: string) => Promise<ProviderMetadata> {
  const cached = new LRUCache<string, Cached>({ max: maxIssuers });
  return (issuer) => {
    const known = cached.get(issuer);
    if (known && known.until > clock()) return known.found;
    const found = discover(send, issuer).catch((error: unknown) => {
      log.warn({ err: error, issuer }, 'the identity provider cannot be reached');
      cached.set(issuer, { found, until: clock() + failureCachedMs });
      return refuseCommon('serviceBusy');
    });
    cached.set(issuer, { found, until: clock() + cachedMs });
    return found;
  };
}

async function discover(send: Fetch, issuer: string): Promise<ProviderMetadata> {
  const url = new URL(issuer);
  const answer = await oauth.discoveryRequest(url, requestOptions(send, issuer));
  const metadata = await oauth.processDiscoveryResponse(url, answer);
  const { authorization_endpoint, token_endpoint, jwks_uri } = metadata;
  const areAddresses = [token_endpoint, jwks_uri].every((address) => URL.canParse(address ?? ''));
  if (authorization_endpoint === undefined || !URL.canParse(authorization_endpoint) || !areAddresses) {
    throw new Error('discovery names no endpoints');
  }
  return { ...metadata, authorization_endpoint };
}
