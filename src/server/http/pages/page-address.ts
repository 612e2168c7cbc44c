import { paths, type PathPattern } from '#contract/paths.ts';

/** What of an address decides how its page looks. */
export interface PageAddress {
  /** path and query that are rendered; two addresses with the same one have the same HTML */
  readonly url: string;
  /** the page with its data, or the shell alone */
  readonly render: boolean;
  /** whether the next visitor gets the same one */
  readonly kept: boolean;
}

/** Tells by what link somebody came: the scene, or that the page leads elsewhere. Lower case. */
const arriving = 'r releaseid st sourcetype d deviceinfo'.split(' ');
/** Query names that say something on the page itself. Lower case; the language is known without them. */
const shown = new Set([...arriving, ...'return reason account loginid errcode type'.split(' ')]);
const ofShell = new Set(arriving);
export const shellPath = '/index.html';

/**
 * All that nobody renders anything from (`utm_source`, `fbclid`, whatever a stranger makes up) stays in the address of the
 * browser and makes no page of its own. What belongs to one person is one shell, whichever address it has. Old links lead
 * on with their whole query. `secret`: the address holds one, and nothing of its query is read.
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
