import type { App } from './app-env.ts';
import type { Deps } from './deps.ts';
import { mountOutboxPage } from './email/outbox-page.ts';
import { mountWebhooks } from './payments/webhooks.ts';
import { mountSandbox } from './sandbox/mount-sandbox.ts';

/** What is beside the API: notices of providers always, the sandbox bank and the mail page where they are on. */
export function extrasOf({ env }: Pick<Deps, 'env'>): readonly ((app: App, deps: Deps) => void)[] {
  return env.SANDBOX ? [mountWebhooks, mountSandbox, mountOutboxPage] : [mountWebhooks];
}
