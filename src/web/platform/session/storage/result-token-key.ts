import * as v from 'valibot';
import { orderIdSchema, resultTokenSchema } from '#contract/fields.ts';
import { stored } from './stored.ts';

/**
 * The token for the result of this tab's last payment. It is stored here and not in the URL, so that it is in no
 * history; a reload still finds it.
 */
export const resultTokenKey = stored(
  'result',
  v.object({ orderId: v.optional(orderIdSchema), token: resultTokenSchema }),
  'session',
);
