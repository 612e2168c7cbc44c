import * as v from 'valibot';
import { methodCodeSchema, planIdSchema, currencySchema } from '#contract/fields.ts';
import { discountCodeSchema } from '#contract/typed-coupon.ts';
import { draft } from './draft.ts';
import { purchaseIntentKey } from './purchase-keys.ts';
import { stored, type Stored } from './stored.ts';

/** Consents are no part of it: who agreed once is asked again for the next purchase. */
const checkoutDraftSchema = v.object({
  methodCode: v.optional(methodCodeSchema),
  currency: v.optional(currencySchema),
  installments: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  discountCode: v.optional(discountCodeSchema),
});
export type CheckoutDraft = v.InferOutput<typeof checkoutDraftSchema>;

/** When the last order for each plan was made or ended on this device, epoch milliseconds of the device. */
const orderedAtKey = stored('orderedAt', v.record(planIdSchema, v.number()), 'local');

/**
 * What was chosen for a plan, for this tab, until an order for the plan is made, here or in another tab. Nothing that was
 * typed about a person or a card is in it.
 */
export function checkoutDraft(planId: string): Omit<Stored<CheckoutDraft>, 'key'> {
  const store = draft(`checkout.${planId}`, v.object({ chosenAt: v.number(), ...checkoutDraftSchema.entries }));
  return {
    get: () => {
      const found = store.get();
      if (!found) return undefined;
      const { chosenAt, ...chosen } = found;
      return chosenAt > (orderedAtKey.get()?.[planId] ?? -Infinity) ? chosen : undefined;
    },
    set: (chosen) => store.set({ ...chosen, chosenAt: Date.now() }),
    remove: () => store.remove(),
  };
}

/** Ends the draft with the order that was made of it, in every tab. */
export function endCheckoutDraft(planId: string): void {
  checkoutDraft(planId).remove();
  orderedAtKey.set({ ...orderedAtKey.get(), [planId]: Date.now() });
}

/**
 * A coupon that the customer wants to use, and the plans that it is for, until the checkout of one of them takes it. It may be
 * good for whoever knows it, so it is not in the address.
 */
export const couponToUse = draft('coupon', v.object({ code: discountCodeSchema, planIds: v.array(planIdSchema) }));

/** No request outlives its timeout of a minute by as much. */
const onItsWayMs = 120_000;

/**
 * Takes the key of another screen over on which the same purchase was begun ([Note: Hand-over]). Not while a request of
 * this one may be on its way: whoever sent it finds out first what became of it.
 */
export function adoptIntent(uid: string, planId: string, idempotencyKey: string): void {
  const store = purchaseIntentKey(uid, planId);
  const sentAt = store.get()?.sentAt;
  if (sentAt !== undefined && Date.now() - sentAt < onItsWayMs) return;
  store.set({ planId, idempotencyKey, createdAt: Date.now() });
}
