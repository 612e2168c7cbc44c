import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { isErrorCode, type ErrorCode } from '../../../contract/error-codes.ts';
import type { Env } from '../../env.ts';
import { chargeOfKey, openCharge, refundCharge, type Bank, type Charge } from '../../sandbox/bank.ts';
import {
  NoticeRefused,
  type AuthorizeRequest,
  type GatewayAnswer,
  type GatewayNotice,
  type PaymentGateway,
} from '../gateway.ts';
import { isSignedNotice } from '../notice-signature.ts';
import { cardCharge, pixCharge } from './new-charge.ts';

export const timestampHeader = 'x-sandbox-timestamp';
export const signatureHeader = 'x-sandbox-signature';

/** The secret that the sandbox bank shares with this shop. */
export function noticeSecret(env: Pick<Env, 'SIGNING_SECRET'>): string {
  return createHmac('sha256', env.SIGNING_SECRET).update('sandbox notices').digest('hex');
}

/** The adapter of the sandbox bank. */
export function sandboxGateway(bank: Bank, secret: string): PaymentGateway {
  return {
    authorize: (request) => authorize(bank, request),
    inquire: async (key) => answerOf((await chargeOfKey(bank, key)) ?? (await closeKey(bank, key))),
    refund: (key) => refundCharge(bank, key),
    verifyNotice: (headers, body, now) => {
      const timestamp = headers.get(timestampHeader);
      if (!isSignedNotice(secret, { timestamp, signature: headers.get(signatureHeader), body }, now)) {
        throw new NoticeRefused('the signature or its time does not fit');
      }
      return readNotice(body);
    },
  };
}

/**
 * First names that switch faults on: OUTAGE is a wire that is cut before the bank has heard, LOSTANSWER one that is cut
 * after it has charged.
 */
async function authorize(bank: Bank, request: AuthorizeRequest): Promise<GatewayAnswer> {
  const name = request.payer.firstName ?? request.card?.holderFirstName;
  if (name === 'OUTAGE') return { state: 'unknown' };
  const isPix = request.methodCode === 'pix';
  if (!isPix && !request.card) return { state: 'failed', failureCode: -2400 };
  const { charge, notices } = isPix ? pixCharge(bank, request) : cardCharge(bank, request);
  const answer = answerOf(await openCharge(bank, charge, notices));
  return name === 'LOSTANSWER' ? { state: 'unknown' } : answer;
}

/** Asking about a key that was never seen ends it, so that a request still under way cannot charge it afterwards. */
function closeKey(bank: Bank, key: string): Promise<Charge> {
  const now = bank.clock();
  return openCharge(bank, {
    key,
    kind: 'card',
    brand: '',
    amount: 0,
    currency: '',
    status: 'declined',
    declineCode: 2003,
    afterChallenge: null,
    publicId: bank.random.token(16),
    payload: null,
    returnUrl: '',
    createdAt: now,
    expiresAt: null,
    paidAt: null,
  });
}

function answerOf(charge: Charge): GatewayAnswer {
  const { amount, currency, publicId: providerRef, expiresAt } = charge;
  const money = { amount, currency };
  switch (charge.status) {
    case 'paid':
    case 'refunded':
      return { state: 'succeeded', providerRef, ...money };
    case 'declined':
      return { state: 'failed', providerRef, failureCode: codeOf(charge.declineCode) };
    case 'expired':
      return { state: 'expired', providerRef };
    case 'challenge':
    case 'waiting':
      return { state: 'pending', providerRef, ...money, expiresAt: expiresAt ?? undefined, next: nextOf(charge) };
  }
}

function nextOf({ kind, publicId, payload, amount, currency, expiresAt, returnUrl }: Charge): GatewayAnswer['next'] {
  const page = new URL(`/sandbox/bank/${kind === 'pix' ? 'pix' : 'challenge'}/${publicId}`, returnUrl).href;
  if (kind === 'card') return { type: 'redirect', url: page, ...(expiresAt !== null && { expiresAt }) };
  return { type: 'qr', payload: payload ?? '', amount: { amount, currency }, expiresAt: expiresAt ?? 0, bankUrl: page };
}

function codeOf(code: number | null): ErrorCode {
  return code !== null && isErrorCode(code) ? code : 2003;
}

const noticeSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^evt_[\w-]{8,64}$/)),
  event: v.picklist(['charge', 'chargeback']),
  key: v.pipe(v.string(), v.uuid()),
  status: v.picklist(['paid', 'declined', 'expired', 'refunded']),
  amount: v.pipe(v.number(), v.safeInteger()),
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
  declineCode: v.nullable(v.number()),
  publicId: v.string(),
});

function readNotice(body: string): GatewayNotice {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), noticeSchema), body);
  if (!parsed.success) throw new NoticeRefused('the body cannot be read');
  const { id: eventId, event: kind, key, status, amount, currency, declineCode, publicId: providerRef } = parsed.output;
  const states = { paid: 'succeeded', refunded: 'succeeded', declined: 'failed', expired: 'expired' } as const;
  const failure = status === 'declined' && { failureCode: codeOf(declineCode) };
  return { eventId, key, kind, answer: { state: states[status], providerRef, amount, currency, ...failure } };
}
