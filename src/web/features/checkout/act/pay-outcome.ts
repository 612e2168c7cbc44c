import type { PaymentAnswer } from '../../../../contract/billing.ts';
import type { RefusalParams } from '../../../../contract/envelope.ts';
import { errorEntry } from '../../../../contract/error-codes.ts';
import type { Money } from '../../../../contract/money.ts';

/** What came of sending a payment, as far as this phone can know. */
export type PayOutcome =
  | { readonly kind: 'answered'; readonly answer: PaymentAnswer }
  | { readonly kind: 'declined'; readonly code: number; readonly orderId: string | undefined }
  | { readonly kind: 'priceChanged'; readonly total: Money }
  /** The key belongs to another request: a payment of this intent is already under way somewhere. */
  | { readonly kind: 'spent' }
  | {
      readonly kind: 'refused';
      readonly code: number | undefined;
      readonly replaceKey: boolean;
      /** the part of the request that does not fit, as the server calls it */
      readonly field?: string | undefined;
      /** another order that stands in the way: the one that holds the coupon */
      readonly orderId?: string | undefined;
    }
  /** The session ended on the way; what came of it is looked up after the next login, by the key that stays. */
  | { readonly kind: 'signedOut' }
  /** The wire was cut, or the server stumbled after it may have acted. */
  | { readonly kind: 'unknown' };

/** The shape of an `ApiError`, so that this stays pure. */
export interface Failure {
  readonly kind: 'refused' | 'network' | 'http' | 'malformed';
  readonly code?: number | undefined;
  readonly params?: RefusalParams | undefined;
  readonly status?: number | undefined;
  readonly lost?: 'unreachable' | 'timeout' | 'aborted' | 'stale' | undefined;
}

const declines = new Set([301, 302, 306, 309, 312, 314, 315, 2003, 2007, 5015, 1014, -2400]);
const sessionEnds = new Set(['resetSilently', 'toastAndReset', 'warnAndLogin']);

/** An answer that tells of a failed try is a decline, like the refusal that the first asking got. */
export function outcomeOfAnswer(answer: PaymentAnswer): PayOutcome {
  if (answer.status !== 'PAYMENT_FAILED') return { kind: 'answered', answer };
  return { kind: 'declined', code: answer.failureCode ?? 2003, orderId: answer.orderId };
}

/** Whatever is not a clear no counts as unknown: better to ask again by the same key than to charge twice. */
export function outcomeOfFailure(failure: Failure): PayOutcome {
  const { kind, code } = failure;
  if (kind === 'refused' && code !== undefined) return outcomeOfCode(code, failure.params ?? {});
  if (failure.lost === 'stale') return { kind: 'signedOut' };
  const refusedByProxy = kind === 'http' && failure.status !== undefined && failure.status < 500;
  if (refusedByProxy && failure.status !== 408) return { kind: 'refused', code: undefined, replaceKey: false };
  return { kind: 'unknown' };
}

/** Codes of the shop or of a provider: with an order they tell how its try ended, without one nothing was made. */
const ofEither = new Set([-3031, -2602, -2502]);

function outcomeOfCode(code: number, params: RefusalParams): PayOutcome {
  const ended = ofEither.has(code) && params.orderId !== undefined;
  if (declines.has(code) || ended) return { kind: 'declined', code, orderId: params.orderId };
  // a payment that could not be placed may still have been; one that was refused for its price was not
  if (code === 1015) return params.newTotal ? { kind: 'priceChanged', total: params.newTotal } : { kind: 'unknown' };
  if (code === 5000 && params.field?.toLowerCase() === 'idempotency-key') return { kind: 'spent' };
  const entry = errorEntry(code);
  if (entry && sessionEnds.has(entry.policy) && code !== -1112) return { kind: 'signedOut' };
  // -2602 is said before anything is written, whatever its status
  if (!entry || (entry.status >= 500 && code !== -2602)) return { kind: 'unknown' };
  const passing = entry.status === 401 || entry.status === 429;
  return { kind: 'refused', code, replaceKey: !passing, field: params.field, orderId: params.orderId };
}

const anotherWay = new Set([301, 302, 5015, 2003, 2007, -2502, -2602]);

/** Whether another card or method is what helps, rather than trying the same once more. */
export function wantsAnotherWay(code: number | undefined): boolean {
  return code !== undefined && anotherWay.has(code);
}

/** The page that opens for a code, by the catalogue: the plans for one that cannot be bought now, 404 for none such. */
export function pageOfCode(code: number | undefined): string | undefined {
  if (code === 6001) return '/404';
  return code === 6000
    ? `/pricing-table?${new URLSearchParams({ errCode: '6000', type: 'cannotBuyPlan' })}`
    : undefined;
}

const couponCodes = new Set([9000, 9001, 9002, 9003, 9991, 1003]);

/** Refusals that belong at the coupon field and nowhere else. */
export function isCouponRefusal(code: number | undefined): boolean {
  return code !== undefined && couponCodes.has(code);
}
