import { fingerprintKey } from '#web/platform/session/storage/keys.ts';
import { whenIdle } from '#web/platform/entry/engine/when-idle.ts';

let known: string | undefined;

/** The page gets a turn between two measurements, after this many milliseconds of them. */
const breathMs = 10;

/** What the first tap asks for comes before, in milliseconds: it is no time to be busy. */
const headStartMs = 1500;

/** The hash that the `fingerprint` header carries; empty until it is known. No page waits for it. */
export function fingerprint(): string {
  return (known ??= fingerprintKey.get()) ?? '';
}

/**
 * Computes the hash once, on this device only; no third party hears of it. Measuring takes a slow phone a noticeable
 * moment, so it waits for the first sign that somebody means to use the page, lets what they did have its way, and waits for the page to be idle.
 */
export function startFingerprint(): void {
  if (fingerprint()) return;
  const begin = () => {
    for (const sign of signs) document.removeEventListener(sign, begin);
    const measure = () =>
      compute().catch((error: unknown) => {
        // A blocked canvas or a missing chunk: the header stays empty, which every call accepts.
        console.info('The fingerprint was not computed.', error);
      });
    setTimeout(() => whenIdle(() => void measure()), headStartMs);
  };
  for (const sign of signs) document.addEventListener(sign, begin, { passive: true });
}

const signs = ['pointerdown', 'keydown'] as const;

/**
 * Measurements that Trusted Types refuse, each with a report to the server: a frame made from HTML text, and elements with
 * an `onclick` text (in WebKit and on Android only).
 */
const refusedSources = ['fontPreferences', 'domBlockers'] as const;

async function compute(): Promise<void> {
  const { hashComponents, loadSources, sources } = await import('@fingerprintjs/fingerprintjs');
  // not the library's own `load`, which can report the installation to its maker
  const components = await loadSources(sources, { cache: {}, debug: false }, refusedSources, breathMs)();
  known = hashComponents(components);
  fingerprintKey.set(known);
}
