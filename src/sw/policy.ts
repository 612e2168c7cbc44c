import type { Endpoint } from '../contract/endpoint.ts';
import { matchPath } from '../contract/paths.ts';
import * as site from '../contract/site.ts';

/** What the worker does with a request; `untouched` means that the browser never notices the worker. */
export type Policy = 'page' | 'site-data' | 'art' | 'untouched';

export interface RequestLike {
  readonly method: string;
  readonly url: string;
  readonly mode: string;
  readonly headers: { get(name: string): string | null };
}

/** Answers that are the same for everyone and worth having without network (decisions, "Offline"). */
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

const keptPaths = kept.map((one) => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`));

const artPath = /^\/(?:brand|icons)\/[\w./-]+\.(?:svg|png|webp|avif|jpg)$/;

/**
 * Decides by the request alone. A token makes every request untouchable, also one whose answer would be public:
 * prices may differ for a customer, and what is one person's is never kept here.
 */
export function policyFor(request: RequestLike, ownOrigin: string): Policy {
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== ownOrigin) return 'untouched';
  if (request.mode === 'navigate') return matchPath(url.pathname) ? 'page' : 'untouched';
  const token = request.headers.get('authorization');
  if (token !== null && token !== 'null') return 'untouched';
  if (keptPaths.some((path) => path.test(url.pathname))) return 'site-data';
  return artPath.test(url.pathname) ? 'art' : 'untouched';
}
