import './ui/tokens.css';
import { floor, needsPolyfills } from './platform/engine/floor.ts';

/**
 * [Note: Entry] What runs before anything is known of the engine, so it is small and waits by promises. The storefront is
 * evaluated when the engine has all built-ins that it calls, and never below the floor, where the page stays as the server
 * wrote it.
 */
async function start(): Promise<void> {
  if (needsPolyfills()) await (await import('./platform/engine/built-ins.ts')).loadPolyfills();
  await (await import('./app/start.ts')).start();
}

if (CSS.supports(floor)) void start();
