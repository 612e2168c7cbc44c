import { createHash, createHmac } from 'node:crypto';
import type { InferOutput } from 'valibot';
import type { pay, repay } from '#contract/billing.ts';
import type { Env } from '#server/env.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';

export type PayBody = InferOutput<typeof pay.body>;
export type RepayBody = InferOutput<typeof repay.body>;

/** What an idempotency key stands for. */
export interface RequestMark {
  /** stored with the attempt: HMAC, base64url */
  readonly hash: string;
  /** the SHA-256 that versions before stored, hex; compared for a key that was spent before an update */
  readonly former: string;
}

/**
 * What a key stands for: the same purchase, paid the same way, by the same person. The quote and the return address are
 * left out, because a reload requests a new quote of the same price; so is the card's security code. The hash has a key
 * that the database does not contain, so that nobody finds a name, a document or a card by trying all of them.
 */
export function requestMark(env: Env, call: 'pay' | 'repay', body: PayBody | RepayBody): RequestMark {
  const { card, payer } = body;
  const cardMark = card && [
    createHmac('sha256', env.SIGNING_SECRET).update(card.number).digest('hex'),
    card.expiry,
    card.holderFirstName,
    card.holderLastName,
  ];
  const facts = [
    call,
    'orderId' in body ? body.orderId : null,
    body.planId,
    body.methodCode,
    body.currency,
    body.installments,
    body.discountCode ?? null,
    body.cardId ?? null,
    cardMark ?? null,
    // payerSchema writes its keys in its own order, whatever the order was on the wire
    payer,
    // a key that was spent before there was this choice stays the same request
    ...(body.renew === true ? ['renew'] : []),
    ...(body.saveCard === true ? ['saveCard'] : []),
  ];
  const text = JSON.stringify(facts);
  return {
    hash: createHmac('sha256', derivedKey(env, 'payment request')).update(text).digest('base64url'),
    former: createHash('sha256').update(text).digest('hex'),
  };
}

/** Whether a stored hash is of this request. One that was cleared ([Note: Idempotency]) is no longer compared. */
export function isSameRequest(stored: string, { hash, former }: RequestMark): boolean {
  return stored === '' || stored === hash || stored === former;
}
