import * as v from 'valibot';
import { couponCodeSchema, methodCodeSchema } from '../../../contract/fields.ts';
import { currencySchema } from '../../../contract/money.ts';
import { draft } from '../../storage/draft.ts';

const checkoutDraftSchema = v.object({
  methodCode: v.optional(methodCodeSchema),
  currency: v.optional(currencySchema),
  installments: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  coupon: v.optional(couponCodeSchema),
});
export type CheckoutDraft = v.InferOutput<typeof checkoutDraftSchema>;

/** What was chosen for a plan, for this tab. Nothing that was typed about a person or a card is in it. */
export const checkoutDraft = (planId: string) => draft(`checkout.${planId}`, checkoutDraftSchema);
