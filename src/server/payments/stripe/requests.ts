import type { Stripe } from 'stripe';
import { slipValidityDays } from '#contract/limits.ts';
import type { Language } from '#contract/fields.ts';
import { taxIdKind } from '#contract/tax-id.ts';
import type { AuthoriseRequest, CardPageRequest, SavedCardCharge } from '../gateway.ts';
import type { CardToken, StripeAttempt } from './answers.ts';

/** How long a Checkout page can be paid, in seconds; Stripe allows half an hour to a day. */
const pageSeconds = 3 * 60 * 60;
/** How long a Pix code can be paid, in seconds. */
const pixSeconds = 30 * 60;

interface Counted {
  readonly amount: number;
  readonly currency: string;
}

/** Objects that are read with a Checkout page, so that one response contains the payment's state. */
export const sessionExpand = ['payment_intent.payment_method', 'setup_intent.payment_method'];
export const intentExpand = ['payment_method'];

/**
 * A Checkout page for one method. It charges in this currency only, so that the customer pays what was agreed.
 * `customer` is the existing customer at Stripe; to save a card one is created.
 */
export function paymentPage(
  request: AuthoriseRequest,
  counted: Counted,
  { language, createdAt, customer }: Pick<StripeAttempt, 'language' | 'createdAt'> & { customer: string | undefined },
): Stripe.Checkout.SessionCreateParams {
  const { key, merchantName, methodCode, orderLabel, returnUrl, savesCard } = request;
  const type = pageTypes[methodCode];
  return {
    mode: 'payment',
    ...(type && { allowed_payment_method_types: [type] }),
    line_items: [
      {
        quantity: 1,
        price_data: { currency: counted.currency, unit_amount: counted.amount, product_data: { name: merchantName } },
      },
    ],
    client_reference_id: orderLabel,
    metadata: { attempt: key },
    payment_intent_data: {
      description: orderLabel,
      metadata: { attempt: key, page: 'checkout' },
      ...(savesCard && { setup_future_usage: 'off_session' as const }),
    },
    ...(savesCard && customerParams(customer)),
    adaptive_pricing: { enabled: false },
    expires_at: Math.floor(createdAt / 1000) + pageSeconds,
    success_url: returnUrl,
    cancel_url: returnUrl,
    locale: language,
    expand: sessionExpand,
  };
}

const pageTypes: Readonly<Record<string, Stripe.Checkout.SessionCreateParams.AllowedPaymentMethodType>> = {
  card: 'card',
  // its page shows both wallets above the card, where the device has them (docs.stripe.com/apple-pay, /google-pay)
  applepay: 'card',
  googlepay: 'card',
  alipay: 'alipay',
  paynow: 'paynow',
  pix: 'pix',
  boleto: 'boleto',
};

/** Creates a customer only if it does not exist yet. */
const customerParams = (customer: string | undefined) =>
  customer === undefined ? { customer_creation: 'always' as const } : { customer };

/** A page that saves a card without a charge; `keeper` identifies the owner after the redirect. */
export function setupPage(
  { returnUrl, currency }: Pick<CardPageRequest, 'returnUrl' | 'currency'>,
  { keeper, ...about }: { keeper: Stripe.MetadataParam; customer: string | undefined; language: Language },
): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'setup',
    allowed_payment_method_types: ['card'],
    currency: currency.toLowerCase(),
    metadata: keeper,
    ...customerParams(about.customer),
    success_url: returnUrl.replace('{visit}', '{CHECKOUT_SESSION_ID}'),
    // a customer who turns back has left no card, so no visit is named
    cancel_url: returnUrl.split('?')[0] ?? returnUrl,
    locale: about.language,
    expand: sessionExpand,
  };
}

/** The common part of every payment without a page. */
function intent(request: Pick<AuthoriseRequest, 'key' | 'orderLabel'>, counted: Counted) {
  return {
    ...counted,
    confirm: true,
    description: request.orderLabel,
    metadata: { attempt: request.key },
    expand: intentExpand,
  };
}

/** A saved card in its holder's presence: the bank may redirect to a page of its own. */
export function onSessionCharge(
  request: AuthoriseRequest,
  counted: Counted,
  { customer, paymentMethod }: CardToken,
): Stripe.PaymentIntentCreateParams {
  return {
    ...intent(request, counted),
    customer,
    payment_method: paymentMethod,
    allowed_payment_method_types: ['card'],
    return_url: request.returnUrl,
  };
}

/** A saved card in its holder's absence (docs.stripe.com/payments/save-and-reuse, "off_session"). */
export function offSessionCharge(
  charge: SavedCardCharge,
  counted: Counted,
  { customer, paymentMethod }: CardToken,
): Stripe.PaymentIntentCreateParams {
  return {
    ...intent(charge, counted),
    customer,
    payment_method: paymentMethod,
    allowed_payment_method_types: ['card'],
    off_session: true,
  };
}

/**
 * Stripe requires the tax ID of a Pix payer from some accounts and refuses it from others, so it is sent in a second
 * try.
 */
export function pixCharge(
  request: AuthoriseRequest,
  counted: Counted,
  { withTaxId }: { withTaxId: boolean },
): Stripe.PaymentIntentCreateParams {
  const { document } = request.payer;
  return {
    ...intent(request, counted),
    allowed_payment_method_types: ['pix'],
    payment_method_data: {
      type: 'pix',
      billing_details: { name: nameOf(request), ...(withTaxId && document !== undefined && { tax_id: document }) },
    },
    payment_method_options: { pix: { expires_after_seconds: pixSeconds } },
  };
}

/** A Boleto slip. Undefined if required data is missing, which Stripe's own page then collects. */
export function boletoCharge(
  request: AuthoriseRequest,
  counted: Counted,
  email: string | null,
): Stripe.PaymentIntentCreateParams | undefined {
  const { document, address } = request.payer;
  const name = nameOf(request);
  if (email === null || !name || !address || document === undefined || !taxIdKind(document)) return undefined;
  const { street, streetNumber, city, state, zipCode } = address;
  return {
    ...intent(request, counted),
    allowed_payment_method_types: ['boleto'],
    payment_method_data: {
      type: 'boleto',
      boleto: { tax_id: document },
      billing_details: {
        name,
        email,
        address: { line1: `${street}, ${streetNumber}`, city, state, postal_code: zipCode, country: 'BR' },
      },
    },
    payment_method_options: { boleto: { expires_after_days: slipValidityDays } },
  };
}

function nameOf({ payer: { firstName, lastName } }: AuthoriseRequest): string {
  return [firstName, lastName].filter(Boolean).join(' ');
}
