import * as v from 'valibot';
import type { PaymentFailure } from '#contract/error-codes.ts';
import type { GatewayAnswer, SavedCardCharge } from '../gateway.ts';
import {
  captureSchema,
  captured,
  completed,
  ended,
  failed,
  findAttempt,
  isLive,
  orderReference,
  orderSchema,
  reviewMs,
  unknown,
  type PaypalAttempt,
  type PaypalOrder,
} from './answers.ts';
import { toPaypal } from './currencies.ts';
import { advanceOrder, capture, declines, usagePattern, type PaypalDeps } from './orders.ts';

/** How long nothing is offered after PayPal refused to save accounts, in milliseconds: an hour. */
const refusedForMs = 60 * 60_000;

/** Whether PayPal saves accounts for this shop, as far as this process knows. */
export interface Vault {
  isOpen(): boolean;
  /** PayPal has refused to save an account */
  refuse(brand: string): void;
}

export function openVault(
  { clock, log }: Pick<PaypalDeps, 'clock' | 'log'>,
  onRefusal: (brand: string) => void,
): Vault {
  let closedUntil = 0;
  return {
    isOpen: () => clock() >= closedUntil,
    refuse: (brand) => {
      closedUntil = clock() + refusedForMs;
      onRefusal(brand);
      log.error(
        { brand, issue: notEnabled },
        'PayPal does not save accounts for this shop: PayPal payments continue, without automatic renewal',
      );
    },
  };
}

/** The refusal of an account for which saving is not enabled; PayPal has created no order. */
export const notEnabled = 'NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE';

/**
 * PayPal stores a request ID for six hours (Orders API v2, `PayPal-Request-Id`). After five, a repeated charge could be
 * a second one.
 */
const repeatableMs = 5 * 60 * 60_000;

/** Refusals that say nothing about an earlier request with the same ID, or about an earlier payment of the order. */
const inconclusive = new Set(['DUPLICATE_INVOICE_ID', 'PREVIOUS_REQUEST_IN_PROGRESS', 'RESOURCE_CONFLICT']);

/**
 * Charges a saved account without the payer, at most once per key: PayPal captures an order with a `vault_id` at once,
 * and answers a repeated request ID as it answered the first. Once it may have forgotten the ID, its list of
 * transactions decides.
 */
export async function chargeAccount(
  deps: PaypalDeps,
  { key, token }: Pick<SavedCardCharge, 'key' | 'token'>,
): Promise<GatewayAnswer> {
  const attempt = await findAttempt(deps.db, key);
  if (!attempt) return failed('paymentFailed');
  if (!isLive(attempt)) return ended(attempt);
  const { reference } = attempt;
  if (reference.type === 'order')
    return advanceOrder(deps, { attempt, id: reference.id, instrument: reference.instrument });
  if (deps.clock() - (attempt.askedAt ?? attempt.createdAt) > repeatableMs) return findLostCharge(deps, attempt);
  const amount = toPaypal(attempt);
  if (!amount) return failed('currencyUnsupported');
  const stored = { payment_initiator: 'MERCHANT', usage: 'SUBSEQUENT', usage_pattern: usagePattern };
  const body = {
    intent: 'CAPTURE',
    purchase_units: [{ custom_id: key, invoice_id: attempt.orderId, amount }],
    payment_source: { paypal: { vault_id: token, stored_credential: stored } },
  };
  const call = { method: 'POST', path: '/v2/checkout/orders', requestId: key, body } as const;
  const answer = await deps.client.call(call, orderSchema);
  if (!answer) return unknown;
  if (answer.kind === 'done') return chargeAnswer(deps, attempt, answer.body);
  const { issue } = answer;
  if (inconclusive.has(issue)) return unknown;
  if (!(issue in declines)) deps.log.warn({ attemptId: key, issue }, 'PayPal refused to charge a saved account');
  return refusedCharge(issue);
}

/** PayPal wants the payer to act, who is not present. */
const asksPayer: GatewayAnswer = { ...failed('rejectedByBank'), asksHolder: true };

function refusedCharge(issue: string): GatewayAnswer {
  if (issue === 'PAYER_ACTION_REQUIRED') return asksPayer;
  const known: PaymentFailure | undefined = Object.hasOwn(declines, issue) ? declines[issue] : undefined;
  return failed(known ?? 'cardRejected');
}

