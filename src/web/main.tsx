import '#web/ui/tokens.css';
import { supportedEngineCondition, needsPolyfills } from '#web/platform/entry/engine/floor.ts';
import { startFailedEvent } from '#web/platform/pwa/start-failed.ts';

/**
 * [Note: Entry] Runs before anything is known about the engine, so it is small and uses promises instead of top-level
 * await. The storefront is evaluated once the engine has all built-ins that it calls, and never below the floor, where
 * the page stays as the server rendered it.
 */
async function start(): Promise<void> {
  if (needsPolyfills()) await (await import('#web/platform/entry/engine/built-ins.ts')).loadPolyfills();
  const storefront = await import('#web/app/start.ts');
  document.documentElement.dataset.start = 'running';
  await storefront.start();
}

if (CSS.supports(supportedEngineCondition)) {
  start().catch((error: unknown) => {
    dispatchEvent(new Event(startFailedEvent));
    throw error;
  });
} else document.documentElement.dataset.start = 'unsupported';
