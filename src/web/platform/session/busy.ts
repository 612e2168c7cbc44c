/**
 * [Note: Busy] What a reload must not interrupt: a payment in progress, or a form with unsaved input. An update of the
 * app waits for both; a session that another tab has changed waits for the payment only.
 */
const reasons = new Map<string, number>();
const waiting = new Set<{ readonly reason: string; readonly act: () => void }>();

/** Adds a reason to wait; call the returned function when it is over. */
export function addBusyReason(reason: string): () => void {
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

/** Whether the page is busy, or busy for this reason. */
export function isBusy(reason?: string): boolean {
  return reason === undefined ? reasons.size > 0 : reasons.has(reason);
}

/** Runs the act now, or as soon as this reason is over. The returned function cancels it. */
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
