import type { Deps } from '../deps.ts';
import { bankApi } from '../sandbox/bank/api.ts';
import type { Gateways } from './gateway.ts';
import { sandboxGateway, type SandboxProvider, type SandboxWire } from './sandbox/gateway.ts';
import { bankKey, noticeSecret } from './sandbox/protocol.ts';
import type { Reach } from './wire.ts';

/** The providers that the sandbox bank plays. A real adapter takes a name over by being installed under it. */
export const sandboxProviders: readonly SandboxProvider[] = [
  { name: 'sandbox', kindOf: (method) => (method === 'pix' ? 'pix' : method === 'boleto' ? 'slip' : 'card') },
  { name: 'useepay', kindOf: () => 'card', finish: 'useepay' },
  { name: 'payssion', kindOf: () => 'wallet', finish: 'payssion' },
  { name: 'wallet', kindOf: () => 'wallet' },
  { name: 'liquido', kindOf: () => 'mobile' },
  { name: 'coins', kindOf: () => 'coin' },
];

type Needs = Pick<Deps, 'db' | 'clock' | 'random' | 'env'>;

/** The payment providers of this installation, by the name that `payment_methods.gateway` refers to. */
export function openGateways(deps: Needs): Gateways {
  if (!deps.env.SANDBOX) return {};
  const wire = sandboxWire(deps);
  return Object.fromEntries(sandboxProviders.map((provider) => [provider.name, sandboxGateway(provider, wire)]));
}

/** The bank in process, unless `SANDBOX_WIRE` leads to it: then over a real connection, which something may cut. */
function sandboxWire(deps: Needs): SandboxWire {
  const { env } = deps;
  const bank = bankApi(deps);
  const inProcess: Reach = async (request) => bank.fetch(request);
  const keys = { apiKey: bankKey(env), noticeSecret: noticeSecret(env) };
  return env.SANDBOX_WIRE === undefined
    ? { origin: 'http://sandbox.bank', reach: inProcess, ...keys }
    : { origin: env.SANDBOX_WIRE, reach: fetch, ...keys };
}
