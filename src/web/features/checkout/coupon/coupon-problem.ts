import { msg } from '@lingui/core/macro';
import { errorNameOf } from '#contract/error-codes.ts';
import type { RefusalParams } from '#contract/envelope.ts';
import { couponTermsMessage, couponWaitMessage } from '#web/domain/payments/coupon-messages.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { localizedMessage, type LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { messageOfCode, messageOfError } from '#web/platform/api/error-message.ts';
import { placeOfRefusal } from '../act/place-refusal.ts';

/** The error at the coupon field. */
export interface CouponProblem {
  readonly words: LocalizedMessage;
  /** error code of the catalogue */
  readonly code?: number | undefined;
  /** another order of the customer that it concerns */
  readonly orderId?: string | undefined;
  /** that order has the coupon and can be cancelled for it */
  readonly mayTakeOver?: true;
}

interface Refused {
  readonly code?: number | undefined;
  readonly orderId?: string | undefined;
  readonly onlyFor?: RefusalParams['onlyFor'];
}

const held = localizedMessage(msg`This coupon is used by another order of yours`);
const stays = localizedMessage(msg`That order is being paid or has been paid, so the coupon stays with it.`);

/** `couponUnavailable` with an order concerns a coupon of the customer's own (contract, "valuationRefusals"). */
export function problemOfRefusal({ code, orderId, onlyFor }: Refused): CouponProblem {
  const terms = couponTermsMessage(onlyFor);
  if (terms) return { words: terms, code };
  if (errorNameOf(code) === 'couponUnavailable' && orderId !== undefined)
    return { words: held, code, orderId, mayTakeOver: true };
  if (errorNameOf(code) === 'couponNotRemoved') return { words: stays, code, orderId };
  return { words: (i18n) => messageOfCode(i18n, code ?? 0), code };
}

export function problemOfError(error: CallError): CouponProblem {
  if (error.kind !== 'refused' || error.code === undefined) return { words: (i18n) => messageOfError(i18n, error) };
  const { code } = error;
  const { orderId, waitSeconds, onlyFor } = error.params;
  if (error.is('tooFrequent') && waitSeconds) return { words: couponWaitMessage(waitSeconds), code };
  if (placeOfRefusal({ code }).at === 'discountCode') return problemOfRefusal({ code, orderId, onlyFor });
  return { words: (i18n) => messageOfError(i18n, error), code };
}
