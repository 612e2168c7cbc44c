import type { QueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { couponCodeSchema } from '../../../../contract/fields.ts';
import { queryCart, unbindDiscountCode } from '../../../../contract/orders.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { q } from '../../../api/query.ts';
import { askAnew } from '../../../payment-state/ask-anew.ts';
import { paymentInProgress } from '../../../storage/purchase.ts';

/**
 * Takes a coupon from the order that holds it, which cancels that order. Asking twice changes nothing, so a lost answer
 * may be asked for again. Throws the `ApiError` of the call.
 */
export async function freeCoupon(orderId: string, typed: string, client: QueryClient): Promise<void> {
  const discountCode = v.parse(couponCodeSchema, typed);
  try {
    await call(unbindDiscountCode, { query: { orderId, discountCode } }, { quiet: true });
  } catch (error) {
    // there is no such order, so nothing holds the coupon
    if (!(error instanceof ApiError) || error.code !== 1001) throw error;
  }
  if (paymentInProgress.get()?.orderId === orderId) paymentInProgress.clear();
  askAnew(client);
  // it may be offered on this very page
  void client.invalidateQueries({ queryKey: q(queryCart, { body: {} }).queryKey });
}
