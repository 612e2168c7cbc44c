import type { Gateways, ReturningGateway } from '#server/payments/gateway.ts';
import { transferGateway } from '#server/payments/transfer/gateway.ts';
import type { SendRequest } from '#server/payments/send-provider-request.ts';
import { providerFetch } from '../outbound.ts';
import { observed } from '../observe-provider.ts';
import { btcpayGateway } from '#server/payments/btcpay/gateway.ts';
import { isPushRefusal } from '#server/payments/mpesa/client.ts';
import { mpesaGateway } from '#server/payments/mpesa/gateway.ts';
import { paypalClient, type PaypalAccount } from '#server/payments/paypal/client.ts';
import { paypalGateway } from '#server/payments/paypal/gateway.ts';
import { payssionGateway } from '#server/payments/payssion/gateway.ts';
import { useepayGateway } from '#server/payments/useepay/gateway.ts';
import { openStripe } from '#server/payments/stripe/gateway.ts';
import type { ProviderDeps, Sandbox } from './sandbox.ts';

const bases = { sandbox: 'https://api-m.sandbox.paypal.com', live: 'https://api-m.paypal.com' } as const;

/**
 * PayPal by the configured REST app, else the sandbox PayPal where that is on, else none. `over` can wrap the client of
 * either.
 */
export function openPaypal(
  deps: ProviderDeps,
  sandbox: Sandbox | null,
  over: (send: SendRequest) => SendRequest = (send) => send,
): ReturningGateway | undefined {
  const account = realAccount(deps) ?? sandbox?.paypalAccount(deps);
  if (!account) return undefined;
  const client = paypalClient({ ...account, send: over(account.send) }, deps);
  const onVaultRefused = (brand: string) => deps.metrics.vaultRefused('paypal', brand);
  return paypalGateway({ ...deps, client }, account.webhookId, onVaultRefused);
}

function realAccount({ env, ...deps }: ProviderDeps): PaypalAccount | undefined {
  const { PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret, PAYPAL_WEBHOOK_ID: webhookId } = env;
  if (clientId === undefined || clientSecret === undefined) return undefined;
  const base = env.PAYPAL_ORIGIN ?? bases[env.PAYPAL_ENVIRONMENT];
  return { base, clientId, clientSecret, webhookId, send: observed(deps, 'paypal', providerFetch(base)) };
}

/** The payment providers of this installation, by the name that `payment_methods.gateway` refers to. */
export function openGateways(deps: ProviderDeps, sandbox: Sandbox | null): Gateways {
  const paypal = openPaypal(deps, sandbox);
  const always = {
    transfer: transferGateway(deps),
    ...(paypal && { paypal }),
    ...openStripe(deps),
    ...openBtcpay(deps),
    ...openMpesa(deps),
    ...openUseepay(deps),
    ...openPayssion(deps),
  };
  return { ...sandbox?.gateways(deps), ...always };
}

function openBtcpay(deps: ProviderDeps): Gateways {
  const {
    BTCPAY_URL: url,
    BTCPAY_STORE_ID: storeId,
    BTCPAY_API_KEY: apiKey,
    BTCPAY_WEBHOOK_SECRET: webhookSecret,
  } = deps.env;
  if (url === undefined || storeId === undefined || apiKey === undefined || webhookSecret === undefined) return {};
  const { BTCPAY_CURRENCIES: currencies, BTCPAY_CONFIRMATIONS: confirmations } = deps.env;
  const send = observed(deps, 'btcpay', providerFetch(url));
  const store = { url, storeId, apiKey, webhookSecret, currencies, confirmations, send };
  return { btcpay: btcpayGateway(store, deps) };
}

const darajas = { sandbox: 'https://sandbox.safaricom.co.ke', live: 'https://api.safaricom.co.ke' } as const;

function openMpesa(deps: ProviderDeps): Gateways {
  const { MPESA_CONSUMER_KEY: consumerKey, MPESA_CONSUMER_SECRET: consumerSecret } = deps.env;
  const { MPESA_SHORT_CODE: shortCode, MPESA_PASSKEY: passkey, MPESA_TILL: till } = deps.env;
  const { MPESA_INITIATOR: name, MPESA_SECURITY_CREDENTIAL: securityCredential } = deps.env;
  if (consumerKey === undefined || consumerSecret === undefined || shortCode === undefined || passkey === undefined)
    return {};
  const base = deps.env.MPESA_URL ?? darajas[deps.env.MPESA_ENVIRONMENT];
  const initiator = name === undefined || securityCredential === undefined ? undefined : { name, securityCredential };
  const send = observed(deps, 'mpesa', providerFetch(base), { isRefusal: isPushRefusal });
  const account = { base, consumerKey, consumerSecret, shortCode, passkey, till, initiator, send };
  return { mpesa: mpesaGateway(account, deps) };
}

const useepays = { sandbox: 'https://pay-gateway1.uat.useepay.com', live: 'https://pay-gateway.useepay.com' } as const;

function openUseepay(deps: ProviderDeps): Gateways {
  const { USEEPAY_MERCHANT_NO: merchantNo, USEEPAY_APP_ID: appId, USEEPAY_AUTHORIZATION: authorization } = deps.env;
  const { USEEPAY_PRIVATE_KEY: privateKey, USEEPAY_PUBLIC_KEY: publicKey } = deps.env;
  if (merchantNo === undefined || appId === undefined || privateKey === undefined || publicKey === undefined) return {};
  const base = deps.env.USEEPAY_URL ?? useepays[deps.env.USEEPAY_ENVIRONMENT];
  const send = observed(deps, 'useepay', providerFetch(base));
  return { useepay: useepayGateway({ base, merchantNo, appId, privateKey, publicKey, authorization, send }, deps) };
}

const payssions = { sandbox: 'https://sandbox.payssion.com', live: 'https://www.payssion.com' } as const;

function openPayssion(deps: ProviderDeps): Gateways {
  const { PAYSSION_API_KEY: apiKey, PAYSSION_SECRET_KEY: secretKey } = deps.env;
  if (apiKey === undefined || secretKey === undefined) return {};
  const base = deps.env.PAYSSION_URL ?? payssions[deps.env.PAYSSION_ENVIRONMENT];
  const send = observed(deps, 'payssion', providerFetch(base));
  return { payssion: payssionGateway({ base, apiKey, secretKey, send }, deps) };
}
