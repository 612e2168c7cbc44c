import type { Deps } from '#server/deps.ts';
import { providerFetch } from '#server/runtime/outbound.ts';
import { bankApi } from '../bank/api.ts';
import type { SandboxBankAccess } from './gateway.ts';
import { bankKey, noticeSecret } from './protocol.ts';

/** The bank in process or, with `SANDBOX_WIRE`, over a real connection that a test can break. */
export function openSandboxBank(deps: Pick<Deps, 'db' | 'clock' | 'random' | 'env'>): SandboxBankAccess {
  const { env } = deps;
  const bank = bankApi(deps);
  const keys = { apiKey: bankKey(env), noticeSecret: noticeSecret(env) };
  return env.SANDBOX_WIRE === undefined
    ? { origin: 'http://sandbox.bank', send: async (request) => bank.fetch(request), ...keys }
    : { origin: env.SANDBOX_WIRE, send: providerFetch(env.SANDBOX_WIRE), ...keys };
}
