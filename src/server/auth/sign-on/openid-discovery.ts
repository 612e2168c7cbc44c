import { LRUCache } from 'lru-cache';
import * as oauth from 'oauth4webapi';
import { refuseCommon } from '#server/runtime/request/api-error.ts';
import type { Deps } from '#server/deps.ts';

/** `fetch`, or the simulated provider in this process */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

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
export interface Discovered extends oauth.AuthorizationServer {
  readonly authorization_endpoint: string;
}

type Sent = oauth.CustomFetchOptions<'GET' | 'POST', URLSearchParams | undefined>;

/** How requests to an issuer are sent. HTTP is allowed only for an issuer with an http URL, such as the sandbox. */
export function requestOptions(send: Fetch, issuer: string) {
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
  readonly found: Promise<Discovered>;
  readonly until: number;
}

/** Reads an issuer's metadata and caches it for an hour. `serviceBusy` if the provider does not answer. */
export function openDiscovery(
  send: Fetch,
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
): (issuer: string) => Promise<Discovered> {
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

async function discover(send: Fetch, issuer: string): Promise<Discovered> {
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
