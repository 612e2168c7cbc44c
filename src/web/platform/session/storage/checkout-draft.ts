import * as v from 'valibot';
import { methodCodeSchema, planIdSchema, currencySchema } from '#contract/fields.ts';
import { discountCodeSchema } from '#contract/coupons.ts';
import { draft } from './draft.ts';
import { purchaseIntentKey } from './purchase-keys.ts';
import { stored, type Stored } from './stored.ts';

/** Without consents: each purchase needs a new consent. */
const checkoutDraftSchema = v.object({
  methodCode: v.optional(methodCodeSchema),
  currency: v.optional(currencySchema),
  installments: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  discountCode: v.optional(discountCodeSchema),
});
export type CheckoutDraft = v.InferOutput<typeof checkoutDraftSchema>;

/** When the last order for each plan was made or ended on this device, in epoch milliseconds of the device. */
const orderedAtKey = stored('orderedAt', v.record(planIdSchema, v.number()), 'local');

/**
 * The choices for a plan, for this tab, until an order for the plan is made in any tab. Contains no personal or card
 * data.
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

/** Clears the draft in every tab, after the order was made. */
export function endCheckoutDraft(planId: string): void {
  checkoutDraft(planId).remove();
  orderedAtKey.set({ ...orderedAtKey.get(), [planId]: Date.now() });
}

/**
 * A coupon that the customer wants to use, with its plans, until the checkout of one of them applies it. It is not in
 * the URL, because anyone who knows the code may be able to use it.
 */
export const couponToUse = draft('coupon', v.object({ code: discountCodeSchema, planIds: v.array(planIdSchema) }));

/** Well above the request timeout of a minute, in milliseconds. */
const maxRequestMs = 120_000;

/**
 * Adopts the idempotency key of another screen on which the same purchase was begun ([Note: Hand-over]). Not while a
 * request of this device may be in progress: its outcome must be known first.
 */
export function adoptIntent(uid: string, planId: string, idempotencyKey: string): void {
  const store = purchaseIntentKey(uid, planId);
  const sentAt = store.get()?.sentAt;
  if (sentAt !== undefined && Date.now() - sentAt < maxRequestMs) return;
  store.set({ planId, idempotencyKey, createdAt: Date.now() });
}
