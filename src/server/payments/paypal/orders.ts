import type { PaymentFailure } from '#contract/error-codes.ts';
import type { Deps } from '#server/deps.ts';
import { languageTable, type Language } from '#contract/fields.ts';
import type { AuthoriseRequest, GatewayAnswer } from '../gateway.ts';
import { toPaypal } from './currencies.ts';
import {
  completed,
  ended,
  failed,
  pageOf,
  unknown,
  waiting,
  isLive,
  approvalDeadline,
  type PaypalAttempt,
  linkOf,
  orderSchema,
  type PaypalOrder,
  type Problem,
} from './answers.ts';
import type { PaypalClient } from './client.ts';

export interface PaypalDeps extends Pick<Deps, 'db' | 'clock' | 'log' | 'catalog'> {
  readonly client: PaypalClient;
}

/** The attempt with the order that its reference names. */
export interface OpenOrder {
  readonly attempt: PaypalAttempt;
  readonly id: string;
  /** how many instruments have been tried, including this one */
  readonly instrument: number;
}

/** The order at PayPal; `gone` if PayPal no longer knows it, undefined without a response. */
export async function readOrder({ client }: PaypalDeps, id: string): Promise<PaypalOrder | 'gone' | undefined> {
  const answer = await client.call({ method: 'GET', path: `/v2/checkout/orders/${id}` }, orderSchema);
  if (answer?.kind === 'done') return answer.body;
  return answer?.status === 404 && answer.problem.name === 'RESOURCE_NOT_FOUND' ? 'gone' : undefined;
}

/**
 * Advances an open order. PayPal captures an order once: a second capture is refused with ORDER_ALREADY_CAPTURED. In
 * addition every capture has a request ID, `<key>-capture-<instrument>`: after a lost response it is the same request,
 * and after a declined instrument a new one, because PayPal answers a repeated ID as it answered the first.
 *
 * An approved order is captured when its payer returns, or by the reconcile job. After a decline the order still looks
 * approved, so only the payer's return or the end of its time retries.
 */
export async function advanceOrder(deps: PaypalDeps, open: OpenOrder, { isBack = false } = {}): Promise<GatewayAnswer> {
  const { attempt, id, instrument } = open;
  const order = await readOrder(deps, id);
  if (order === undefined) return unknown;
  if (order === 'gone') return isLive(attempt) ? { state: 'expired' } : ended(attempt);
  if (order.status === 'COMPLETED') return completed(attempt, order);
  if (!isLive(attempt)) return ended(attempt);
  const isLate = deps.clock() >= approvalDeadline(attempt);
  switch (order.status) {
    case 'VOIDED':
      return failed('paymentFailed');
    case 'APPROVED':
      if (isBack || isLate || instrument === 1) return capture(deps, open);
      return waiting(attempt, { id, instrument, page: pageOf(order) });
    case 'CREATED':
    case 'SAVED':
    case 'PAYER_ACTION_REQUIRED':
      return isLate ? { state: 'expired' } : waiting(attempt, { id, instrument, page: pageOf(order) });
  }
}

export async function capture(deps: PaypalDeps, open: OpenOrder): Promise<GatewayAnswer> {
  const { attempt, id, instrument } = open;
  const answer = await deps.client.call(
    {
      method: 'POST',
      path: `/v2/checkout/orders/${id}/capture`,
      requestId: `${attempt.key}-capture-${instrument}`,
    },
    orderSchema,
  );
  if (!answer) return unknown;
  if (answer.kind === 'done') return answer.body.status === 'COMPLETED' ? completed(attempt, answer.body) : unknown;
  // a concurrent call may have captured it, so the order decides and not this refusal
  const order = await readOrder(deps, id);
  if (order === undefined) return unknown;
  if (order === 'gone') return { state: 'expired' };
  return order.status === 'COMPLETED' ? completed(attempt, order) : refused(deps, open, order, answer);
}

/** The payer must choose another instrument at PayPal (developer.paypal.com, "Handle funding failures"). */
const otherInstrument = new Set([
  'INSTRUMENT_DECLINED',
  'PAYER_ACTION_REQUIRED',
  'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
]);

