import type { App, AppEnv } from '#server/runtime/request/request-context.ts';

/** What the server knows of a connection, as Node hands it over. */
export function fromAddress(remoteAddress: string, localAddress?: string): AppEnv['Bindings'] {
  // as: of a whole connection the server reads nothing but its two ends
  return { incoming: { socket: { remoteAddress, localAddress } } } as AppEnv['Bindings'];
}

export interface From {
  /** the other end of the connection */
  readonly address: string;
  /** this end */
  readonly local?: string;
  readonly headers?: Record<string, string>;
}

/** Asks as somebody at the other end of a connection. */
export async function requestFrom(
  app: App,
  url: string,
  { address, local, headers = {} }: From,
  init: RequestInit = {},
) {
  const host = new URL(url).host;
  return app.request(url, { ...init, headers: { host, ...headers } }, fromAddress(address, local));
}
