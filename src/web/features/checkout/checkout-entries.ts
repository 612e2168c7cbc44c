import * as v from 'valibot';
import { orderIdSchema, planIdSchema } from '#contract/fields.ts';
import { stored } from '#web/platform/session/storage/stored.ts';

/**
 * [Note: Back to a checkout] Pages of this tab's history on which a purchase was prepared, and the order that came of
 * it. The Back button leads to such a page again long after the order is paid; it must show the payment then, and not a
 * button that pays. An entry is named by the key that the router gave it, which survives a reload.
 */
const entrySchema = v.object({
  key: v.pipe(v.string(), v.maxLength(40)),
  planId: planIdSchema,
  orderId: v.optional(orderIdSchema),
});
const entriesStore = stored('checkoutEntries', v.array(entrySchema), 'session');

/** As far as anybody goes back. */
const kept = 30;

/** The checkout of a plan is shown at this entry; the answer is the order that it has led to, if it has. */
export function recordEntry(key: string, planId: string): string | undefined {
  const entries = entriesStore.get() ?? [];
  const known = entries.find((entry) => entry.key === key);
  if (!known) entriesStore.set([...entries, { key, planId }].slice(-kept));
  return known?.orderId;
}

/** The checkouts of a plan that are open in this tab have led to an order. */
export function endEntries(planId: string, orderId: string): void {
  const entries = entriesStore.get() ?? [];
  if (entries.length === 0) return;
  const open = (entry: (typeof entries)[number]) => entry.planId === planId && entry.orderId === undefined;
  entriesStore.set(entries.map((entry) => (open(entry) ? { ...entry, orderId } : entry)));
}
