import type { App } from '../../app-env.ts';
import type { Deps } from '../../deps.ts';
import { sandboxProvider } from './sandbox-provider.ts';

/** The provider's pages at `/sandbox/google` of every brand, unless a client of the real one is configured. */
export function mountSandboxGoogle(app: App, deps: Deps): void {
  if (deps.env.GOOGLE_CLIENT_ID === undefined) app.route('/', sandboxProvider(deps));
}
