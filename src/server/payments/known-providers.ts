import { isKnownCurrency } from '#contract/money.ts';
import { transferFlavourSchema } from '#contract/next-step.ts';
import { isAcceptedByMpesa } from './mpesa/callbacks.ts';
import { isAcceptedByPaypal } from './paypal/currencies.ts';
import { isAcceptedByPayssion } from './payssion/gateway.ts';
import { isAcceptedByStripe, stripeMethods } from './stripe/currencies.ts';
import { isAcceptedByTransfer } from './transfer/gateway.ts';
import { isAcceptedByUseepay } from './useepay/refunds.ts';

/** What a provider can charge, whether or not this installation has an account there. */
export interface KnownProvider {
  takes(methodCode: string, currency: string): boolean;
  /** the codes of its methods, if a brand cannot choose them */
  readonly methods?: readonly string[];
}

/** All providers with an adapter. A configured gateway may take less: a store of BTCPay has rates for few currencies. */
export const knownProviders: Readonly<Record<string, KnownProvider>> = {
  btcpay: { takes: (_, currency) => isKnownCurrency(currency) },
  mpesa: { takes: (_, currency) => isAcceptedByMpesa(currency) },
  paypal: { takes: (_, currency) => isAcceptedByPaypal(currency) },
  payssion: { takes: (_, currency) => isAcceptedByPayssion(currency) },
  stripe: { takes: isAcceptedByStripe, methods: stripeMethods },
  transfer: { takes: isAcceptedByTransfer, methods: transferFlavourSchema.options },
  useepay: { takes: (_, currency) => isAcceptedByUseepay(currency) },
};
