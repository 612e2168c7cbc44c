import type { Sandbox } from '#server/runtime/wiring/sandbox.ts';
import { deliverDueNotices } from './bank/deliver-notices.ts';
import { mountSandboxBank } from './bank/mount-pages.ts';
import { mountSandboxCaptcha } from './captcha/mount-sandbox-captcha.ts';
import { sandboxCaptcha } from './captcha/provider.ts';
import { demoBrandsFolder } from './demo-brands-folder.ts';
import { demonstration } from './demonstration.ts';
import { openSandboxBank } from './gateway/open-bank.ts';
import { sandboxGateways } from './gateway/gateway.ts';
import { mountSandboxGoogle, sandboxGoogle } from './google/sandbox-provider.ts';
import { mountSandboxPaypal } from './paypal/mount-paypal.ts';
import { openSandboxPaypal } from './paypal/open-paypal.ts';
import { mountSandboxPush } from './push/mount-sandbox-push.ts';
import { sandboxPush } from './push/service.ts';
import { mountTransferReview } from './transfer-review/mount-transfer-review.ts';

/** Everything that the server imports from the sandbox. */
export const sandbox: Sandbox = {
  demonstration,
  demoBrandsFolder,
  // imported on use, because an installation with brands never reads brand folders
  demoBrand: async (code) => (await import('./demo-brands.ts')).demoBrand(code),
  gateways: (deps) => sandboxGateways(openSandboxBank(deps)),
  paypalAccount: openSandboxPaypal,
  google: sandboxGoogle,
  push: (deps) => {
    const service = sandboxPush(deps);
    return async (request) => service.fetch(request);
  },
  scriptCaptcha: sandboxCaptcha,
  routes: [
    mountSandboxBank,
    mountSandboxPaypal,
    mountSandboxPush,
    mountTransferReview,
    mountSandboxGoogle,
    mountSandboxCaptcha,
  ],
  deliverNotices: deliverDueNotices,
};
