import { createServer, type RequestListener, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { App } from '#server/runtime/request/request-context.ts';
import type { Settings } from '#server/env.ts';
import { canonicalHost } from '#server/runtime/host-name.ts';

/**
 * A proxy reuses connections, and a request that it sends at the moment in which the server closes one is lost: the
 * customer reads 502. So the server keeps an idle connection for longer than the proxies in front do: Caddy for 120 s,
 * nginx and AWS for 60 s. `KEEP_ALIVE_SECONDS` is for those that keep one longer.
 */
export function createShopServer({ KEEP_ALIVE_SECONDS }: Pick<Settings, 'KEEP_ALIVE_SECONDS'>): Server {
  const keepAliveTimeout = KEEP_ALIVE_SECONDS * 1000;
  return createServer({ keepAliveTimeout, headersTimeout: keepAliveTimeout + 5000 });
}

/** Answers requests by an app, whatever spelling of the host they have; a probe of HTTP/1.0 has none. */
export function answerBy(fetch: App['fetch']): RequestListener {
  const answer = getRequestListener(fetch, { hostname: 'localhost' });
  return (request, response) => {
    const host = canonicalHost(request.headers.host ?? '');
    if (host) request.headers.host = host.text;
    void answer(request, response);
  };
}

/**
 * Listens where `HOST` says, else on all interfaces: without a host Node opens `::`, which takes IPv4 as well, or 0.0.0.0
 * where the system has no IPv6. Rejects with Node's error.
 */
export async function listenOn(server: Server, { PORT, HOST }: Pick<Settings, 'PORT' | 'HOST'>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: PORT, ...(HOST !== undefined && { host: HOST.replace(/^\[(.*)\]$/, '$1') }) }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