/** Usually the order is captured already. An order that waits for its payer has failed: it is never captured. */
async function chargeAnswer(deps: PaypalDeps, attempt: PaypalAttempt, order: PaypalOrder): Promise<GatewayAnswer> {
  const open = { attempt, id: order.id, instrument: 1 };
  switch (order.status) {
    case 'COMPLETED': {
      const answer = completed(attempt, order);
      // a payment under review is inquired about by its order
      return answer.state === 'pending' ? { ...answer, providerRef: orderReference(order.id, 1) } : answer;
    }
    case 'APPROVED': {
      const answer = await capture(deps, open);
      return answer.unpaid === true ? asksPayer : answer;
    }
    case 'VOIDED':
      return failed('paymentFailed');
    case 'CREATED':
    case 'SAVED':
    case 'PAYER_ACTION_REQUIRED':
      return asksPayer;
  }
}

/** How long after its first request a charge may have been made, in milliseconds: repeats, and clocks that differ. */
const chargedWithinMs = repeatableMs + 60 * 60_000;
/** A restored attempt has no first request; a crash may have delayed it by a day. */
const restoredWithinMs = 25 * 60 * 60_000;
const pageSize = 500;
const mostPages = 20;

const foundSchema = v.object({
  transaction_details: v.optional(
    v.array(
      v.object({
        transaction_info: v.object({
          transaction_id: v.optional(v.string()),
          custom_field: v.optional(v.string()),
          transaction_event_code: v.optional(v.string(), ''),
        }),
      }),
    ),
    [],
  ),
  last_refreshed_datetime: v.optional(v.string()),
  total_pages: v.optional(v.number(), 1),
});

/**
 * The outcome of a charge whose answer was lost (Transaction Search API v1). The list lags behind, and says how far it
 * is complete: only then does a missing charge prove that there is none. Without the permission the outcome stays
 * unknown until a notice arrives.
 */
export async function findLostCharge(deps: PaypalDeps, attempt: PaypalAttempt): Promise<GatewayAnswer> {
  const { askedAt, createdAt } = attempt;
  const from = (askedAt ?? createdAt) - 10 * 60_000;
  const until = from + (askedAt === null ? restoredWithinMs : chargedWithinMs);
  let completeUntil = Infinity;
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const found = await listTransactions(deps, attempt, { from, until, page });
    if (!found || found.total_pages > mostPages) return unknown;
    const charge = found.transaction_details
      .map(({ transaction_info: info }) => info)
      // T00..: payments; a refund has the same custom field
      .find((info) => info.custom_field === attempt.key && info.transaction_event_code.startsWith('T00'));
    if (charge?.transaction_id !== undefined) return readCapture(deps, attempt, charge.transaction_id);
    pages = found.total_pages;
    completeUntil = Math.min(completeUntil, Date.parse(found.last_refreshed_datetime ?? ''));
  }
  return completeUntil >= until && deps.clock() >= until ? failed('paymentFailed') : unknown;
}

async function listTransactions(
  { client, clock, log }: PaypalDeps,
  { key, currency }: PaypalAttempt,
  { from, until, page }: { from: number; until: number; page: number },
): Promise<v.InferOutput<typeof foundSchema> | undefined> {
  const query = new URLSearchParams({
    start_date: new Date(from).toISOString(),
    end_date: new Date(Math.min(until, clock())).toISOString(),
    transaction_currency: currency,
    balance_affecting_records_only: 'N',
    fields: 'transaction_info',
    page_size: String(pageSize),
    page: String(page),
  });
  const answer = await client.call(
    { method: 'GET', path: `/v1/reporting/transactions?${query.toString()}` },
    foundSchema,
  );
  if (answer?.kind === 'done') return answer.body;
  if (answer)
    log.error(
      { attemptId: key, issue: answer.issue },
      'it is unknown whether a renewal was charged, and PayPal refuses to search for it: enable Transaction Search',
    );
  return undefined;
}

/** The payment itself decides: the list may be older. */
async function readCapture(deps: PaypalDeps, attempt: PaypalAttempt, id: string): Promise<GatewayAnswer> {
  const answer = await deps.client.call({ method: 'GET', path: `/v2/payments/captures/${id}` }, captureSchema);
  if (answer?.kind !== 'done') return unknown;
  return answer.body.custom_id === attempt.key ? captured(answer.body, attempt.createdAt + reviewMs) : unknown;
}

const vaultIdSchema = v.pipe(v.string(), v.regex(/^[\w-]{1,255}$/));

/** Deletes a saved account. True if PayPal no longer has it. */
export async function removeAccount({ client }: PaypalDeps, token: string): Promise<boolean> {
  if (!v.is(vaultIdSchema, token)) return true;
  const path = `/v3/vault/payment-tokens/${token}`;
  const answer = await client.call({ method: 'DELETE', path }, v.unknown());
  if (answer?.kind === 'done' || answer?.status === 404) return true;
  // a refusal may mean that it was deleted before
  const known = answer && (await client.call({ method: 'GET', path }, v.unknown()));
  return known?.kind === 'refused' && known.status === 404;
}
