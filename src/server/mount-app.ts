import { createApp } from './app.ts';
import type { App } from './app-env.ts';
import type { Deps } from './deps.ts';
import { mountOutboxPage } from './email/outbox-page.ts';
import { createMetrics } from './metrics.ts';
import { mountPages } from './pages/mount-pages.ts';
import { mountSandbox } from './sandbox/mount-sandbox.ts';

export interface MountedApp {
  readonly app: App;
  /** lets go of what renders the pages */
  close(): Promise<void>;
}

/** Everything that answers on the port: API, sandbox bank, mail page, files and pages, in this order. */
export async function mountApp(deps: Deps, { dev }: { dev: boolean }): Promise<MountedApp> {
  const metrics = createMetrics({ process: true });
  const extras = deps.env.SANDBOX ? [mountSandbox, mountOutboxPage] : [];
  const app = createApp(deps, { metrics, extras });
  return { app, close: await mountPages(app, deps, { dev }) };
}
