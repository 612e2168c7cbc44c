import { wayBack } from '../../billing/way-back.ts';
import type { AuthorizeRequest, GatewayAnswer, PaymentGateway } from '../gateway.ts';
import { completed, ended, failed, pageOf, unknown, waiting } from './answers.ts';
import { orderBody } from './create-order.ts';
import { isTakenByPaypal } from './currencies.ts';
import { findAttempt, isLive, type PaypalAttempt } from './find-attempt.ts';
import { verifyPaypalNotice } from './notices.ts';
import { goOn, readOrder, type OpenOrder, type PaypalRoom } from './orders.ts';
import { refundCapture } from './refund.ts';
import { orderSchema } from './schemas.ts';

/**
 * PayPal by its Orders API v2: an order is created, its payer approves it at PayPal's page, and the shop captures it when
 * they are back ([Note: PayPal capture]). `webhookId` names the webhook whose notices are believed.
 */
export function paypalGateway(room: PaypalRoom, webhookId: string | undefined): PaymentGateway {
  const { db } = room;
  return {
    takes: (_, currency) => isTakenByPaypal(currency),
    authorize: async (request) => {
      const attempt = await findAttempt(db, request.key);
      if (!attempt) return unknown;
      return (await create(room, attempt, request)).answer;
    },
    inquire: async (key) => {
      const attempt = await findAttempt(db, key);
      if (!attempt) return failed(2003);
      const open = openOrder(attempt);
      return open ? goOn(room, open) : findAgain(room, attempt);
    },
    act: async (key, act) => {
      const attempt = await findAttempt(db, key);
      const open = attempt && openOrder(attempt);
      if (!open || (act.type !== 'finish' && act.type !== 'reopen')) return unknown;
      return goOn(room, open, { isBack: act.type === 'finish' });
    },
    cancel: async (key) => {
      const attempt = await findAttempt(db, key);
      const open = attempt && openOrder(attempt);
      // An order cannot be voided. One whose page nobody was given, and one that is not captured, takes no money.
      if (!open) return attempt?.state === 'SUCCEEDED' ? ended(attempt) : failed(2007);
      const order = await readOrder(room, open.id);
      if (order === undefined) return unknown;
      return order !== 'gone' && order.status === 'COMPLETED' ? completed(open.attempt, order) : failed(2007);
    },
    refund: async (key) => {
      const attempt = await findAttempt(db, key);
      return attempt ? refundCapture(room, attempt) : false;
    },
    // none is ever kept here
    forgetCard: async () => true,
    verifyNotice: (headers, rawBody, now) => verifyPaypalNotice(room, { webhookId, headers, rawBody, now }),
  };
}

function openOrder(attempt: PaypalAttempt): OpenOrder | undefined {
  const { reference } = attempt;
  return reference.type === 'order' ? { attempt, id: reference.id, instrument: reference.instrument } : undefined;
}

/** Creates the order, or finds the one that this key has made already; `isNew` tells which. */
async function create(
  { client, log }: PaypalRoom,
  attempt: PaypalAttempt,
  shop: Pick<AuthorizeRequest, 'merchantName' | 'returnUrl'>,
): Promise<{ answer: GatewayAnswer; isNew: boolean }> {
  const body = orderBody(attempt, shop);
  if (!body) return { answer: failed(-2408), isNew: false };
  const call = { method: 'POST', path: '/v2/checkout/orders', requestId: attempt.key, body } as const;
  const answer = await client.call(call, orderSchema);
  if (!answer) return { answer: unknown, isNew: false };
  if (answer.kind === 'refused') {
    log.warn({ attemptId: attempt.key, issue: answer.issue }, 'PayPal refused to create an order');
    return { answer: failed(badCurrency.has(answer.issue) ? -2408 : 2003), isNew: false };
  }
  const page = pageOf(answer.body);
  if (page === undefined) return { answer: unknown, isNew: false };
  // 201 for a new order, 200 for a repeated request id (Orders API v2, "Create order")
  return { answer: waiting(attempt, { id: answer.body.id, instrument: 1, page }), isNew: answer.status === 201 };
}

const badCurrency = new Set(['INVALID_CURRENCY_CODE', 'CURRENCY_NOT_SUPPORTED', 'DECIMALS_NOT_SUPPORTED']);

/** After so long without an answer a payment is given up whose page nobody was given, in milliseconds. */
const giveUpAfterMs = 10 * 60_000;

/**
 * The answer to "Create order" was lost. The same request again finds the order if there is one, and its payer goes on.
 * If there was none, the payment has ended, and so has the order that asking has just made: nobody has its page, and an
 * attempt that has ended is never captured. That is true without an answer as well, so nobody waits for one for ever.
 */
async function findAgain(room: PaypalRoom, attempt: PaypalAttempt): Promise<GatewayAnswer> {
  const shop = room.catalog.byCode(attempt.brand);
  if (!isLive(attempt)) return ended(attempt);
  if (!shop) return failed(2003);
  // the address of the storefront's own result page; the one that the lost request named is not kept
  const returnUrl = `${shop.origin}/paymentResult/${wayBack(attempt, { gateway: 'paypal' }, attempt.language)}`;
  const { answer, isNew } = await create(room, attempt, { merchantName: shop.name, returnUrl });
  const waitedMs = room.clock() - attempt.createdAt;
  if (isNew || (answer.state === 'unknown' && waitedMs >= giveUpAfterMs)) return failed(2003);
  return answer;
}
