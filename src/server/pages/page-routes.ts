import type { Context } from 'hono';
import { matchPath, paths, secretParams, type PathPattern } from '../../contract/paths.ts';
import { isTvAgent } from '../../contract/screen.ts';
import type { Deps } from '../deps.ts';
import type { App, AppEnv } from '../app-env.ts';
import { callAsVisitor } from '../call-as-visitor.ts';
import { callerOf } from '../caller.ts';
import { createManifests } from '../manifest/screenshots.ts';
import { reportHeaders } from '../policy-reports/mount-policy-reports.ts';
import { pagePermissions } from '../security-headers.ts';
import { brandState } from '../site/brand-state.ts';
import { pageLanguage } from './language.ts';
import { acceptedEncoding, bodyOf, createPageCache, storedPage, type StoredPage } from './page-cache.ts';
import { siteFolder, type Renderer } from './renderer.ts';

/** Query names that a page's HTML depends on; an address with any other is rendered, but not kept. */
const keptQuery = new Set(['language', 'la']);

/**
 * Answers every address that is not the API's: public pages rendered with their data, the shell for the rest, old links
 * to where they lead now, and /404 for what is not ours.
 */
export function mountPageRoutes(app: App, deps: Deps, render: Renderer): void {
  const manifestOf = createManifests(siteFolder);
  const cache = createPageCache();

  app.get('/manifest.webmanifest', async (c) => {
    const { brand, language } = visitorOf(c, deps);
    c.header('Content-Type', 'application/manifest+json');
    c.header('Cache-Control', 'public, max-age=3600');
    return c.body(JSON.stringify(await manifestOf(brand, language)));
  });

  app.get('*', async (c) => {
    c.set('route', 'page');
    const { brand, language, url, country, userAgent } = visitorOf(c, deps);
    const shell = url.pathname === '/index.html';
    const pattern = shell ? undefined : matchPath(url.pathname);
    if (!shell && !pattern) return c.redirect('/404', 302);
    const secret = holdsSecret(url, pattern);
    const key =
      !secret &&
      cacheKey(url, shell, pattern) &&
      [deps.catalog.version, c.get('origin'), country, language, isTvAgent(userAgent), url.pathname].join(' ');
    const known = key ? cache.get(key) : undefined;
    if (known) return send(c, known);
    const page = await render({
      url: secret ? pathOf(url, pattern) : url.pathname + url.search,
      origin: c.get('origin'),
      language,
      userAgent,
      brand: brandState(brand, language, country),
      render: !secret && pattern !== undefined && paths[pattern].kind !== 'app',
      call: (endpoint, input) => callAsVisitor(deps, endpoint, input, { brand, origin: c.get('origin'), language }),
    });
    if ('redirect' in page) return c.redirect(page.redirect, 302);
    const stored = storedPage(page.status, page.html, page.policy);
    if (key) cache.set(key, stored);
    return send(c, stored, secret);
  });
}

/**
 * An address with a secret gets the bare shell, whatever page it names: only the browser reads the secret, so it cannot
 * get into HTML, a redirect's `Location`, or a cache (decisions, "Arriving").
 */
function holdsSecret({ searchParams }: URL, pattern: PathPattern | undefined): boolean {
  // the way back from a provider has its token in the path, or wherever that provider puts it
  if (pattern === '/paymentResult') return true;
  return [...searchParams.keys()].some((name) => secretParams.has(name.toLowerCase()));
}

/** Without query, and without what a provider has written into the path. */
function pathOf({ pathname }: URL, pattern: PathPattern | undefined): string {
  return pattern === '/paymentResult' ? pattern : pathname;
}

function cacheKey(url: URL, shell: boolean, pattern: PathPattern | undefined): boolean {
  return (shell || pattern !== undefined) && [...url.searchParams.keys()].every((name) => keptQuery.has(name));
}

function visitorOf(c: Context<AppEnv>, deps: Deps) {
  const url = new URL(c.req.url);
  const brand = c.get('brand');
  const { country, userAgent } = callerOf(c, deps.env);
  const language = pageLanguage(
    { query: url.searchParams, cookie: c.req.header('Cookie'), acceptLanguage: c.req.header('Accept-Language') },
    { ...brand.config, tenantId: brand.tenantId, countryCode: country },
  );
  return { url, brand, language, country, userAgent };
}

async function send(c: Context<AppEnv>, page: StoredPage, secret = false): Promise<Response> {
  const encoding = acceptedEncoding(c.req.header('Accept-Encoding'));
  const body = await bodyOf(page, encoding);
  const headers: Record<string, string> = {
    'Content-Type': 'text/html; charset=utf-8',
    // The next visit asks again, so that a price is never old; the page in the middle is small. A browser files what it
    // keeps under the full address, so it keeps nothing of one with a secret.
    'Cache-Control': secret ? 'no-store' : 'no-cache',
    Vary: 'Accept-Encoding, Accept-Language, Cookie, User-Agent',
    'X-Content-Type-Options': 'nosniff',
    // Nobody is told the path or the query, our own server neither: the first files of a page are asked for before its
    // script has taken the secrets out of the address. The origin is enough for payment and identity providers.
    'Referrer-Policy': 'strict-origin',
    'Permissions-Policy': pagePermissions,
  };
  if (page.policy) Object.assign(headers, { 'Content-Security-Policy': page.policy, ...reportHeaders });
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding;
  return new Response(body, { status: page.status, headers });
}
