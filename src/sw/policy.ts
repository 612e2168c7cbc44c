import { isAddressOf, type Endpoint } from '#contract/endpoint.ts';
import { matchPath } from '#contract/paths.ts';
import { report } from '#contract/analytics.ts';
import * as site from '#contract/site.ts';

/** What the worker does with a request; `untouched` means that the browser never notices the worker. */
export type Policy = 'page' | 'site-data' | 'art' | 'report' | 'untouched';

export interface RequestLike {
  readonly method: string;
  readonly url: string;
  readonly mode: string;
  readonly headers: { get(name: string): string | null };
}

/** Answers that are the same for everyone and worth having without network. */
const kept: readonly Endpoint[] = [
  site.theme,
  site.siteConfig,
  site.functionConfig,
  site.langAddress,
  site.i18nVersion,
  site.i18nMessage,
  site.listPlans,
  site.planDetail,
  site.dynamicConfig,
];

const artPath = /^\/(?:brand|icons)\/[\w./-]+\.(?:svg|png|webp|avif|jpg)$/;

/** What the server answers by something else than a page: its folders, its probes, and whatever looks like a file. */
const ofServer =
  /^\/(?:api|assets|brand|captcha|dev|icons|oauth|policy-reports|sandbox|screenshots|webhooks|\.well-known)(?:\/|$)|^\/(?:healthz|readyz|metrics)\/?$|\.\w+$/;

/** An address that is nobody's is a page, too: the one that says so. */
const isPage = (pathname: string): boolean => matchPath(pathname) !== undefined || !ofServer.test(pathname);

/**
 * Decides by the request alone. A token makes every request untouchable, also one whose answer would be public:
 * prices may differ for a customer, and what is one person's is never kept here.
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
