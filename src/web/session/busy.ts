/**
 * [Note: Busy] What must not be interrupted by a reload: a payment in flight, a form with typed text that is not saved.
 * A changed session in another tab and an update of the app both wait for it.
 */
const reasons = new Map<string, number>();
const waiting = new Set<() => void>();

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
    if (!isBusy()) runWaiting();
  };
}

/** Whether anything, or anything for this reason, must not be interrupted. */
export function isBusy(reason?: string): boolean {
  return reason === undefined ? reasons.size > 0 : reasons.has(reason);
}

/** Runs the act now, or as soon as nothing is in the way. The answer takes it back. */
export function whenIdle(act: () => void): () => void {
  if (!isBusy()) {
    act();
    return () => undefined;
  }
  waiting.add(act);
  return () => void waiting.delete(act);
}

function runWaiting(): void {
  const acts = [...waiting];
  waiting.clear();
  for (const act of acts) act();
}
