import { isAddressOf, type Endpoint } from '#contract/endpoint.ts';
import { matchPath } from '#contract/paths.ts';
import { report } from '#contract/analytics.ts';
import { dynamicConfig } from '#contract/documents.ts';
import { listPlans, planDetail } from '#contract/plan.ts';
import * as site from '#contract/site.ts';

/** How the worker handles a request; `untouched` goes to the network as without a worker. */
export type Policy = 'page' | 'site-data' | 'art' | 'report' | 'untouched';

interface RequestLike {
  readonly method: string;
  readonly url: string;
  readonly mode: string;
  readonly headers: { get(name: string): string | null };
}

/** Public answers that are useful offline. */
const kept: readonly Endpoint[] = [
  site.theme,
  site.siteConfig,
  site.functionConfig,
  site.langAddress,
  site.i18nVersion,
  site.i18nMessage,
  listPlans,
  planDetail,
  dynamicConfig,
];

const artPath = /^\/(?:brand|icons)\/[\w./-]+\.(?:svg|png|webp|avif|jpg)$/;

/** Paths that the server answers with something other than a page: its folders, its probes, and files. */
const ofServer =
  /^\/(?:api|assets|brand|captcha|dev|icons|oauth|policy-reports|sandbox|screenshots|webhooks|\.well-known)(?:\/|$)|^\/(?:healthz(?:\/(?:caller|started))?|readyz|metrics)\/?$|\.\w+$/;

/** An unknown path is a page, too: the 404 page. */
const isPage = (pathname: string): boolean => matchPath(pathname) !== undefined || !ofServer.test(pathname);

/**
 * Decides by the request alone. A request with a token is always untouched, even if its answer would be public: prices
 * may differ for a customer, and personal data is never cached here.
 */
export function policyFor(request: RequestLike, ownOrigin: string): Policy {
  const url = new URL(request.url);
  if (url.origin !== ownOrigin) return 'untouched';
  if (request.method === report.method && isAddressOf(report, url.pathname)) return 'report';
  if (request.method !== 'GET') return 'untouched';
  if (request.mode === 'navigate') return isPage(url.pathname) ? 'page' : 'untouched';
  const token = request.headers.get('authorization');
  if (token !== null && token !== 'null') return 'untouched';
  if (kept.some((one) => isAddressOf(one, url.pathname))) return 'site-data';
  return artPath.test(url.pathname) ? 'art' : 'untouched';
}
