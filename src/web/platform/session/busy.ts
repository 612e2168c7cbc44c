/**
 * [Note: Busy] What must not be interrupted by a reload: a payment in flight, a form with typed text that is not saved.
 * An update of the app waits for all of it; a session that another tab has changed waits for the payment alone.
 */
const reasons = new Map<string, number>();
const waiting = new Set<{ readonly reason: string; readonly act: () => void }>();

/** Marks a reason to wait; call the answer once when it is over. */
export function markBusy(reason: string): () => void {
  reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  let released = false;
  return () => {
    if (released) return;
    released = true;
    const left = (reasons.get(reason) ?? 1) - 1;
    if (left > 0) reasons.set(reason, left);
    else reasons.delete(reason);
    runWaiting();
  };
}

/** Whether anything, or anything for this reason, must not be interrupted. */
export function isBusy(reason?: string): boolean {
  return reason === undefined ? reasons.size > 0 : reasons.has(reason);
}

/** Runs the act now, or as soon as this reason is over. The answer takes it back. */
export function runWhenNotBusy(reason: string, act: () => void): () => void {
  if (!isBusy(reason)) {
    act();
    return () => undefined;
  }
  const entry = { reason, act };
  waiting.add(entry);
  return () => void waiting.delete(entry);
}

function runWaiting(): void {
  for (const entry of waiting) {
    if (isBusy(entry.reason)) continue;
    waiting.delete(entry);
    entry.act();
  }
}
