import { paths, type PathPattern } from '#contract/paths.ts';

/** The parts of a URL that determine the HTML of its page. */
export interface PageAddress {
  /** path and query that are rendered; equal values have equal HTML */
  readonly url: string;
  /** the page with its data, or the shell alone */
  readonly render: boolean;
  /** whether the next visitor receives the same page */
  readonly kept: boolean;
}

/** Query names of entry links: they set the scene, or redirect the page. Lower case. */
const arriving = 'r releaseid st sourcetype d deviceinfo'.split(' ');
/** Query names that the page itself displays. Lower case; the language is determined separately. */
const shown = new Set([...arriving, ...'return reason account loginid errcode type'.split(' ')]);
const ofShell = new Set(arriving);
export const shellPath = '/index.html';

/**
 * Parameters that no page renders (`utm_source`, `fbclid`, arbitrary ones) stay in the browser's URL and create no page
 * of their own. Personal pages share one shell, whatever their URL. Old links redirect with their whole query.
 * `secret`: the URL contains a secret, and its query is not read.
 */
export function pageAddress(url: URL, pattern: PathPattern | undefined, secret: boolean): PageAddress {
  const kind = pattern && paths[pattern].kind;
  if (secret) return { url: shellPath, render: false, kept: true };
  if (kind === 'link') return { url: url.pathname + url.search, render: true, kept: false };
  const render = kind === 'page';
  const query = only(render ? shown : ofShell, url.searchParams);
  return { url: (render ? url.pathname : shellPath) + query, render, kept: query === '' };
}

/** The first value of each of these names, as a query; empty when there is none. */
function only(names: ReadonlySet<string>, given: URLSearchParams): string {
  const found = new Map<string, string>();
  for (const [name, value] of given) if (names.has(name.toLowerCase()) && !found.has(name)) found.set(name, value);
  return found.size === 0 ? '' : `?${new URLSearchParams([...found]).toString()}`;
}
