import { chunkLoadTimeoutMs } from '../../../contract/limits.ts';

/**
 * [Note: Hashes for later] A page brings the hashes of the scripts that it lives by ([Note: Import map]). Those of all
 * others are fetched as soon as these have come, and from the moment when the page lives, an import waits for them: an
 * engine that checks hashes runs no script without one. Where the page has them all, or engines do not ask, nothing waits.
 */
interface TextPolicy {
  createScript(text: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: TextPolicy): TextPolicy;
}

let lives = false;
/** No variables: the build would write `??=`, and this is in the one script that engines below the floor read, too. */
const kept: { coming?: Promise<void>; policy?: TextPolicy } = {};

/** From now on, imports wait for the hashes that are on their way. */
export function waitForHashes(): void {
  lives = true;
}

/** What an import has to wait for (`.scripts/import-map.ts` puts it before each). */
export function hashesToCome(): Promise<void> | undefined {
  return lives ? fetchHashes() : undefined;
}

/**
 * [Note: Hanging chunk] Every import of a part goes through this (`.scripts/import-map.ts`). It cannot be given up, so after
 * `chunkLoadTimeoutMs` it is no longer waited for, and is told as a part that is missing ([Note: Missing chunk]).
 */
export function inTime<T>(loading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new Error('it did not come in time');
      dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }));
      reject(error);
    }, chunkLoadTimeoutMs);
    void loading.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

/** Undefined: they are all there. What could not be fetched is fetched again by whoever asks next. */
export function fetchHashes(): Promise<void> | undefined {
  const map = document.querySelector<HTMLScriptElement>('script[data-rest]');
  const path = map?.dataset['rest'];
  if (!map || path === undefined) return undefined;
  if (kept.coming) return kept.coming;
  const coming = addHashes(map, path).finally(() => delete kept.coming);
  kept.coming = coming;
  return coming;
}

async function addHashes(map: HTMLScriptElement, path: string): Promise<void> {
  try {
    const answer = await fetch(path);
    const more = document.createElement('script');
    more.type = 'importmap';
    more.textContent = trusted(await answer.text());
    map.after(more);
    delete map.dataset['rest'];
  } catch (error) {
    // The import that waited fails by itself ([Note: Missing chunk]).
    console.info('The hashes of further scripts did not come.', error);
  }
}

/** Any text will do: the page's content policy knows the hash of the one map that may come. */
function trusted(text: string): string {
  // Trusted Types are not in TypeScript's DOM yet; a TrustedScript stands wherever the text is expected
  const { trustedTypes } = window as Window & { trustedTypes?: TrustedTypes };
  if (!trustedTypes) return text;
  if (kept.policy) return kept.policy.createScript(text);
  const policy = trustedTypes.createPolicy('marquee-hashes', { createScript: (own) => own });
  kept.policy = policy;
  return policy.createScript(text);
}
