import { createHash, createHmac } from 'node:crypto';
import type { InferOutput } from 'valibot';
import type { pay, repay } from '#contract/billing.ts';
import type { Env } from '#server/env.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';

export type PayBody = InferOutput<typeof pay.body>;
export type RepayBody = InferOutput<typeof repay.body>;

/** The hashes of the request that an idempotency key belongs to. */
export interface RequestFingerprint {
  /** stored with the attempt: HMAC, base64url */
  readonly hash: string;
  /** SHA-256 in hex, as earlier versions stored it; compared for keys that were consumed before an update */
  readonly former: string;
}

/**
 * Hashes a purchase: the same purchase, method and payer give the same hash. The quote and return address are left out,
 * because a reload requests a new quote of the same price; so is the card's security code. The hash uses a secret that
 * is not in the database, so that names, documents and cards cannot be found by trying them.
 */
export function fingerprintRequest(env: Env, call: 'pay' | 'repay', body: PayBody | RepayBody): RequestFingerprint {
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
    // payerSchema writes its keys in a fixed order, whatever the order of the request
    payer,
    // added only if true, so that keys from versions without this choice still match
    ...(body.renew === true ? ['renew'] : []),
    ...(body.saveCard === true ? ['saveCard'] : []),
  ];
  const text = JSON.stringify(facts);
  return {
    hash: createHmac('sha256', derivedKey(env, 'payment request')).update(text).digest('base64url'),
    former: createHash('sha256').update(text).digest('hex'),
  };
}

/** Whether a stored hash is of this request. A cleared hash ([Note: Idempotency]) matches every request. */
export function isSameRequest(stored: string, { hash, former }: RequestFingerprint): boolean {
  return stored === '' || stored === hash || stored === former;
}
