import { sceneOf } from '#contract/scene.ts';
import type { Language } from '#contract/fields.ts';
import { storeSecrets } from './secret-store.ts';
import { setScene } from './scene.ts';
import { stringifySearch } from './search.ts';
import { findPathRow } from '#contract/paths.ts';
import { parseJson } from '#web/platform/session/storage/stored.ts';
import { followDebugSwitch } from '#web/platform/session/storage/debug-key.ts';
import { aliasesOf, aliasNames, type Entry } from './aliases.ts';
import { returnParam } from './return-path.ts';
import { readSecrets, secretNamesAt, type Secrets } from './secrets.ts';

export interface LinkRequest {
  /** the language that the link requests */
  readonly language: Language | undefined;
}

/**
 * Reads the URL once, before the router, and removes its secrets from the address bar and the history; from then on
 * they are only in this page's memory. Where the link redirects, the URL is replaced by the target.
 */
export function readAddress(): LinkRequest {
  const { pathname, search, hash } = location;
  // a redirect below moves it into the address to return to
  followDebugSwitch(search);
  const { entry, secrets, redirect, ...kept } = readArrival(pathname, search, hash);
  storeSecrets(secrets);
  const { releaseId, sourceType, language } = entry;
  if (releaseId ?? sourceType) setScene(sceneOf(entry));
  const href = redirect ? redirect.to + stringifySearch(redirect.search) : pathname + kept.search + kept.hash;
  // With the origin in front, because a path that starts with `//` would name another host.
  if (href !== pathname + search + hash) history.replaceState(history.state, '', location.origin + href);
  return { language };
}

interface Arrival {
  /** the link's parameters, without secrets */
  readonly entry: Omit<Entry, 'appToken'>;
  readonly secrets: Secrets;
  /** where to redirect; a path of the storefront */
  readonly redirect?: Redirect;
  /** the query without secrets, for the address bar; starts with `?` unless empty */
  readonly search: string;
  /** the fragment without secrets; starts with `#` unless empty */
  readonly hash: string;
}

interface Redirect {
  readonly to: '/register' | '/login' | '/device';
  readonly search: Readonly<Record<string, string>>;
}

type Pair = readonly [string, string];

const maxJsonBytes = 2048;

const entryAt = (pathname: string) => findPathRow(pathname)?.entry;

/** Decides from the URL how a visit begins. Pure; never throws, whatever the link contains. */
export function readArrival(pathname: string, search: string, hash = ''): Arrival {
  const query = [...new URLSearchParams(search)];
  const pairs = [...query, ...jsonPairs(query.find(([name]) => name === 'params')?.[1])];
  const { appToken, ...entry } = aliasesOf(pairs);
  const enters = entryAt(pathname) !== undefined;
  const fragment = [...new URLSearchParams(hash.slice(1))];
  const secrets = readSecrets({ pathname, enters, query, fragment, appToken, entry });
  const remaining = withPlanOf(pathname, withoutSecrets(pathname, query), entry);
  const to = enters ? target(entry, secrets, pairs.length > query.length) : undefined;
  return {
    entry,
    secrets,
    search: same(remaining, query) ? search : stringifySearch(firstOf(remaining)),
    hash: withoutSecrets(pathname, fragment).length === fragment.length ? hash : '',
    ...(to ? { redirect: { to, search: redirectSearch(to, entry, wantedPath(pathname, remaining, entry)) } } : {}),
  };
}

/** Device information has priority, then the code of a TV device, then the account's parameters. */
function target(entry: Entry, secrets: Secrets, hasParams: boolean): Redirect['to'] | undefined {
  if (entry.deviceInfo !== undefined) return '/register';
  if (secrets.userCode !== undefined) return '/device';
  return hasParams || secrets.appToken !== undefined ? '/login' : undefined;
}

function redirectSearch(to: Redirect['to'], entry: Arrival['entry'], wanted: string): Record<string, string> {
  // The device page requests the TV's owner from the server, so the link's account is not passed on.
  const passed = to === '/device' ? {} : Object.fromEntries(Object.entries(entry));
  return { ...passed, [returnParam]: wanted };
}

/** The own properties of a small JSON object that have a known name; text or numbers only. */
function jsonPairs(json: string | undefined): Pair[] {
  if (json === undefined || new Blob([json]).size > maxJsonBytes) return [];
  const value = parseJson(json);
  if (!(value instanceof Object) || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, content]: [string, unknown]): Pair[] => {
    const plain = typeof content === 'string' || typeof content === 'number';
    return plain && aliasNames.has(name) ? [[name, String(content)]] : [];
  });
}

function withoutSecrets(pathname: string, pairs: readonly Pair[]): Pair[] {
  const names = secretNamesAt(pathname);
  return pairs.filter(([name]) => !names.has(name.toLowerCase()));
}

/** The payment page reads the plan by its long name only, whichever one the link used. */
function withPlanOf(pathname: string, pairs: Pair[], { planId }: Entry): Pair[] {
  const named = pairs.some(([name]) => name === 'planId');
  if (entryAt(pathname) !== 'keepsPlan' || planId === undefined || named) return pairs;
  return [...pairs.filter(([name]) => aliasNames.get(name) !== 'planId'), ['planId', planId]];
}

/** The page to return to: the same page without the parameters that were read, or the plan that they named. */
function wantedPath(pathname: string, pairs: readonly Pair[], { planId }: Entry): string {
  const rest = pairs.filter(([name]) => !aliasNames.has(name));
  if (planId !== undefined && entryAt(pathname) === 'opensPlan')
    return `/plan-details/${planId}${stringifySearch(firstOf(rest))}`;
  const plan: Pair[] = planId !== undefined && entryAt(pathname) === 'keepsPlan' ? [['planId', planId]] : [];
  return pathname + stringifySearch(firstOf([...plan, ...rest]));
}

const same = (one: readonly Pair[], other: readonly Pair[]) =>
  one.length === other.length && one.every(([name], index) => name === other[index]?.[0]);

/** The first of several values wins. */
function firstOf(pairs: readonly Pair[]): Record<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of pairs) if (!found.has(name)) found.set(name, value);
  return Object.fromEntries(found);
}
