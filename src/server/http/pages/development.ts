import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { createServer, type ViteDevServer } from 'vite';
import type { App } from '#server/runtime/request/request-context.ts';
import type { Deps } from '#server/deps.ts';
import { mountPageRoutes } from './page-routes.ts';
import { developmentPages, root } from './page-source.ts';

/** `npm run dev`: sources with hot reload, in the same process and on the same port as the API. */
export async function mountDevelopment(app: App, deps: Deps): Promise<() => Promise<void>> {
  // A separate port for hot reload, so that two shops can be developed at the same time.
  const hmr = { port: deps.env.PORT + 20_000 };
  const vite = await createServer({
    root,
    configFile: `${root}vite.config.ts`,
    appType: 'custom',
    server: { middlewareMode: true, hmr },
  });
  app.use(async (c, next) => {
    const { incoming, outgoing } = c.env;
    // HTTP/1.1 only: this server is for one developer
    if (incoming && outgoing && (await answeredByVite(vite, incoming, outgoing))) {
      return RESPONSE_ALREADY_SENT;
    }
    await next();
    return undefined;
  });
  mountPageRoutes(app, deps, developmentPages(vite));
  return () => vite.close();
}

type Incoming = Parameters<ViteDevServer['middlewares']>[0];

/** Whether Vite has responded itself; otherwise the request continues to the API and pages. */
function answeredByVite(vite: ViteDevServer, incoming: Incoming, outgoing: ServerResponse): Promise<boolean> {
  return new Promise((resolve, reject) => {
    outgoing.once('close', () => resolve(true));
    vite.middlewares(incoming, outgoing, (error?: unknown) =>
      error === undefined ? resolve(false) : reject(new Error('Vite failed', { cause: error })),
    );
  });
}
