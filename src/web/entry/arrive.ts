import { sceneOf } from '../../contract/scene.ts';
import type { Language } from '../../contract/fields.ts';
import { readArrival, type Arrival, type Secrets } from './entry-parameters.ts';
import { enterScene } from './scene.ts';
import { stringifySearch } from './search.ts';

let secrets: Secrets = {};

/**
 * Reads the address once, before the router, and takes the secrets out of it and of the history. When the link leads
 * elsewhere, the address is that one from now on. Answers the language that the link asks for.
 */
export function arrive(): { language: Language | undefined; redirected: boolean } {
  const { pathname, search, hash } = location;
  const arrival = readArrival(pathname, search);
  secrets = arrival.secrets;
  const { releaseId, sourceType, language } = arrival.entry;
  if (releaseId ?? sourceType) enterScene(sceneOf(arrival.entry));
  const href = hrefOf(arrival, pathname, hash);
  // With the origin before it, because a path may start with `//` and would name another host.
  if (href !== pathname + search + hash) history.replaceState(history.state, '', location.origin + href);
  return { language, redirected: arrival.redirect !== undefined };
}

/** The single sign-on token of the link, once: asking for it forgets it. */
export function takeSecrets(): Secrets {
  const taken = secrets;
  secrets = {};
  return taken;
}

function hrefOf({ redirect, search }: Arrival, pathname: string, hash: string): string {
  return redirect ? redirect.to + stringifySearch(redirect.search) : pathname + search + hash;
}
