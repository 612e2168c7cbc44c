import type { Context } from 'hono';
import { matchPath, secretParams, type PathPattern } from '../../contract/paths.ts';
import type { Deps } from '../deps.ts';
import type { App, AppEnv } from '../app-env.ts';
import { callAsVisitor } from '../call-as-visitor.ts';
import { callerOf } from '../caller.ts';
import { createManifests } from '../manifest/screenshots.ts';
import { reportHeaders } from '../policy-reports/mount-policy-reports.ts';
import { pagePermissions } from '../security-headers.ts';
import { brandState } from '../site/brand-state.ts';
import { pageLanguage } from './language.ts';
import { pageAddress } from './page-address.ts';
import { acceptedEncoding, bodyOf, type StoredPage } from './page-cache.ts';
import { createPageSource } from './page-source.ts';
import { siteFolder, type Renderer } from './renderer.ts';

/**
 * Answers every address that is not the API's: public pages rendered with their data, the shell for the rest, old links
 * to where they lead now, and /404 for what is not ours.
 */
export function mountPageRoutes(app: App, deps: Deps, render: Renderer): void {
  const manifestOf = createManifests(siteFolder);
  const find = createPageSource(render);

  app.get('/manifest.webmanifest', async (c) => {
    const { brand, language } = visitorOf(c, deps);
    c.header('Content-Type', 'application/manifest+json');
    c.header('Cache-Control', 'public, max-age=3600');
    return c.body(JSON.stringify(await manifestOf(brand, language)));
  });

  app.get('*', async (c) => {
    c.set('route', 'page');
    const { brand, language, url, country, ip, userAgent } = visitorOf(c, deps);
    const shell = url.pathname === '/index.html';
    const pattern = shell ? undefined : matchPath(url.pathname);
    if (!shell && !pattern) return c.redirect('/404', 302);
    const secret = holdsSecret(url, pattern);
    const origin = c.get('origin');
    const page = await find(pageAddress(url, pattern, secret), {
      origin,
      language,
      country,
      userAgent,
      version: deps.catalog.version,
      ip,
      encoding: acceptedEncoding(c.req.header('Accept-Encoding')),
      rest: () => ({
        brand: brandState(brand, language, country),
        call: (endpoint, input) => callAsVisitor(deps, endpoint, input, { brand, origin, language }),
      }),
    });
    return 'redirect' in page ? c.redirect(page.redirect, 302) : send(c, page, secret);
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

function visitorOf(c: Context<AppEnv>, deps: Deps) {
  const url = new URL(c.req.url);
  const brand = c.get('brand');
  const { country, ip, userAgent } = callerOf(c, deps.env);
  const language = pageLanguage(
    { query: url.searchParams, cookie: c.req.header('Cookie'), acceptLanguage: c.req.header('Accept-Language') },
    { ...brand.config, tenantId: brand.tenantId, countryCode: country },
  );
  return { url, brand, language, country, ip, userAgent };
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
  if (page.status === 503) headers['Retry-After'] = '3';
  if (page.policy) Object.assign(headers, { 'Content-Security-Policy': page.policy, ...reportHeaders });
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding;
  return new Response(body, { status: page.status, headers });
}