/** Refusals that no other instrument resolves (Orders API v2, `orders.capture-422`). */
export const declines: Readonly<Record<string, PaymentFailure>> = {
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: 'cardRejected',
  PAYER_ACCOUNT_RESTRICTED: 'cardRejected',
  PAYER_CANNOT_PAY: 'cardRejected',
  TRANSACTION_LIMIT_EXCEEDED: 'cardRejected',
  TRANSACTION_REFUSED: 'cardRejected',
  MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: 'cardRejected',
  COMPLIANCE_VIOLATION: 'cardRejected',
  DOMESTIC_TRANSACTION_REQUIRED: 'cardRejected',
  DUPLICATE_INVOICE_ID: 'paymentFailed',
  PAYEE_BLOCKED_TRANSACTION: 'paymentFailed',
  TRANSACTION_BLOCKED_BY_PAYEE: 'paymentFailed',
  TRANSACTION_RECEIVING_LIMIT_EXCEEDED: 'paymentFailed',
};

function refused(
  deps: PaypalDeps,
  { attempt, id, instrument }: OpenOrder,
  order: PaypalOrder,
  { issue, problem }: { issue: string; problem: Problem },
): GatewayAnswer {
  const code = Object.hasOwn(declines, issue) ? declines[issue] : undefined;
  if (code !== undefined) return failed(code);
  if (deps.clock() >= approvalDeadline(attempt)) return { state: 'expired' };
  if (issue === 'ORDER_NOT_APPROVED') return waiting(attempt, { id, instrument, page: pageOf(order) });
  if (otherInstrument.has(issue)) {
    const page = linkOf(problem, 'payer-action', 'redirect') ?? pageOf(order);
    return waiting(attempt, { id, instrument: instrument + 1, page });
  }
  deps.log.warn({ attemptId: attempt.key, issue }, 'PayPal refused to capture an order; the capture is retried');
  return unknown;
}

/** The price may come down, or change with the customer's consent, so it is not a `SUBSCRIPTION`. */
export const usagePattern = 'RECURRING_PREPAID';

/** Has PayPal save the payer's account with this payment (Orders API v2, `paypal.attributes.vault`). */
const vaultInstruction = (merchantName: string) => ({
  vault: {
    store_in_vault: 'ON_SUCCESS',
    usage_type: 'MERCHANT',
    customer_type: 'CONSUMER',
    usage_pattern: usagePattern,
    description: merchantName.slice(0, 128),
  },
});

/** The locale in PayPal's format, with a region: `en-US` (Orders API v2, `experience_context.locale`). */
export function paypalLocale(code: Language): string {
  const { language, region } = new Intl.Locale(languageTable[code].locale).maximize();
  return `${language}-${region}`;
}

/**
 * The return address of a payer who leaves without paying. The page uses it only to choose its message; the stored
 * state decides.
 */
function leftUrl(returnUrl: string): string {
  const url = new URL(returnUrl);
  url.pathname += '/left/1';
  return url.href;
}

/**
 * The body of "Create order". Undefined for an amount that PayPal does not accept. The invoice is the order's ID, so
 * an account that blocks a second payment of an invoice blocks it here too. Payment must be immediate, because the
 * service starts at once; nothing is shipped.
 */
export function orderBody(
  attempt: PaypalAttempt,
  { merchantName, returnUrl }: Pick<AuthoriseRequest, 'merchantName' | 'returnUrl'>,
  saves: boolean,
): object | undefined {
  const amount = toPaypal(attempt);
  return (
    amount && {
      intent: 'CAPTURE',
      purchase_units: [{ custom_id: attempt.key, invoice_id: attempt.orderId, amount }],
      payment_source: {
        paypal: {
          ...(saves && { attributes: vaultInstruction(merchantName) }),
          experience_context: {
            return_url: returnUrl,
            cancel_url: leftUrl(returnUrl),
            user_action: 'PAY_NOW',
            payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
            shipping_preference: 'NO_SHIPPING',
            brand_name: merchantName.slice(0, 127),
            locale: paypalLocale(attempt.language),
          },
        },
      },
    }
  );
}
