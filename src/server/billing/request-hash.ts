import { createHash, createHmac } from 'node:crypto';
import type { InferOutput } from 'valibot';
import type { pay, repay } from '#contract/billing.ts';
import { allSecrets, derivedKey, type SecretsEnv } from '#server/runtime/signing-secret.ts';

export type PayBody = InferOutput<typeof pay.body>;
export type RepayBody = InferOutput<typeof repay.body>;

/** The hashes of the request that an idempotency key belongs to. */
export interface RequestFingerprint {
  /** stored with the attempt: HMAC, base64url */
  readonly hash: string;
  /** compared for keys that were consumed before a change of the secret; in hex as earlier versions stored it */
  readonly former: readonly string[];
}

/**
 * Hashes a purchase: the same purchase, method and payer give the same hash. The quote and return address are left out,
 * because a reload requests a new quote of the same price; so is the card's security code. The hash uses a secret that
 * is not in the database, so that names, documents and cards cannot be found by trying them.
 */
export function fingerprintRequest(
  env: SecretsEnv,
  call: 'pay' | 'repay',
  body: PayBody | RepayBody,
): RequestFingerprint {
  const hashOf = (secret: Secret) =>
    createHmac('sha256', derivedKey(secret, 'payment request'))
      .update(textOf(secret, call, body))
      .digest('base64url');
  const [, ...before] = allSecrets(env);
  const inHex = createHash('sha256')
    .update(textOf(env, call, body))
    .digest('hex');
  return { hash: hashOf(env), former: [inHex, ...before.map(hashOf)] };
}

type Secret = Pick<SecretsEnv, 'SIGNING_SECRET'>;

function textOf({ SIGNING_SECRET }: Secret, call: 'pay' | 'repay', body: PayBody | RepayBody): string {
  const { card, payer } = body;
  const cardMark = card && [
    createHmac('sha256', SIGNING_SECRET).update(card.number).digest('hex'),
    card.expiry,
    card.holderFirstName,
    card.holderLastName,
  ];
  return JSON.stringify([
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
  ]);
}

/** Whether a stored hash is of this request. A cleared hash ([Note: Idempotency]) matches every request. */
export function isSameRequest(stored: string, { hash, former }: RequestFingerprint): boolean {
  return stored === '' || stored === hash || former.includes(stored);
}
