import type { App, AppEnv } from '#server/runtime/request/request-context.ts';
import type { Deps } from '#server/deps.ts';
import { openBuilds, type Builds } from './builds.ts';
import { pageHeaders } from '../security-headers.ts';
import { answerPages, headerOptionsOf } from './page-routes.ts';
import { root } from './page-source.ts';
import type { Context } from 'hono';
import { noticesPath, reportsDatabase, shellPath, workerPath } from '#contract/worker.ts';
import { answerFile, type SiteFile } from './site-files.ts';
import { sitemapPath } from '#server/site/brand-files.ts';

/** Adds the storefront after the API, because it matches every remaining path. Returns a function that stops it. */
export async function mountPages(app: App, deps: Deps, { dev }: { dev: boolean }): Promise<() => Promise<void>> {
  if (dev) {
    const { mountDevelopment } = await import('./development.ts');
    return mountDevelopment(app, deps);
  }
  const { env } = deps;
  const folder = env.BUILDS_DIR ?? `${root}dist/builds`;
  const builds = await openBuilds({ folder, captchaOrigin: env.CAPTCHA_ORIGIN, worker: env.WORKER === 'on' }, deps);
  mountBuilds(app, deps, builds);
  return async () => undefined;
}

/** Files and pages of the builds. */
export function mountBuilds(app: App, deps: Deps, builds: Builds): void {
  serveRobots(app, builds);
  serveSite(app, builds, deps);
  answerPages(app, deps, builds.pages);
}

const immutable = 'public, max-age=31536000, immutable';
const revalidated = 'no-cache';

/**
 * Built scripts, styles, icons, the service worker and the shell that it caches; the build has a compressed copy of
 * each.
 */
function serveSite(app: App, builds: Builds, deps: Deps): void {
  const worker = deps.env.WORKER === 'on';
  const answer = (
    c: Context<AppEnv>,
    file: SiteFile | undefined,
    cacheControl: string,
    more?: Record<string, string>,
  ) => file && answerFile(file, c.req.header('Accept-Encoding'), { 'Cache-Control': cacheControl, ...more });
  const serve = (c: Context<AppEnv>, cacheControl: string, more?: Record<string, string>) =>
    answer(c, builds.find(c.req.path), cacheControl, more);
  // An asset of an older build: respond with 404, and the storefront reloads itself.
  app.get('/assets/*', async (c) => answer(c, await builds.findInAny(c.req.path), immutable) ?? gone());
  app.get(workerPath, (c) => (worker ? serve(c, revalidated) : workerOff()) ?? gone());
  app.get(
    shellPath,
    (c) => serve(c, revalidated, pageHeaders(builds.shell.policy, headerOptionsOf(c, deps))) ?? gone(),
  );
  for (const path of ['/icons/*', '/screenshots/*', '/noscript.css', noticesPath]) {
    app.get(path, async (c, next) => serve(c, revalidated) ?? (await next()));
  }
}

/** The rules of the storefront, and where this brand's pages are listed. */
function serveRobots(app: App, builds: Builds): void {
  const path = '/robots.txt';
  const rules = new TextDecoder().decode(builds.find(path)?.bodies.get('identity'));
  app.get(path, (c) => {
    c.set('route', path);
    c.header('Cache-Control', revalidated);
    return c.text(`${rules}\nSitemap: ${c.get('origin')}${sitemapPath}\n`);
  });
}

/** Not cached: another process may already have the build with this file. */
const gone = () => new Response('Gone', { status: 404, headers: { 'Cache-Control': 'no-store' } });

/**
 * The script at the worker's URL in a shop that has switched it off ([Note: Worker off]): it replaces any installed
 * worker, deletes all caches and queued reports, and unregisters itself. It handles no requests, and the pages' own
 * storage (session, drafts, queues) is elsewhere. The deletion of the database waits for the worker that was replaced, so
 * nothing waits for it.
 */
const script = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => {
  const end = async () => {
    const names = await caches.keys();
    await Promise.all(names.map((name) => caches.delete(name)));
    indexedDB.deleteDatabase('${reportsDatabase}');
    await self.registration.unregister();
  };
  event.waitUntil(end());
});
`;

const workerOff = () =>
  new Response(script, {
    headers: { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-store' },
  });
