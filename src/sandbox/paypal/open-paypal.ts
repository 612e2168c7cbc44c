import type { Sandbox } from '#server/runtime/wiring/sandbox.ts';
import { providerFetch } from '#server/runtime/outbound.ts';
import { sandboxAccount, sandboxBase } from './account.ts';
import { sandboxPaypal } from './api.ts';

/** In process or, with `SANDBOX_WIRE`, over a real connection that a test can break. */
export const openSandboxPaypal: Sandbox['paypalAccount'] = (deps) => {
  const account = sandboxAccount(deps.env);
  const wire = deps.env.SANDBOX_WIRE;
  if (wire !== undefined) return { ...account, base: wire + sandboxBase, send: providerFetch(wire) };
  const paypal = sandboxPaypal(deps);
  return { ...account, base: `http://sandbox.paypal${sandboxBase}`, send: async (request) => paypal.fetch(request) };
};
