import { outcomeOfEndedAttempt, findAttempt, isLive, type GatewayAttempt } from '../send-provider-request.ts';
import type { AuthoriseRequest, GatewayAnswer, PaymentGateway } from '../gateway.ts';
import {
  readCallback,
  answerOfResult,
  configurationErrors,
  refusedPush,
  withProviderRef,
  isAcceptedByMpesa,
  mpesaLimits,
  toMpesa,
  callbackSecret,
  callbackUrl,
  type MpesaDeps,
} from './callbacks.ts';
import { darajaClient, proofOf, pushSchema, querySchema, acceptedSchema, type MpesaAccount } from './client.ts';
import { findPush, recordCheckout, recordPushResult, openPush, recordReversalRequest, type Push } from './pushes.ts';
import { eq } from 'drizzle-orm';
import { attempts } from '#server/db/schema/attempts.ts';
import type { RefundAnswer, ProviderCheck } from '../terms.ts';

const unknown: GatewayAnswer = { state: 'unknown' };

/** M-Pesa by Safaricom's Daraja: a prompt on the payer's phone (M-Pesa Express, `openPush`). */
export function mpesaGateway(account: MpesaAccount, base: Omit<MpesaDeps, 'account' | 'client'>): PaymentGateway {
  const deps: MpesaDeps = { ...base, account, client: darajaClient(account, base) };
  const inquire = async (key: string): Promise<GatewayAnswer> => {
    const attempt = await findAttempt(base.db, key);
    return attempt ? inquireOf(deps, attempt) : { state: 'failed', failure: 'paymentFailed' };
  };
  return {
    takes: (_method, currency) => isAcceptedByMpesa(currency),
    terms: () => mpesaLimits,
    authorise: (request) => authorise(deps, request),
    inquire,
    // Daraja cannot withdraw a prompt: it ends by itself and reports the result
    cancel: inquire,
    // No `refundPart`: a reversal names the amount of the transaction, and a second one is refused as "already
    // reversed".
    refund: async (key) => {
      const attempt = await findAttempt(base.db, key);
      return attempt ? reverse(deps, attempt) : false;
    },
    check: () => check(deps),
    verifyNotice: (_headers, rawBody, now, secret) => readCallback(deps, { rawBody, secret: secret ?? '', now }),
  };
}

/** How long the storefront shows the prompt as open, in milliseconds. M-Pesa ends it sooner and reports it. */
const shownMs = 2 * 60_000;
/**
 * How long to wait for a push whose response was lost, in milliseconds: its callback comes within minutes, or never.
 */
const lostAfterMs = 5 * 60_000;
/** After this time a push that Daraja cannot report on is no longer inquired about. */
const forgottenAfterMs = 60 * 60_000;

async function authorise(deps: MpesaDeps, request: AuthoriseRequest): Promise<GatewayAnswer> {
  const { db, clock, account, client, log } = deps;
  const { key, amount, currency } = request;
  const phone = `${request.diallingCode ?? ''}${(request.payer.phone ?? '').replace(/\D/g, '')}`;
  const shillings = toMpesa(request);
  if (shillings === undefined) return { state: 'failed', failure: 'currencyUnsupported' };
  if (!/^254[17]\d{8}$/.test(phone)) return { state: 'failed', failure: 'paymentFailed' };
  const now = clock();
  if (!(await openPush(db, key, now))) {
    const attempt = await findAttempt(db, key);
    return attempt ? inquireOf(deps, attempt) : unknown;
  }
  const answer = await client.call(
    '/mpesa/stkpush/v1/processrequest',
    pushBody(deps, request, { phone, shillings }),
    pushSchema,
  );
  if (answer?.kind === 'done' && answer.body.ResponseCode === '0') {
    await recordCheckout(db, key, answer.body.CheckoutRequestID);
    const expiresAt = now + shownMs;
    const next = { type: 'push', phone: masked(phone), amount: { amount, currency }, expiresAt } as const;
    return { state: 'pending', providerRef: answer.body.CheckoutRequestID, next, expiresAt };
  }
  const refused = answer?.kind === 'refused' ? refusedPush(answer.errorCode, answer.errorMessage) : undefined;
  const errorCode = answer?.kind === 'refused' ? answer.errorCode : undefined;
  log.warn({ attemptId: key, errorCode, shortCode: account.shortCode }, 'Daraja did not accept a push');
  if (refused === undefined) return unknown;
  await recordPushResult(db, key, { resultCode: refused === 'tooFrequent' ? '1001' : 'closed' });
  return { state: 'failed', failure: refused };
}

function pushBody(
  deps: MpesaDeps,
  { key, brand, merchantName, orderLabel }: AuthoriseRequest,
  { phone, shillings }: { readonly phone: string; readonly shillings: number },
) {
  const { account, clock } = deps;
  const { till, shortCode } = account;
  return {
    ...proofOf(account, clock()),
    TransactionType: till === undefined ? 'CustomerPayBillOnline' : 'CustomerBuyGoodsOnline',
    Amount: shillings,
    PartyA: Number(phone),
    PartyB: Number(till ?? shortCode),
    PhoneNumber: Number(phone),
    CallBackURL: callbackUrl(deps, brand, callbackSecret(deps.env, 'push', key)),
    // what the payer reads in the prompt and in their statement
    AccountReference: orderLabel.slice(-12),
    TransactionDesc:
      merchantName
        .replace(/[^A-Za-z0-9 ]/g, '')
        .slice(0, 13)
        .trim() || 'Order',
  };
}

