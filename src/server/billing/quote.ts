import { createHmac, timingSafeEqual } from 'node:crypto';

/** How long a valued price holds, in milliseconds: ten minutes. */
export const quoteLifetimeMs = 10 * 60_000;

/** What a price was valued for. A quote for one of these is worth nothing for another. */
export interface QuoteFacts {
  readonly brand: string;
  readonly uid: string;
  readonly planId: string;
  readonly methodCode: string;
  readonly currency: string;
  readonly coupon: string | undefined;
  /** minor units, without interest */
  readonly total: number;
}

/** A price promise that needs no row: `total.validUntil.signature`. `validUntil` is epoch milliseconds. */
export function signQuote(secret: string, facts: QuoteFacts, validUntil: number): string {
  return `${facts.total}.${validUntil}.${signature(secret, facts, validUntil).toString('base64url')}`;
}

/** Whether this quote promises exactly these facts and still holds. Anything malformed is simply false. */
export function isQuote(secret: string, quoteId: string, facts: QuoteFacts, now: number): boolean {
  const [, total, until, sign] = /^(\d{1,16})\.(\d{13})\.([\w-]{43})$/.exec(quoteId) ?? [];
  if (sign === undefined || Number(total) !== facts.total || Number(until) < now) return false;
  return timingSafeEqual(Buffer.from(sign, 'base64url'), signature(secret, facts, Number(until)));
}

function signature(secret: string, facts: QuoteFacts, validUntil: number): Buffer {
  const { brand, uid, planId, methodCode, currency, coupon, total } = facts;
  const text = JSON.stringify(['quote', brand, uid, planId, methodCode, currency, coupon ?? null, total, validUntil]);
  return createHmac('sha256', secret).update(text).digest();
}
