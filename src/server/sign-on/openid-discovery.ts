import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { refuse } from '../api-error.ts';
import type { Deps } from '../deps.ts';

/** Reaches the provider: over the network, or in process where it is our own. */
export type Reach = (url: string, init: RequestInit) => Promise<Response>;

/** After how long a provider that does not answer is given up, in milliseconds. */
export const providerTimeoutMs = 10_000;

const keptMs = 60 * 60_000;
/** So long nobody waits again for a provider that has just not answered. */
const keptFailureMs = 10_000;
/** A sandbox has one issuer for each host name and port that somebody may ask by. */
const keptIssuers = 50;

const discoverySchema = v.object({
  issuer: v.string(),
  authorization_endpoint: v.pipe(v.string(), v.url()),
  token_endpoint: v.pipe(v.string(), v.url()),
  jwks_uri: v.pipe(v.string(), v.url()),
});

/** What a provider publishes about itself (OpenID Connect Discovery 1.0, section 3). */
export interface Discovered {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly keys: JWTVerifyGetKey;
}

interface Kept {
  readonly found: Promise<Discovered>;
  readonly until: number;
}

/** Reads what an issuer publishes, and keeps it for an hour. Refuses with -24040 when it does not answer. */
export function openDiscovery(
  reach: Reach,
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
): (issuer: string) => Promise<Discovered> {
  const kept = new LRUCache<string, Kept>({ max: keptIssuers });
  return (issuer) => {
    const known = kept.get(issuer);
    if (known && known.until > clock()) return known.found;
    const found = discover(reach, issuer).catch((error: unknown) => {
      log.warn({ err: error, issuer }, 'the identity provider cannot be reached');
      kept.set(issuer, { found, until: clock() + keptFailureMs });
      return refuse(-24040);
    });
    kept.set(issuer, { found, until: clock() + keptMs });
    return found;
  };
}

async function discover(reach: Reach, issuer: string): Promise<Discovered> {
  const response = await reach(`${issuer}/.well-known/openid-configuration`, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(providerTimeoutMs),
  });
  if (!response.ok) throw new Error(`discovery answered ${response.status}`);
  const document = v.parse(discoverySchema, await response.json());
  // section 4.3: a document that speaks for another issuer is not to be used
  if (document.issuer !== issuer) throw new Error('discovery names another issuer');
  return {
    issuer,
    authorizationEndpoint: document.authorization_endpoint,
    tokenEndpoint: document.token_endpoint,
    keys: createRemoteJWKSet(new URL(document.jwks_uri), {
      timeoutDuration: providerTimeoutMs,
      [customFetch]: reach,
    }),
  };
}
