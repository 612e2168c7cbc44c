import {
  type AuthoriseRequest,
  type GatewayAnswer,
  type ReturningGateway,
  type GatewayNotice,
  NoticeRefused,
} from '../gateway.ts';
import type { RefundAnswer, ProviderCheck } from '../terms.ts';
import { returnPath } from '../send-provider-request.ts';
import {
  completed,
  ended,
  failed,
  pageOf,
  unknown,
  waiting,
  findAttempt,
  isLive,
  type PaypalAttempt,
  orderSchema,
  webhookSchema,
  verificationSchema,
} from './answers.ts';
import { isAcceptedByPaypal, paypalUnit } from './currencies.ts';
import { advanceOrder, orderBody, readOrder, type OpenOrder, type PaypalDeps } from './orders.ts';
import { refundCapture, refundPart } from './refunds.ts';
import * as v from 'valibot';
import { noticeWindowMs } from '../notice-signature.ts';
import { eventSchema, readEvent } from './events.ts';
import { openAccountPage, takeAccount } from './account-page.ts';
import { chargeAccount, findLostCharge, notEnabled, openVault, removeAccount, type Vault } from './vault.ts';

/**
 * PayPal with its Orders API v2: an order is created, the payer approves it on PayPal's page, and the server captures
 * it after the return (`advanceOrder`). `webhookId` names the webhook whose notices are accepted.
 */
export function paypalGateway(
  deps: PaypalDeps,
  webhookId: string | undefined,
  onVaultRefused: (brand: string) => void = () => undefined,
): ReturningGateway {
  const { db } = deps;
  const vault = openVault(deps, onVaultRefused);
  const withAttempt = (key: string, act: (attempt: PaypalAttempt) => Promise<RefundAnswer>) =>
    findAttempt(db, key).then((attempt) => (attempt ? act(attempt) : false));
  const advanceKey = async (key: string, { isBack }: { isBack: boolean }) => {
    const attempt = await findAttempt(db, key);
    const open = attempt && openOrder(attempt);
    return open ? advanceOrder(deps, open, { isBack }) : unknown;
  };
  return {
    takes: (_, currency) => isAcceptedByPaypal(currency),
    terms: (_, currency) => {
      const isOpen = vault.isOpen();
      return { unit: paypalUnit(currency), savesAccount: isOpen, accountPage: isOpen };
    },
    authorise: async (request) => {
      const attempt = await findAttempt(db, request.key);
      return attempt ? (await create(deps, attempt, { ...request, vault })).answer : unknown;
    },
    inquire: (key) => inquire(deps, key, vault),
    chargeSaved: (charge) => chargeAccount(deps, charge),
    openCardPage: (request) => openAccountPage(deps, vault, request),
    takeCard: (visit, owner) => takeAccount(deps, visit, owner),
    removeStoredCard: (token) => removeAccount(deps, token),
    confirm: (key) => advanceKey(key, { isBack: true }),
    reopen: (key) => advanceKey(key, { isBack: false }),
    cancel: (key) => cancel(deps, key),
    refund: (key) => withAttempt(key, (attempt) => refundCapture(deps, attempt)),
    refundPart: (part) => withAttempt(part.key, (attempt) => refundPart(deps, attempt, part)),
    check: () => checkAccount(deps, webhookId),
    isNoticeVerifiedByCall: true,
    verifyNotice: (headers, rawBody, now) => verifyPaypalNotice(deps, { webhookId, headers, rawBody, now }),
  };
}

async function inquire(deps: PaypalDeps, key: string, vault: Vault): Promise<GatewayAnswer> {
  const attempt = await findAttempt(deps.db, key);
  if (!attempt) return failed('paymentFailed');
  const open = openOrder(attempt);
  if (open) return advanceOrder(deps, open);
  if (!attempt.isRenewal) return createAgain(deps, attempt, vault);
  return isLive(attempt) ? findLostCharge(deps, attempt) : ended(attempt);
}

async function cancel(deps: PaypalDeps, key: string): Promise<GatewayAnswer> {
  const attempt = await findAttempt(deps.db, key);
  const open = attempt && openOrder(attempt);
  if (attempt?.isRenewal && !open && isLive(attempt)) return findLostCharge(deps, attempt);
  // An order cannot be voided. It takes no money if its page was never shown, or if it is not captured.
  if (!open) return attempt?.state === 'SUCCEEDED' ? ended(attempt) : failed('paymentCancelled');
  const order = await readOrder(deps, open.id);
  if (order === undefined) return unknown;
  const isPaid = order !== 'gone' && order.status === 'COMPLETED';
  return isPaid ? completed(open.attempt, order) : failed('paymentCancelled');
}

