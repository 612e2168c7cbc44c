import { fingerprintKey } from '#web/platform/session/storage/keys.ts';
import { whenIdle } from '#web/platform/entry/engine/when-idle.ts';

let known: string | undefined;

/** After this many milliseconds of measuring, the computation yields to the page. */
const yieldAfterMs = 10;

/** Delay after the first input, in milliseconds, so that the requests it starts come first. */
const headStartMs = 1500;

/** The value of the `fingerprint` header; empty until it is known. No page waits for it. */
export function fingerprint(): string {
  return (known ??= fingerprintKey.get()) ?? '';
}

/**
 * Computes the hash once, on this device only; no third party receives it. Measuring takes noticeable time on a slow
 * phone, so it waits for the first input, then for `headStartMs`, and then for the page to be idle.
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
 * Sources that Trusted Types refuse, each with a report to the server: a frame made from HTML text, and elements with
 * an `onclick` text (in WebKit and on Android only).
 */
const refusedSources = ['fontPreferences', 'domBlockers'] as const;

async function compute(): Promise<void> {
  const { hashComponents, loadSources, sources } = await import('@fingerprintjs/fingerprintjs');
  // not the library's own `load`, which can report the installation to its vendor
  const components = await loadSources(sources, { cache: {}, debug: false }, refusedSources, yieldAfterMs)();
  known = hashComponents(components);
  fingerprintKey.set(known);
}
