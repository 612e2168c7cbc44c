import type { Deps } from '../../deps.ts';
import { sandboxPaypal } from '../../sandbox/paypal/api.ts';
import { sandboxAccount, sandboxBase } from '../../sandbox/paypal/account.ts';
import type { PaymentGateway } from '../gateway.ts';
import type { Reach } from '../wire.ts';
import { paypalClient, type PaypalAccount } from './client.ts';
import { paypalGateway } from './gateway.ts';

export type PaypalNeeds = Pick<Deps, 'db' | 'clock' | 'random' | 'env' | 'catalog' | 'log'>;

const bases = { sandbox: 'https://api-m.sandbox.paypal.com', live: 'https://api-m.paypal.com' } as const;

/**
 * PayPal by the REST app that is configured, else the sandbox PayPal where that is on, else none. `over` may stand
 * between the shop and whichever it is.
 */
export function openPaypal(
  deps: PaypalNeeds,
  over: (reach: Reach) => Reach = (reach) => reach,
): PaymentGateway | undefined {
  const account = realAccount(deps) ?? pretendedAccount(deps);
  if (!account) return undefined;
  const client = paypalClient({ ...account, reach: over(account.reach) }, deps);
  return paypalGateway({ ...deps, client }, account.webhookId);
}

function realAccount({ env }: PaypalNeeds): PaypalAccount | undefined {
  const { PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret, PAYPAL_WEBHOOK_ID: webhookId } = env;
  if (clientId === undefined || clientSecret === undefined) return undefined;
  return { base: bases[env.PAYPAL_ENVIRONMENT], clientId, clientSecret, webhookId, reach: fetch };
}

/** In process, unless `SANDBOX_WIRE` leads to it: then over a real connection, which something may cut. */
function pretendedAccount(deps: PaypalNeeds): PaypalAccount | undefined {
  const { env } = deps;
  if (!env.SANDBOX) return undefined;
  const account = sandboxAccount(env);
  if (env.SANDBOX_WIRE !== undefined) return { ...account, base: env.SANDBOX_WIRE + sandboxBase, reach: fetch };
  const paypal = sandboxPaypal(deps);
  return { ...account, base: `http://sandbox.paypal${sandboxBase}`, reach: async (request) => paypal.fetch(request) };
}
