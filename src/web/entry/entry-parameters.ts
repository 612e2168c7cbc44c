import { parseJson } from '../storage/stored.ts';
import { aliasesOf, aliasNames, type Entry } from './aliases.ts';
import { returnParam } from './return-path.ts';
import { stringifySearch } from './search.ts';

/** What must leave the address before anything else runs (decisions, "Arriving"). */
export interface Secrets {
  readonly appToken?: string;
}

export interface Arrival {
  /** what the link told, without its secrets */
  readonly entry: Omit<Entry, 'appToken'>;
  readonly secrets: Secrets;
  /** where to go instead; an own path */
  readonly redirect?: { readonly to: '/register' | '/login'; readonly search: Readonly<Record<string, string>> };
  /** the query without secrets, for the address bar; starts with `?` unless empty */
  readonly search: string;
}

const maxJsonBytes = 2048;
const secretNames = new Set(['t', 'appToken', 'params']);

/** Home, pricing, plan, order, STB and payment: the routes that read entry parameters (spec 2). */
const entryRoutes =
  /^\/(?!\/)(|pricing-table|plan-details\/\d[\w-]*|plan|tokenLogin|orders?|account|stbPayment|payment)\/?$/;

/** Reads how somebody arrives: address and query in, decision out. Never throws, whatever the link holds. */
export function readArrival(pathname: string, search: string): Arrival {
  const query = new URLSearchParams(search);
  const fromParams = jsonPairs(query.get('params'));
  const { appToken, ...entry } = aliasesOf([...query, ...fromParams]);
  const secrets = appToken === undefined ? {} : { appToken };
  const kept = [...query].filter(([name]) => !secretNames.has(name));
  const clean = kept.length === [...query].length ? search : stringifySearch(firstOf(kept));
  const to = entryRoutes.test(pathname) ? target(entry, secrets, fromParams.length > 0) : undefined;
  if (!to) return { entry, secrets, search: clean };
  const passed = Object.fromEntries(Object.entries(entry));
  return {
    entry,
    secrets,
    search: clean,
    redirect: { to, search: { ...passed, [returnParam]: withoutEntry(pathname, kept) } },
  };
}

function target(entry: Entry, secrets: Secrets, hasParams: boolean): '/register' | '/login' | undefined {
  if (entry.deviceInfo !== undefined) return '/register';
  const signsOn = secrets.appToken !== undefined && entry.accountId !== undefined && entry.loginId !== undefined;
  return hasParams || signsOn ? '/login' : undefined;
}

/** The own properties of a small JSON object that have a name we know; text or numbers only. */
function jsonPairs(json: string | null): [string, string][] {
  if (json === null || new Blob([json]).size > maxJsonBytes) return [];
  const value = parseJson(json);
  if (!(value instanceof Object) || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, content]: [string, unknown]): [string, string][] => {
    const plain = typeof content === 'string' || typeof content === 'number';
    return plain && aliasNames.has(name) ? [[name, String(content)]] : [];
  });
}

/** Where to come back to: the same page, without what has been read; the plan is part of the page. */
function withoutEntry(pathname: string, pairs: readonly (readonly [string, string])[]): string {
  const rest = pairs.filter(([name]) => !aliasNames.has(name) || aliasNames.get(name) === 'planId');
  return pathname + stringifySearch(firstOf(rest));
}

function firstOf(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(pairs.toReversed());
}
