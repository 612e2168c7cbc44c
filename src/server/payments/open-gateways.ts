import type { Deps } from '../deps.ts';
import type { Gateways } from './gateway.ts';
import { noticeSecret, sandboxGateway } from './sandbox/gateway.ts';

/** The payment providers of this installation, by the name that `payment_methods.gateway` refers to. */
export function openGateways({ env, ...bank }: Pick<Deps, 'db' | 'clock' | 'random' | 'env'>): Gateways {
  return env.SANDBOX ? { sandbox: sandboxGateway(bank, noticeSecret(env)) } : {};
}