/** A token shows whether PayPal knows the client; the webhook's record shows whether notices will be accepted. */
async function checkAccount({ client }: PaypalDeps, webhookId: string | undefined): Promise<ProviderCheck> {
  const known = await client.authenticate();
  if (known === 'unknown')
    return {
      isReachable: false,
      says: 'PayPal rejects PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET in this PAYPAL_ENVIRONMENT',
    };
  if (known === 'silent') return { isReachable: false, says: 'PayPal does not answer' };
  if (webhookId === undefined)
    return {
      isReachable: false,
      says: 'PayPal knows this client; PAYPAL_WEBHOOK_ID is not set, so all its webhooks are rejected',
    };
  // Webhooks Management API v1, "Show webhook details"
  const webhook = await client.call({ method: 'GET', path: `/v1/notifications/webhooks/${webhookId}` }, webhookSchema);
  if (webhook?.kind === 'done')
    return { isReachable: true, says: `PayPal knows this client, and sends notices to ${webhook.body.url}` };
  return { isReachable: false, says: 'PayPal accepts the client, but has no webhook PAYPAL_WEBHOOK_ID' };
}

function openOrder(attempt: PaypalAttempt): OpenOrder | undefined {
  const { reference } = attempt;
  return reference.type === 'order' ? { attempt, id: reference.id, instrument: reference.instrument } : undefined;
}

interface OrderShop extends Pick<AuthoriseRequest, 'merchantName' | 'returnUrl'> {
  readonly vault: Vault;
}

/**
 * Creates the order, or finds the one that this key has created already; `isNew` tells which. If PayPal saves no
 * accounts for this shop, it has created no order, and the payment is made without saving, under an ID of its own.
 */
async function create(
  deps: PaypalDeps,
  attempt: PaypalAttempt,
  shop: OrderShop,
  saves = attempt.saves,
): Promise<{ answer: GatewayAnswer; isNew: boolean }> {
  const { client, log } = deps;
  const body = orderBody(attempt, shop, saves);
  if (!body) return { answer: failed('currencyUnsupported'), isNew: false };
  const requestId = saves === attempt.saves ? attempt.key : `${attempt.key}-unsaved`;
  const answer = await client.call({ method: 'POST', path: '/v2/checkout/orders', requestId, body }, orderSchema);
  if (!answer) return { answer: unknown, isNew: false };
  if (answer.kind === 'refused' && answer.issue === notEnabled && saves) {
    shop.vault.refuse(attempt.brand);
    return create(deps, attempt, shop, false);
  }
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
 * Without such an order the payment has failed, and the order just created is never paid: its page was not shown, and an
 * ended attempt is never captured. That holds without a response as well, so the wait is limited.
 */
async function createAgain(deps: PaypalDeps, attempt: PaypalAttempt, vault: Vault): Promise<GatewayAnswer> {
  const shop = deps.catalog.byCode(attempt.brand);
  if (!isLive(attempt)) return ended(attempt);
  if (!shop) return failed('paymentFailed');
  // the address of the result page; the one in the lost request is not stored
  const returnUrl = `${shop.origin}/paymentResult/${returnPath(attempt, { gateway: 'paypal' }, attempt.language)}`;
  const { answer, isNew } = await create(deps, attempt, { merchantName: shop.name, returnUrl, vault });
  const waitedMs = deps.clock() - attempt.createdAt;
  if (isNew || (answer.state === 'unknown' && waitedMs >= giveUpAfterMs)) return failed('paymentFailed');
  return answer;
}

/**
 * The headers of a notice (developer.paypal.com, "Integrate webhooks"), by their field names in the verification call.
 */
export const transmissionHeaders = {
  auth_algo: 'paypal-auth-algo',
  cert_url: 'paypal-cert-url',
  transmission_id: 'paypal-transmission-id',
  transmission_sig: 'paypal-transmission-sig',
  transmission_time: 'paypal-transmission-time',
} as const;

interface Received {
  readonly webhookId: string | undefined;
  readonly headers: Headers;
  readonly rawBody: string;
  /** epoch milliseconds */
  readonly now: number;
}

/**
 * Verifies a notice with PayPal ("Verify webhook signature", Webhooks API v1) and reads it. The signature covers the
 * exact bytes, so the body is sent to PayPal unchanged. Throws `NoticeRefused`; PayPal then sends it again.
 */
async function verifyPaypalNotice(deps: PaypalDeps, received: Received): Promise<GatewayNotice> {
  const { webhookId, headers, rawBody, now } = received;
  if (webhookId === undefined) throw new NoticeRefused('no webhook id is configured');
  const event = v.safeParse(v.pipe(v.string(), v.parseJson(), eventSchema), rawBody);
  if (!event.success) throw new NoticeRefused('the body cannot be read');
  const transmission = Object.fromEntries(
    Object.entries(transmissionHeaders).map(([field, header]) => [field, headers.get(header) ?? '']),
  );
  const sentAt = Date.parse(transmission.transmission_time ?? '');
  if (!(Math.abs(now - sentAt) <= noticeWindowMs)) throw new NoticeRefused('the time does not fit');
  const question = JSON.stringify({ ...transmission, webhook_id: webhookId });
  const answer = await deps.client.call(
    {
      method: 'POST',
      path: '/v1/notifications/verify-webhook-signature',
      body: `${question.slice(0, -1)},"webhook_event":${rawBody}}`,
    },
    verificationSchema,
  );
  if (!answer) throw new NoticeRefused('PayPal could not verify the webhook');
  const isOwn = answer.kind === 'done' && answer.body.verification_status === 'SUCCESS';
  if (!isOwn) throw new NoticeRefused('PayPal did not send this webhook');
  return readEvent(deps, event.output, now);
}
