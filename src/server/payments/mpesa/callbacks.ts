import * as v from 'valibot';
import { findAttempt } from '../find-attempt.ts';
import { NoticeRefused, type GatewayAnswer, type GatewayNotice } from '../gateway.ts';
import { readCallbackSecret, type MpesaDeps } from './callback-address.ts';
import { findPush, recordPushResult, recordReversalRequest } from './pushes.ts';
import { endOf, ownFaults, told } from './results.ts';
import { fromMpesa } from './currencies.ts';
import { callbackSchema, paidSchema, reversalResultSchema } from './schemas.ts';

/** The money was returned, now or by an earlier request (Reversals, "Result Codes"). */
const reversed = new Set(['0', 'R000001']);

interface Received {
  readonly rawBody: string;
  /** the last segment of the callback's address */
  readonly secret: string;
  readonly now: number;
}

/**
 * Reads a callback that came to an address made for it (`callbackSecret`). It has no timestamp and may come late, so
 * there is no time window: each address is for one payment, which a repeated callback does not pay twice.
 */
export async function readCallback(deps: MpesaDeps, { rawBody, secret, now }: Received): Promise<GatewayNotice> {
  const known = readCallbackSecret(deps.env, secret);
  if (!known) throw new NoticeRefused('the address was not made here');
  if (known.kind === 'push') return readPush(deps, known.key, rawBody);
  if (known.kind === 'reversal') return readReversal(deps, known.key, { rawBody, now });
  deps.log.warn({ attemptId: known.key }, 'Safaricom has not come to a reversal in time; it is asked for again');
  return { eventId: `timeout ${known.key} ${now}`, key: known.key, kind: 'charge', answer: { state: 'unknown' } };
}

async function readPush(deps: MpesaDeps, key: string, rawBody: string): Promise<GatewayNotice> {
  const { db, log } = deps;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), callbackSchema), rawBody);
  if (!parsed.success) throw new NoticeRefused('the body cannot be read');
  const {
    CheckoutRequestID: checkoutRequestId,
    ResultCode: resultCode,
    CallbackMetadata,
  } = parsed.output.Body.stkCallback;
  const notice = { eventId: `${checkoutRequestId} ${resultCode}`, key, kind: 'charge' } as const;
  const push = await findPush(db, key);
  if (!push) return { ...notice, answer: { state: 'unknown' } };
  if (push.checkoutRequestId !== null && push.checkoutRequestId !== checkoutRequestId)
    throw new NoticeRefused('it speaks of another request');
  if (ownFaults.has(resultCode))
    log.error({ attemptId: key, resultCode }, 'M-Pesa refuses what the shop is set to ask');
  const end = endOf(resultCode);
  if (end.state !== 'succeeded') {
    if (end.state === 'unknown')
      log.warn({ attemptId: key, resultCode }, 'M-Pesa tells a result that is not described');
    else await recordPushResult(db, key, { resultCode, checkoutRequestId });
    return { ...notice, answer: { ...end, providerRef: checkoutRequestId } };
  }
  const items = Object.fromEntries(CallbackMetadata?.Item.map(({ Name, Value }) => [Name, Value]) ?? []);
  const paid = v.safeParse(paidSchema, items);
  if (!paid.success) throw new NoticeRefused('it tells of money and not how much');
  const { MpesaReceiptNumber: receipt, Amount } = paid.output;
  const amount = fromMpesa(Amount);
  const attempt = await findAttempt(db, key);
  if (attempt?.amount === amount) await recordPushResult(db, key, { resultCode, receipt, checkoutRequestId });
  const answer: GatewayAnswer = { state: 'succeeded', amount, currency: 'KES' };
  return { ...notice, answer: told({ ...push, receipt, checkoutRequestId }, answer) };
}

async function readReversal(
  { db, log }: MpesaDeps,
  key: string,
  { rawBody, now }: Pick<Received, 'rawBody' | 'now'>,
): Promise<GatewayNotice> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), reversalResultSchema), rawBody);
  if (!parsed.success) throw new NoticeRefused('the body cannot be read');
  const { ResultCode: resultCode, ConversationID: eventId } = parsed.output.Result;
  const push = await findPush(db, key);
  if (push && reversed.has(resultCode)) {
    await recordReversalRequest(db, key, { reversedAt: push.reversedAt ?? now });
    return { eventId, key, kind: 'refund', stage: 'succeeded', answer: told(push, { state: 'succeeded' }) };
  }
  log.error({ attemptId: key, resultCode }, 'M-Pesa has not reversed a payment; it is asked again');
  return { eventId, key, kind: 'charge', answer: { state: 'unknown' } };
}