/** `+254 •••••••78`: enough to recognise the phone. */
function masked(phone: string): string {
  return `+${phone.slice(0, 3)} ${'•'.repeat(phone.length - 5)}${phone.slice(-2)}`;
}

async function inquireOf(deps: MpesaDeps, attempt: GatewayAttempt): Promise<GatewayAnswer> {
  const { db, clock } = deps;
  const now = clock();
  await openPush(db, attempt.id, now, 'closed');
  const push = await findPush(db, attempt.id);
  if (!push) return unknown;
  if (push.resultCode !== null) return withProviderRef(push, answerOfResult(push.resultCode));
  if (push.checkoutRequestId !== null)
    return query(deps, attempt, { ...push, checkoutRequestId: push.checkoutRequestId });
  return now - push.createdAt < lostAfterMs ? unknown : lost(deps, attempt);
}

/** The push cannot be looked up: Daraja finds it by its own ID only, which the server never received. */
function lost({ log }: MpesaDeps, attempt: GatewayAttempt): GatewayAnswer {
  if (!isLive(attempt)) return outcomeOfEndedAttempt(attempt);
  log.error(
    { attemptId: attempt.id },
    'nothing was heard of a push; look for its order in the statement of the short code',
  );
  return { state: 'expired' };
}

async function query(
  deps: MpesaDeps,
  attempt: GatewayAttempt,
  push: Push & { checkoutRequestId: string },
): Promise<GatewayAnswer> {
  const { account, client, clock, db, log } = deps;
  const body = { ...proofOf(account, clock()), CheckoutRequestID: push.checkoutRequestId };
  const answer = await client.call('/mpesa/stkpushquery/v1/query', body, querySchema);
  if (answer?.kind === 'done') {
    const { ResultCode: resultCode } = answer.body;
    const end = answerOfResult(resultCode);
    if (configurationErrors.has(resultCode))
      log.error({ attemptId: push.key, resultCode }, "M-Pesa rejects the request because of the shop's configuration");
    if (end.state === 'unknown')
      log.warn({ attemptId: push.key, resultCode }, 'M-Pesa returned an undocumented result');
    else await recordPushResult(db, push.key, { resultCode });
    if (end.state !== 'unknown') return withProviderRef(push, end);
  }
  // "The transaction is being processed" has the code of a refusal (safaricom/LNMOnlineAndroidSample, issue 13)
  const isOpen = answer?.kind === 'refused' && /being processed/i.test(answer.errorMessage);
  if (isOpen) return { state: 'pending', providerRef: push.checkoutRequestId };
  return clock() - push.createdAt < forgottenAfterMs ? unknown : lost(deps, attempt);
}

async function check({ account, client }: MpesaDeps): Promise<ProviderCheck> {
  const isIn = await client.signIn();
  if (isIn === undefined) return { isReachable: false, says: `no Daraja API answers at ${account.base}` };
  if (!isIn)
    return { isReachable: false, says: `${account.base} does not know MPESA_CONSUMER_KEY and MPESA_CONSUMER_SECRET` };
  const back = account.initiator ? '' : '; without MPESA_INITIATOR refunds are sent by hand';
  return { isReachable: true, says: `${account.base} knows the app of the short code ${account.shortCode}${back}` };
}

/** How long a delayed callback may still arrive, in milliseconds. */
const callbackWithinMs = 24 * 60 * 60_000;

/**
 * Requests that M-Pesa reverses a payment (Reversals). The call only queues the request and a callback reports the
 * result, so this returns true once that has arrived; until then the job repeats it. M-Pesa reverses a payment once: a
 * second request ends with R000001, "already reversed".
 *
 * Without the API user for reversals, or without the receipt that only a callback contains, an operator reverses it in
 * the portal of the short code.
 */
async function reverse(deps: MpesaDeps, attempt: GatewayAttempt): Promise<RefundAnswer> {
  const { db, clock, account, client, log } = deps;
  const { id: key } = attempt;
  const push = await findPush(db, key);
  if (!push) return false;
  if (push.reversedAt !== null) return true;
  const { initiator, shortCode } = account;
  if (!initiator)
    return { permanentFailure: 'MPESA_INITIATOR is not set, so reverse it in the portal of the short code' };
  // its callback may still arrive with the receipt
  if (push.receipt === null && clock() - attempt.createdAt < callbackWithinMs) return false;
  if (push.receipt === null)
    return {
      permanentFailure:
        'its receipt was never told, so look for it in the statement of the short code and reverse it there',
    };
  const [row] = await db.select({ brand: attempts.brand }).from(attempts).where(eq(attempts.id, key));
  const brand = row?.brand ?? '';
  await recordReversalRequest(db, key, { reversalAskedAt: clock() });
  const body = {
    Initiator: initiator.name,
    SecurityCredential: initiator.securityCredential,
    CommandID: 'TransactionReversal',
    TransactionID: push.receipt,
    Amount: toMpesa(attempt),
    ReceiverParty: Number(shortCode),
    // the misspelling is the API's
    RecieverIdentifierType: '11',
    ResultURL: callbackUrl(deps, brand, callbackSecret(deps.env, 'reversal', key)),
    QueueTimeOutURL: callbackUrl(deps, brand, callbackSecret(deps.env, 'timeout', key)),
    Remarks: 'Paid twice',
  };
  const answer = await client.call('/mpesa/reversal/v1/request', body, acceptedSchema);
  const isTaken = answer?.kind === 'done' && answer.body.ResponseCode === '0';
  if (!isTaken)
    log.warn(
      { attemptId: key, errorCode: answer?.kind === 'refused' ? answer.errorCode : undefined },
      'Daraja has not taken a reversal',
    );
  return false;
}
