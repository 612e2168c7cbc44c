import * as v from 'valibot';
import { orderIdSchema, planIdSchema } from '#contract/fields.ts';
import { stored } from '#web/platform/session/storage/stored.ts';

/**
 * History entries of this tab on which a purchase was prepared, and the resulting order. Back leads to such an entry
 * long after the order is paid; it must show the payment then, and no pay button. An entry is identified by the
 * router's key, which survives a reload.
 */
const entrySchema = v.object({
  key: v.pipe(v.string(), v.maxLength(40)),
  planId: planIdSchema,
  orderId: v.optional(orderIdSchema),
});
const entriesStore = stored('checkoutEntries', v.array(entrySchema), 'session');

/** More entries than a customer goes back. */
const kept = 30;

/** Records that this entry shows the checkout of a plan; returns the order that it led to, if any. */
export function recordEntry(key: string, planId: string): string | undefined {
  const entries = entriesStore.get() ?? [];
  const known = entries.find((entry) => entry.key === key);
  if (!known) entriesStore.set([...entries, { key, planId }].slice(-kept));
  return known?.orderId;
}

/** Records the order that the open checkouts of a plan in this tab led to. */
export function endEntries(planId: string, orderId: string): void {
  const entries = entriesStore.get() ?? [];
  if (entries.length === 0) return;
  const open = (entry: (typeof entries)[number]) => entry.planId === planId && entry.orderId === undefined;
  entriesStore.set(entries.map((entry) => (open(entry) ? { ...entry, orderId } : entry)));
}
