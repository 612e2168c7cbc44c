import type { Deps } from '../deps.ts';
import { bankApi } from '../sandbox/bank/api.ts';
import type { Gateways } from './gateway.ts';
import { openPaypal, type PaypalNeeds } from './paypal/open-paypal.ts';
import { sandboxGateway, type SandboxProvider, type SandboxWire } from './sandbox/gateway.ts';
import { bankKey, noticeSecret } from './sandbox/protocol.ts';
import { transferGateway } from './transfer/gateway.ts';
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

/** The payment providers of this installation, by the name that `payment_methods.gateway` refers to. */
export function openGateways(deps: PaypalNeeds): Gateways {
  const paypal = openPaypal(deps);
  const always = { transfer: transferGateway(deps), ...(paypal && { paypal }) };
  if (!deps.env.SANDBOX) return always;
  const wire = sandboxWire(deps);
  const sandboxed = sandboxProviders.map((provider) => [provider.name, sandboxGateway(provider, wire)] as const);
  return { ...Object.fromEntries(sandboxed), ...always };
}

/** The bank in process, unless `SANDBOX_WIRE` leads to it: then over a real connection, which something may cut. */
function sandboxWire(deps: Pick<Deps, 'db' | 'clock' | 'random' | 'env'>): SandboxWire {
  const { env } = deps;
  const bank = bankApi(deps);
  const inProcess: Reach = async (request) => bank.fetch(request);
  const keys = { apiKey: bankKey(env), noticeSecret: noticeSecret(env) };
  return env.SANDBOX_WIRE === undefined
    ? { origin: 'http://sandbox.bank', reach: inProcess, ...keys }
    : { origin: env.SANDBOX_WIRE, reach: fetch, ...keys };
}
