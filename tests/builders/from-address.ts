import type { App, AppEnv } from '#server/runtime/request/request-context.ts';

/** The bindings of a connection, as Node passes them to the server. */
export function fromAddress(remoteAddress: string, localAddress?: string): AppEnv['Bindings'] {
  // as: the server reads only the two addresses of a connection
  return { incoming: { socket: { remoteAddress, localAddress } } } as AppEnv['Bindings'];
}

export interface From {
  /** the remote address of the connection */
  readonly address: string;
  /** the local address */
  readonly local?: string;
  readonly headers?: Record<string, string>;
}

/** Sends a request as a client at a remote address. */
export async function requestFrom(
  app: App,
  url: string,
  { address, local, headers = {} }: From,
  init: RequestInit = {},
) {
  const host = new URL(url).host;
  return app.request(url, { ...init, headers: { host, ...headers } }, fromAddress(address, local));
}
