import { serveStatic } from '@hono/node-server/serve-static';
import type { App } from '../app-env.ts';
import { siteFolder } from './renderer.ts';

/** Built scripts, styles, icons and the service worker; the build left a compressed copy beside each. */
export function serveSite(app: App): void {
  const immutable = 'public, max-age=31536000, immutable';
  const asked = 'no-cache';
  const files = (cacheControl: string) =>
    serveStatic({
      root: siteFolder,
      precompressed: true,
      onFound: (_path, c) => {
        c.header('Cache-Control', cacheControl);
        c.header('X-Content-Type-Options', 'nosniff');
      },
    });
  app.get('/assets/*', files(immutable));
  for (const path of ['/icons/*', '/screenshots/*', '/sw.js', '/robots.txt']) app.get(path, files(asked));
  // A file that a newer build has replaced: say so at once, the storefront then reloads by itself.
  app.get('/assets/*', (c) => c.text('Gone', 404));
}
