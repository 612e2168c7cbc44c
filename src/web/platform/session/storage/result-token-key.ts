import * as v from 'valibot';
import { orderIdSchema, resultTokenSchema } from '#contract/fields.ts';
import { stored } from './stored.ts';

/**
 * What opens the result of the payment that this tab was last at. It is here and not in the address, so that no history
 * keeps it; a reload still finds it.
 */
export const resultTokenKey = stored(
  'result',
  v.object({ orderId: v.optional(orderIdSchema), token: resultTokenSchema }),
  'session',
);
