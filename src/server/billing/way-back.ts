import * as v from 'valibot';
import { finisherSchema } from '../../contract/next-step.ts';
import type { AttemptRow, OrderRow } from './purchase-rows.ts';

/**
 * What the way back says, as the path of the result page: which payment it is, so that it can be looked up in another
 * browser and without a session, and whether somebody has to be told that the customer is back.
 */
export function wayBack(
  { orderId, resultToken }: Pick<OrderRow, 'orderId' | 'resultToken'>,
  { gateway }: Pick<AttemptRow, 'gateway'>,
): string {
  const finish = v.is(finisherSchema, gateway) ? `/finish/${gateway}` : '';
  return `orderId/${orderId}/token/${resultToken}${finish}`;
}
