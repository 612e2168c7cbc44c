import { createServer, type RequestListener, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { App } from '#server/runtime/request/request-context.ts';
import type { Settings } from '#server/env.ts';
import { canonicalHost } from '#server/runtime/service-url.ts';

/**
 * A proxy reuses connections, and a request sent just as the server closes one is lost: the customer sees 502. So the
 * server keeps idle connections open for longer than common proxies do: Caddy 120 s, nginx and AWS 60 s.
 * `KEEP_ALIVE_SECONDS` is for proxies with a longer timeout.
 */
export function createShopServer({ KEEP_ALIVE_SECONDS }: Pick<Settings, 'KEEP_ALIVE_SECONDS'>): Server {
  const keepAliveTimeout = KEEP_ALIVE_SECONDS * 1000;
  return createServer({ keepAliveTimeout, headersTimeout: keepAliveTimeout + 5000 });
}

/** Serves requests with an app, however their host is spelt; HTTP/1.0 probes have none. */
export function answerBy(fetch: App['fetch']): RequestListener {
  const answer = getRequestListener(fetch, { hostname: 'localhost' });
  return (request, response) => {
    const host = canonicalHost(request.headers.host ?? '');
    if (host) request.headers.host = host.text;
    void answer(request, response);
  };
}

/**
 * Listens on `HOST`, else on all interfaces: without a host Node opens `::`, which includes IPv4, or 0.0.0.0 on a
 * system without IPv6. Rejects with Node's error.
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
