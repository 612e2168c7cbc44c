import { useEffect, useState } from 'react';
import { walletSchema, type PaymentMethod, type Wallet } from '#contract/billing.ts';

declare global {
  interface Window {
    readonly ApplePaySession?: { canMakePayments(): boolean };
  }
}

/**
 * How long the first list of methods waits for the device, in milliseconds: a browser reads a file at Google to know
 * whether it has Google Pay. A later answer counts at the next visit, because no row may move below a finger.
 */
const waitMs = 1000;

/** The answers of this page load; a browser refuses to answer the same question often. */
const answers = new Map<Wallet, Promise<boolean>>();

/** The methods that this device can pay with. Undefined until that is known for the first list. */
export function useDeviceMethods(methods: readonly PaymentMethod[] | undefined): readonly PaymentMethod[] | undefined {
  const [present, setPresent] = useState<ReadonlySet<Wallet>>();
  const asked = walletsOf(methods ?? []).join(' ');
  const isLoaded = methods !== undefined;
  useEffect(() => {
    if (!isLoaded) return undefined;
    let isCurrent = true;
    void presentWallets(walletSchema.options.filter((wallet) => asked.includes(wallet))).then((found) => {
      if (isCurrent) setPresent(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [isLoaded, asked]);
  if (asked !== '' && present === undefined) return undefined;
  return methods?.filter(({ wallet }) => wallet === undefined || present?.has(wallet));
}

const walletsOf = (methods: readonly PaymentMethod[]): Wallet[] =>
  walletSchema.options.filter((name) => methods.some(({ wallet }) => wallet === name));

/** Which of these wallets the device has. */
export async function presentWallets(wallets: readonly Wallet[]): Promise<ReadonlySet<Wallet>> {
  const found = await Promise.all(wallets.map(async (wallet) => ((await soon(isPresent(wallet))) ? [wallet] : [])));
  return new Set(found.flat());
}

const soon = (answer: Promise<boolean>): Promise<boolean> =>
  Promise.race([answer, new Promise<false>((resolve) => setTimeout(() => resolve(false), waitMs))]);

function isPresent(wallet: Wallet): Promise<boolean> {
  // both throw where a page may not ask: without HTTPS, or too often; then the card method is still there
  const answer = answers.get(wallet) ?? askDevice[wallet]().catch(() => false);
  answers.set(wallet, answer);
  return answer;
}

const askDevice: Readonly<Record<Wallet, () => Promise<boolean>>> = {
  // developer.apple.com/documentation/applepayontheweb
  applePay: async () => window.ApplePaySession?.canMakePayments() ?? false,
  // developers.google.com/pay/api/web/guides/paymentrequest/tutorial
  googlePay: async () => {
    if (!('PaymentRequest' in window)) return false;
    const method = { supportedMethods: 'https://google.com/pay', data: googlePayData };
    const total = { label: 'Total', amount: { currency: 'USD', value: '1.00' } };
    return new PaymentRequest([method], { total }).canMakePayment();
  },
};

/** Any card of Google Pay will do: the provider's page decides which it takes. */
const googlePayData = {
  environment: 'PRODUCTION',
  apiVersion: 2,
  apiVersionMinor: 0,
  allowedPaymentMethods: [
    {
      type: 'CARD',
      parameters: {
        allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
        allowedCardNetworks: ['AMEX', 'DISCOVER', 'JCB', 'MASTERCARD', 'VISA'],
      },
    },
  ],
};
