import { sceneOf } from '#contract/scene.ts';
import type { Language } from '#contract/fields.ts';
import { storeSecrets } from './arrive.ts';
import { readArrival } from './entry-parameters.ts';
import { setScene } from './scene.ts';
import { stringifySearch } from './search.ts';

export interface LinkRequest {
  /** the language that the link requests */
  readonly language: Language | undefined;
  /** whether the language is stored, instead of used for this visit only */
  readonly setsLanguage: boolean;
}

/**
 * Reads the URL once, before the router, and removes its secrets from the address bar and the history; from then on
 * they are only in this page's memory. Where the link redirects, the URL is replaced by the target.
 */
export function readAddress(): LinkRequest {
  const { pathname, search, hash } = location;
  const { entry, secrets, redirect, setsLanguage, ...kept } = readArrival(pathname, search, hash);
  storeSecrets(secrets);
  const { releaseId, sourceType, language } = entry;
  if (releaseId ?? sourceType) setScene(sceneOf(entry));
  const href = redirect ? redirect.to + stringifySearch(redirect.search) : pathname + kept.search + kept.hash;
  // With the origin in front, because a path that starts with `//` would name another host.
  if (href !== pathname + search + hash) history.replaceState(history.state, '', location.origin + href);
  return { language, setsLanguage };
}
