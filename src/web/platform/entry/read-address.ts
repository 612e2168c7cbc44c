import { sceneOf } from '#contract/scene.ts';
import type { Language } from '#contract/fields.ts';
import { storeSecrets } from './arrive.ts';
import { readArrival } from './entry-parameters.ts';
import { setScene } from './scene.ts';
import { stringifySearch } from './search.ts';

export interface LinkRequest {
  /** the language that the link asks for */
  readonly language: Language | undefined;
  /** whether it is to be remembered, and not for this visit only */
  readonly setsLanguage: boolean;
}

/**
 * Reads the address once, before the router, and takes the secrets out of it and of the history; from now on they are
 * in the memory of this page only. When the link leads elsewhere, the address is that one from now on.
 */
export function readAddress(): LinkRequest {
  const { pathname, search, hash } = location;
  const { entry, secrets, redirect, setsLanguage, ...kept } = readArrival(pathname, search, hash);
  storeSecrets(secrets);
  const { releaseId, sourceType, language } = entry;
  if (releaseId ?? sourceType) setScene(sceneOf(entry));
  const href = redirect ? redirect.to + stringifySearch(redirect.search) : pathname + kept.search + kept.hash;
  // With the origin before it, because a path may start with `//` and would name another host.
  if (href !== pathname + search + hash) history.replaceState(history.state, '', location.origin + href);
  return { language, setsLanguage };
}
