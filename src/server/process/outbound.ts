import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

const fetchOfNode = globalThis.fetch;

/**
 * The HTTP client for providers that the operator has configured, and the only one of the server. A redirect is an error,
 * because its target is not configured.
 */
export const providerFetch: typeof fetch = (input, init) => fetchOfNode(input, { redirect: 'error', ...init });

/** A request that did not go through `providerFetch`. */
export class OutboundRefused extends Error {
  override readonly name = 'OutboundRefused';
  constructor(host: string) {
    super(`no request to ${host}: the server calls configured providers only`);
  }
}

/**
 * Refuses every HTTP request of this process that does not go through `providerFetch`. Libraries read what callers send,
 * and may call an address that they find in it: `@simplewebauthn/server` downloads the revocation list that a certificate
 * names. `onRefused` receives the host. Returns a function that removes the guard.
 */
export function refuseOtherRequests(onRefused: (host: string) => void): () => void {
  const refused = (host: string) => {
    onRefused(host);
    return new OutboundRefused(host);
  };
  const destroy = (message: unknown) => {
    // as: the message of this channel in Node's documentation
    const { request } = message as { request: ClientRequest };
    request.destroy(refused(request.host));
  };
  globalThis.fetch = async (input) => {
    throw refused(new URL(input instanceof Request ? input.url : input).host);
  };
  subscribe(requestChannel, destroy);
  return () => {
    globalThis.fetch = fetchOfNode;
    unsubscribe(requestChannel, destroy);
  };
}

const requestChannel = 'http.client.request.created';
