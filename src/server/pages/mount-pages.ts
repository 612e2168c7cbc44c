import type { App } from '../app-env.ts';
import type { Deps } from '../deps.ts';
import { mountPageRoutes } from './page-routes.ts';
import { builtPages } from './renderer.ts';
import { serveSite } from './serve-site.ts';

/** Adds the storefront to the API: last, because it answers every address that is left. Returns how to stop. */
export async function mountPages(app: App, deps: Deps, { dev }: { dev: boolean }): Promise<() => Promise<void>> {
  if (dev) {
    const { mountDevelopment } = await import('./development.ts');
    return mountDevelopment(app, deps);
  }
  serveSite(app);
  mountPageRoutes(app, deps, await builtPages(deps.env.CAPTCHA_ORIGIN));
  return () => Promise.resolve();
}
