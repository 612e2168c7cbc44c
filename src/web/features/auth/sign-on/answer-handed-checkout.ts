import { takeHandover, type HandoverPurchase } from '#contract/handover.ts';
import { storedDeviceToken } from '#web/domain/auth/complete-sign-in.ts';
import { attempt } from '#web/platform/api/client.ts';
import { stringifySearch } from '#web/platform/entry/search.ts';
import { getSession } from '#web/platform/session/session.ts';
import { adoptIntent, checkoutDraft } from '#web/platform/session/storage/checkout-draft.ts';
import { outcomeOf, type Outcome, type HandoverResult } from './device-calls.ts';

/** Approves or refuses the checkout that a TV hands over ([Note: Hand-over]). */
export async function answerHandedCheckout(userCode: string, approve: boolean): Promise<Outcome<HandoverResult>> {
  const body = { userCode, approve, device: storedDeviceToken() };
  return outcomeOf(await attempt(takeHandover, { body }));
}

/**
 * Continues a checkout from a TV ([Note: Hand-over]) with the same choices and the same idempotency key, so that two
 * screens cannot pay twice. Returns the path where it continues.
 */
export function openHandedCheckout(purchase: HandoverPurchase): string {
  const { planId, orderId, methodCode, currency, installments, discountCode, idempotencyKey } = purchase;
  const uid = getSession()?.uid;
  if (uid !== undefined) adoptIntent(uid, planId, idempotencyKey);
  checkoutDraft(planId).set({
    ...(methodCode !== undefined && { methodCode }),
    ...(currency !== undefined && { currency }),
    ...(installments !== undefined && { installments }),
    ...(discountCode !== undefined && { discountCode }),
  });
  // a method that was chosen on the TV is not requested again
  const step = methodCode === undefined ? undefined : 'details';
  return `/payment${stringifySearch({ planId, orderId, currency, step })}`;
}
