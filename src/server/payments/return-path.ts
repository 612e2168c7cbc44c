import * as v from 'valibot';
import type { Language } from '#contract/fields.ts';
import { finisherSchema } from '#contract/next-step.ts';
import type { AttemptRow, OrderRow } from '#server/db/purchase-rows.ts';

/**
 * The address after a return from the provider, as the path of the result page. It names the payment, so that it can
 * be looked up in another browser without a session, and the gateway that must be notified of the return. Only the
 * language is in the query, for a browser without a stored one, because some providers break queries.
 */
export function returnPath(
  { orderId, resultToken }: Pick<OrderRow, 'orderId' | 'resultToken'>,
  { gateway }: Pick<AttemptRow, 'gateway'>,
  language: Language,
): string {
  const finish = v.is(finisherSchema, gateway) ? `/finish/${gateway}` : '';
  return `orderId/${orderId}/token/${resultToken}${finish}?language=${language}`;
}
