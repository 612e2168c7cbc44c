import { createHash, createHmac } from 'node:crypto';
import type { InferOutput } from 'valibot';
import type { pay, repay } from '../../contract/billing.ts';

export type PayBody = InferOutput<typeof pay.body>;
export type RepayBody = InferOutput<typeof repay.body>;

/**
 * What a key stands for: the same purchase, paid the same way, by the same person. The quote and the return address are
 * left out, because a reload asks for a new quote of the same price. The card's number counts as an HMAC under this
 * installation's secret, so that another card is another request and the stored hash leads back to none; its code does
 * not count at all.
 */
export function requestHash(secret: string, call: 'pay' | 'repay', body: PayBody | RepayBody): string {
  const { card, payer } = body;
  const cardMark = card && [
    createHmac('sha256', secret).update(card.number).digest('hex'),
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
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
