import { msg, plural } from '@lingui/core/macro';
import { ApiError } from '../../../api/api-error.ts';
import { say, type Words } from '../../../form/words.ts';
import { errorWords, wordsOf } from '../../../i18n/error-words.ts';
import type { PayState } from '../act/pay-machine.ts';
import { isCouponRefusal } from '../act/pay-outcome.ts';

/** What stands at the coupon field. */
export interface CouponProblem {
  readonly words: Words;
  /** of the catalogue */
  readonly code?: number | undefined;
  /** another order of the customer's that has to do with it */
  readonly orderId?: string | undefined;
  /** that order holds the coupon and can be cancelled for it */
  readonly mayTakeOver?: true;
}

interface Refused {
  readonly code: number;
  readonly orderId?: string | undefined;
}

const held = say(msg`This coupon is used by another order of yours`);
const tooOften = -3031;
const waitFor =
  (seconds: number): Words =>
  (i18n) =>
    i18n._(
      msg`These were too many codes that do not exist. ${plural(Math.ceil(seconds / 60), {
        one: 'You can try again in # minute.',
        other: 'You can try again in # minutes.',
      })}`,
    );
const stays = say(msg`That order is being paid or has been paid, so the coupon stays with it.`);

/** 9000 with an order is a coupon of one's own (contract, "valuationRefusals"). */
export function problemOfRefusal({ code, orderId }: Refused): CouponProblem {
  if (code === 9000 && orderId !== undefined) return { words: held, code, orderId, mayTakeOver: true };
  if (code === 1003) return { words: stays, code, orderId };
  return { words: (i18n) => errorWords(i18n, code), code };
}

export function problemOfError(error: ApiError): CouponProblem {
  if (error.kind !== 'refused' || error.code === undefined) return { words: (i18n) => wordsOf(i18n, error) };
  const { code } = error;
  const { orderId, waitSeconds } = error.params;
  if (code === tooOften && waitSeconds) return { words: waitFor(waitSeconds), code };
  if (isCouponRefusal(code)) return problemOfRefusal({ code, orderId });
  return { words: (i18n) => wordsOf(i18n, error), code };
}

type Notice = Extract<NonNullable<Extract<PayState, { phase: 'idle' }>['notice']>, { kind: 'coupon' }>;

/** What has just refused the coupon that applied: the payment itself, or its price. The same thing as long as it stands. */
export function refusedCoupon(priceError: Error | null, pay: PayState): Notice | ApiError | undefined {
  if (pay.phase === 'idle' && pay.notice?.kind === 'coupon') return pay.notice;
  return priceError instanceof ApiError && isCouponRefusal(priceError.code) ? priceError : undefined;
}
