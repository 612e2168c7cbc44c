import { createApp, type AppOptions } from './app.ts';
import type { App } from '#server/runtime/request/request-context.ts';
import type { OpenedDeps } from '#server/runtime/wiring/open-deps.ts';
import type { Sandbox } from '#server/runtime/wiring/sandbox.ts';
import type { Deps } from '#server/deps.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { mountPages } from './pages/mount-pages.ts';
import { mountCaptchaFrame } from '#server/auth/captcha/mount-captcha-frame.ts';
import { mountOutboxPage } from '#server/account/email/outbox-page.ts';
import { mountMailBounces } from '#server/account/email/mount-mail-bounces.ts';
import { mountWebhooks } from '#server/billing/webhooks.ts';
import { refuseOtherConnections } from '#server/runtime/outbound-guard.ts';
import { mountUnsubscribe } from '#server/account/settings/mount-unsubscribe.ts';
import { mountDeviceGrant } from '#server/auth/sign-on/mount-device-grant.ts';

export interface MountedApp {
  readonly app: App;
  /** closes the page renderer */
  close(): Promise<void>;
}

interface MountOptions {
  readonly dev: boolean;
  /** whether this process may only connect to configured hosts: true for the server, which runs nothing else */
  readonly guarded?: boolean;
}

/** Mounts everything on the port: the API and other routes, then files and pages. */
export async function mountApp(
  { deps, sandbox }: Pick<OpenedDeps, 'deps' | 'sandbox'>,
  { dev, guarded = false }: MountOptions,
): Promise<MountedApp> {
  const metrics = createMetrics({ process: true });
  const removeGuard = guarded ? guardOutbound(deps, metrics) : () => {};
  const app = createApp(deps, { metrics, otherRoutes: otherRoutes(sandbox) });
  const closePages = await mountPages(app, deps, { dev });
  const close = async () => {
    removeGuard();
    await closePages();
  };
  return { app, close };
}

function guardOutbound({ log }: Pick<Deps, 'log'>, metrics: Metrics): () => void {
  return refuseOtherConnections((host) => {
    metrics.outboundRefused();
    log.error({ host: host.slice(0, 100) }, 'refused a connection to a host that is no configured provider');
  });
}

/**
 * Routes besides the API: webhooks of providers and the device grant always, the sandbox and the outbox page where they
 * are on.
 */
export function otherRoutes(sandbox: Sandbox | null): NonNullable<AppOptions['otherRoutes']> {
  const always = [mountMailBounces, mountWebhooks, mountDeviceGrant, mountCaptchaFrame, mountUnsubscribe];
  return sandbox ? [...always, ...sandbox.routes, mountOutboxPage] : always;
}
