import type { Sandbox } from '#server/runtime/wiring/sandbox.ts';
import { mountApiDocs } from './api-docs.ts';
import { deliverDueNotices, mountSandboxBank } from './bank/deliver-notices.ts';
import { mountSandboxCaptcha, sandboxCaptcha } from './captcha/mount-sandbox-captcha.ts';
import { demoBrandsFolder } from './demo-brands-folder.ts';
import { demoContents } from './demo-contents.ts';
import { sandboxGateways, simulatedProviders, openSandboxBank } from './gateway/gateway.ts';
import { mountSandboxGoogle, sandboxGoogle } from './google/sandbox-provider.ts';
import { mountSandboxPaypal, openSandboxPaypal } from './paypal/mount-paypal.ts';
import { sandboxPush, mountSandboxPush } from './push/service.ts';
import { mountTransferReview } from './transfer-review/mount-transfer-review.ts';

/** Everything that the server imports from the sandbox. */
export const sandbox: Sandbox = {
  demoContents: demoContents,
  demoBrandsFolder,
  // imported on use, because an installation with brands never reads brand folders
  demoBrand: async (code) => (await import('./demo-brands.ts')).demoBrand(code),
  simulatedProviders,
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
    mountApiDocs,
  ],
  deliverNotices: deliverDueNotices,
};
