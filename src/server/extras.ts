import type { App } from './app-env.ts';
import { mountCaptchaFrame } from './captcha/mount-captcha-frame.ts';
import type { Deps } from './deps.ts';
import { mountOutboxPage } from './email/outbox-page.ts';
import { mountWebhooks } from './payments/webhooks.ts';
import { mountSandboxCaptcha } from './sandbox/captcha/mount-sandbox-captcha.ts';
import { mountSandboxDesk } from './sandbox/desk/mount-desk.ts';
import { mountSandboxGoogle } from './sandbox/google/mount-sandbox-google.ts';
import { mountSandbox } from './sandbox/bank/mount-pages.ts';
import { mountSandboxPaypal } from './sandbox/paypal/mount-paypal.ts';
import { mountDeviceGrant } from './sign-on/mount-device-grant.ts';

/** What is beside the API: notices of providers and boxes always, the sandbox and the mail page where they are on. */
export function extrasOf({ env }: Pick<Deps, 'env'>): readonly ((app: App, deps: Deps) => void)[] {
  const always = [mountWebhooks, mountDeviceGrant, mountCaptchaFrame];
  return env.SANDBOX
    ? [
        ...always,
        mountSandbox,
        mountSandboxPaypal,
        mountSandboxDesk,
        mountSandboxGoogle,
        mountSandboxCaptcha,
        mountOutboxPage,
      ]
    : always;
}
