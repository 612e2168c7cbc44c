import * as v from 'valibot';
import type { Language } from '#contract/fields.ts';
import { finisherSchema } from '#contract/next-step.ts';
import type { AttemptRow, OrderRow } from '#server/db/purchase-rows.ts';

/**
 * What the way back says, as the path of the result page: which payment it is, so that it can be looked up in another
 * browser and without a session, and whether somebody has to be told that the customer is back. What only a query can
 * say is the language, for a browser that knows nobody; a provider that spoils the query spoils nothing else.
 */
export function returnPath(
  { orderId, resultToken }: Pick<OrderRow, 'orderId' | 'resultToken'>,
  { gateway }: Pick<AttemptRow, 'gateway'>,
  language: Language,
): string {
  const finish = v.is(finisherSchema, gateway) ? `/finish/${gateway}` : '';
  return `orderId/${orderId}/token/${resultToken}${finish}?language=${language}`;
}
