import { createApp } from './app.ts';
import type { App } from './app-env.ts';
import type { Deps } from './deps.ts';
import { extrasOf } from './extras.ts';
import { createMetrics } from './metrics.ts';
import { mountPages } from './pages/mount-pages.ts';

export interface MountedApp {
  readonly app: App;
  /** lets go of what renders the pages */
  close(): Promise<void>;
}

/** Everything that answers on the port: the API and what is beside it, then files and pages. */
export async function mountApp(deps: Deps, { dev }: { dev: boolean }): Promise<MountedApp> {
  const app = createApp(deps, { metrics: createMetrics({ process: true }), extras: extrasOf(deps) });
  return { app, close: await mountPages(app, deps, { dev }) };
}
