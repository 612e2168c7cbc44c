import type { AuthoriseRequest, GatewayAnswer, ProviderCheck, ReturningGateway } from '../gateway.ts';
import type { RefundAnswer } from '../terms.ts';
import { returnPath } from '../return-path.ts';
import { completed, ended, failed, pageOf, unknown, waiting } from './answers.ts';
import { orderBody } from './create-order.ts';
import { isAcceptedByPaypal, unitAtPaypal } from './currencies.ts';
import { findAttempt, isLive, type PaypalAttempt } from './find-attempt.ts';
import { verifyPaypalNotice } from './notices.ts';
import { advanceOrder, type OpenOrder, type PaypalDeps, readOrder } from './orders.ts';
import { refundCapture, refundPart } from './refunds.ts';
import { orderSchema, webhookSchema } from './schemas.ts';

/**
 * PayPal with its Orders API v2: an order is created, the payer approves it on PayPal's page, and the server captures
 * it after the return (`advanceOrder`). `webhookId` names the webhook whose notices are accepted.
 */
export function paypalGateway(deps: PaypalDeps, webhookId: string | undefined): ReturningGateway {
  const { db } = deps;
  const withAttempt = (key: string, act: (attempt: PaypalAttempt) => Promise<RefundAnswer>) =>
    findAttempt(db, key).then((attempt) => (attempt ? act(attempt) : false));
  const advanceKey = async (key: string, { isBack }: { isBack: boolean }) => {
    const attempt = await findAttempt(db, key);
    const open = attempt && openOrder(attempt);
    return open ? advanceOrder(deps, open, { isBack }) : unknown;
  };
  return {
    takes: (_, currency) => isAcceptedByPaypal(currency),
    terms: (_, currency) => ({ unit: unitAtPaypal(currency) }),
    authorise: async (request) => {
      const attempt = await findAttempt(db, request.key);
      return attempt ? (await create(deps, attempt, request)).answer : unknown;
    },
    inquire: async (key) => {
      const attempt = await findAttempt(db, key);
      if (!attempt) return failed('paymentFailed');
      const open = openOrder(attempt);
      return open ? advanceOrder(deps, open) : createAgain(deps, attempt);
    },
    confirm: (key) => advanceKey(key, { isBack: true }),
    reopen: (key) => advanceKey(key, { isBack: false }),
    cancel: async (key) => {
      const attempt = await findAttempt(db, key);
      const open = attempt && openOrder(attempt);
      // An order cannot be voided. It takes no money if its page was never shown, or if it is not captured.
      if (!open) return attempt?.state === 'SUCCEEDED' ? ended(attempt) : failed('paymentCancelled');
      const order = await readOrder(deps, open.id);
      if (order === undefined) return unknown;
      const isPaid = order !== 'gone' && order.status === 'COMPLETED';
      return isPaid ? completed(open.attempt, order) : failed('paymentCancelled');
    },
    refund: (key) => withAttempt(key, (attempt) => refundCapture(deps, attempt)),
    refundPart: (part) => withAttempt(part.key, (attempt) => refundPart(deps, attempt, part)),
    check: () => checkAccount(deps, webhookId),
    isNoticeVerifiedByCall: true,
    verifyNotice: (headers, rawBody, now) => verifyPaypalNotice(deps, { webhookId, headers, rawBody, now }),
  };
}

/** A token shows whether PayPal knows the client; the webhook's record shows whether notices will be accepted. */
async function checkAccount({ client }: PaypalDeps, webhookId: string | undefined): Promise<ProviderCheck> {
  const known = await client.introduce();
  if (known === 'unknown')
    return {
      works: false,
      says: 'PayPal does not know PAYPAL_CLIENT_ID with this PAYPAL_CLIENT_SECRET, in this PAYPAL_ENVIRONMENT',
    };
  if (known === 'silent') return { works: false, says: 'PayPal does not answer' };
  if (webhookId === undefined)
    return {
      works: false,
      says: 'PayPal knows this client; PAYPAL_WEBHOOK_ID is not set, so every notice of its is refused',
    };
  // Webhooks Management API v1, "Show webhook details"
  const webhook = await client.call({ method: 'GET', path: `/v1/notifications/webhooks/${webhookId}` }, webhookSchema);
  if (webhook?.kind === 'done')
    return { works: true, says: `PayPal knows this client, and sends notices to ${webhook.body.url}` };
  return { works: false, says: 'PayPal knows this client, and not the webhook that PAYPAL_WEBHOOK_ID names' };
}

function openOrder(attempt: PaypalAttempt): OpenOrder | undefined {
  const { reference } = attempt;
  return reference.type === 'order' ? { attempt, id: reference.id, instrument: reference.instrument } : undefined;
}

/** Creates the order, or finds the one that this key has created already; `isNew` tells which. */
async function create(
  { client, log }: PaypalDeps,
  attempt: PaypalAttempt,
  shop: Pick<AuthoriseRequest, 'merchantName' | 'returnUrl'>,
): Promise<{ answer: GatewayAnswer; isNew: boolean }> {
  const body = orderBody(attempt, shop);
  if (!body) return { answer: failed('currencyUnsupported'), isNew: false };
  const call = { method: 'POST', path: '/v2/checkout/orders', requestId: attempt.key, body } as const;
  const answer = await client.call(call, orderSchema);
  if (!answer) return { answer: unknown, isNew: false };
  if (answer.kind === 'refused') {
    log.warn({ attemptId: attempt.key, issue: answer.issue }, 'PayPal refused to create an order');
    return { answer: failed(badCurrency.has(answer.issue) ? 'currencyUnsupported' : 'paymentFailed'), isNew: false };
  }
  const page = pageOf(answer.body);
  if (page === undefined) return { answer: unknown, isNew: false };
  // 201 for a new order, 200 for a repeated request id (Orders API v2, "Create order")
  return { answer: waiting(attempt, { id: answer.body.id, instrument: 1, page }), isNew: answer.status === 201 };
}

const badCurrency = new Set(['INVALID_CURRENCY_CODE', 'CURRENCY_NOT_SUPPORTED', 'DECIMALS_NOT_SUPPORTED']);

/** After this many milliseconds without a response, a payment whose page was never shown is cancelled. */
const giveUpAfterMs = 10 * 60_000;

/**
 * The response to "Create order" was lost. The same request finds the order if there is one, and the payer continues.
 * If there was none, the payment has failed, and the order just created is never paid: its page was not shown, and an
 * ended attempt is never captured. That holds without a response as well, so the wait is limited.
 */
async function createAgain(deps: PaypalDeps, attempt: PaypalAttempt): Promise<GatewayAnswer> {
  const shop = deps.catalog.byCode(attempt.brand);
  if (!isLive(attempt)) return ended(attempt);
  if (!shop) return failed('paymentFailed');
  // the address of the result page; the one in the lost request is not stored
  const returnUrl = `${shop.origin}/paymentResult/${returnPath(attempt, { gateway: 'paypal' }, attempt.language)}`;
  const { answer, isNew } = await create(deps, attempt, { merchantName: shop.name, returnUrl });
  const waitedMs = deps.clock() - attempt.createdAt;
  if (isNew || (answer.state === 'unknown' && waitedMs >= giveUpAfterMs)) return failed('paymentFailed');
  return answer;
}
