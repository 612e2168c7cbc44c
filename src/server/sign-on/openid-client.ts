import { errors, jwtVerify, type JWTPayload } from 'jose';
import * as v from 'valibot';
import { refuse } from '../api-error.ts';
import type { Deps } from '../deps.ts';
import type { CodeToExchange, GoogleIdentity, GoogleProvider } from './google-provider.ts';
import { openDiscovery, providerTimeoutMs, type Discovered, type Reach } from './openid-discovery.ts';
import { plainText } from './plain-text.ts';

export interface OpenIdSettings {
  /** the provider's name for itself, to customers of this origin of the storefront */
  readonly issuer: (origin: string) => string;
  readonly reach: Reach;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What providers sign with; anything else, `none` and HMAC above all, is not looked at (RFC 8725, 3.1). */
const algorithms = ['RS256', 'ES256'];
const clockToleranceSeconds = 10;

const tokenAnswerSchema = v.object({ id_token: v.string() });
const tokenErrorSchema = v.object({ error: v.string() });

const identitySchema = v.object({
  sub: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,255}$/)),
  email: v.pipe(
    v.string(),
    v.transform((value) => value.trim().toLowerCase()),
    v.regex(/^[^\s\p{C}@]+@[^\s\p{C}@]+$/u),
    v.maxLength(160),
  ),
  email_verified: v.optional(v.union([v.boolean(), v.picklist(['true', 'false'])]), false),
  name: v.optional(v.string(), ''),
});

/** A confidential client of one provider: authorization code flow with PKCE (RFC 6749, RFC 7636, OpenID Connect Core). */
export function openIdClient(settings: OpenIdSettings, deps: Pick<Deps, 'clock' | 'log'>): GoogleProvider {
  const discovery = openDiscovery(settings.reach, deps);
  return {
    clientId: settings.clientId,
    authorizationEndpoint: async (origin) => (await discovery(settings.issuer(origin))).authorizationEndpoint,
    exchange: async (code) => {
      const provider = await discovery(settings.issuer(new URL(code.redirectUri).origin));
      const idToken = await redeem(provider, code, settings, deps);
      return identityOf(await verified(idToken, provider, settings, deps), code, settings);
    },
  };
}

/** Exchanges the code (RFC 6749, 4.1.3). */
async function redeem(
  { tokenEndpoint }: Discovered,
  { code, codeVerifier, redirectUri }: CodeToExchange,
  { clientId, clientSecret, reach }: OpenIdSettings,
  { log }: Pick<Deps, 'log'>,
): Promise<string> {
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: clientId,
    client_secret: clientSecret,
    code_verifier: codeVerifier,
  };
  const { status, body } = await ask(reach, tokenEndpoint, new URLSearchParams(form), log);
  const answer = v.safeParse(tokenAnswerSchema, body);
  if (status === 200 && answer.success) return answer.output.id_token;
  const refused = v.safeParse(tokenErrorSchema, body);
  if (status < 500 && refused.success) return refuseFor(refused.output.error, log);
  log.warn({ status }, 'the identity provider answered what it should not');
  return refuse(-24040);
}

/** Only what the code can be blamed for is the customer's to mend; the rest is ours. */
function refuseFor(error: string, log: Deps['log']): never {
  if (error === 'invalid_grant') refuse(-3039);
  log.error({ error: error.slice(0, 60) }, 'the identity provider refuses this shop');
  return refuse(-3036);
}

async function ask(
  reach: Reach,
  url: string,
  body: URLSearchParams,
  log: Deps['log'],
): Promise<{ status: number; body: unknown }> {
  try {
    const response = await reach(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: body.toString(),
      redirect: 'manual',
      signal: AbortSignal.timeout(providerTimeoutMs),
    });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    log.warn({ err: error }, 'the identity provider did not answer');
    return refuse(-24040);
  }
}

/** Signature, issuer, audience, expiry (OpenID Connect Core 1.0, 3.1.3.7). */
async function verified(
  idToken: string,
  { issuer, keys }: Discovered,
  { clientId }: OpenIdSettings,
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(idToken, keys, {
      algorithms,
      issuer,
      audience: clientId,
      requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(clock()),
    });
    return payload;
  } catch (error) {
    const isOurs = error instanceof errors.JOSEError && !isUnreachable(error);
    log.warn({ err: error }, 'an ID token could not be verified');
    return refuse(isOurs ? -3039 : -24040);
  }
}

/** The keys could not be fetched: jose's own words for it, or whatever the network throws. */
function isUnreachable(error: errors.JOSEError): boolean {
  return (
    error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid || error.code === 'ERR_JOSE_GENERIC'
  );
}

function identityOf(payload: JWTPayload, { nonce }: CodeToExchange, { clientId }: OpenIdSettings): GoogleIdentity {
  const isForUs = payload['azp'] === undefined || payload['azp'] === clientId;
  const parsed = v.safeParse(identitySchema, payload);
  if (payload['nonce'] !== nonce || !isForUs || !parsed.success) return refuse(-3039);
  const { sub, email, email_verified: isVerified, name } = parsed.output;
  return { sub, email, emailVerified: isVerified === true || isVerified === 'true', name: plainText(name, 60) };
}
