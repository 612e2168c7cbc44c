let openedAt = -Infinity;

/** The copies of an earlier visit come among the answers now. */
export function markSavedCopies(): void {
  openedAt = Date.now();
}

/** Whether an answer that was read at `readAt` (epoch milliseconds by the phone's clock) may be a copy of an earlier visit. */
export function mayBeSavedCopy(readAt: number): boolean {
  return readAt < openedAt;
}
